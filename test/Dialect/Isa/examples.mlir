// RUN: tilesmith-opt %s | tilesmith-opt | FileCheck %s
// The examples of the ops' descriptions, which python/tests/test_dialects.py looks for here, are valid IR.

// CHECK-LABEL: func.func @buffers
func.func @buffers(%iteration: i64, %bytes: i64, %ok: i1) {
  // CHECK: isa.alloc
  %rows = isa.alloc 8192 {address = 0 : i64, slots = 2 : i64, source = "rows"} : !isa.buffer<UB, f16>
  %now = isa.slot %rows[%iteration] : !isa.buffer<UB, f16>
  %second = isa.offset %rows, %bytes : !isa.buffer<UB, f16>
  %words = isa.view %rows : !isa.buffer<UB, f16> -> !isa.buffer<UB, i32>
  // CHECK: isa.on_cube
  %cube = isa.on_cube
  // CHECK: isa.keep
  isa.keep
  // CHECK: isa.assert
  isa.assert %ok, "n is not positive"
  return
}

// CHECK-LABEL: func.func @debugging
func.func @debugging(%x: !isa.buffer<UB, f32>, %n: i32) {
  // CHECK: isa.probe
  isa.probe "{}" depth 1 kind 0(%x, %n) : !isa.buffer<UB, f32>, i32
  return
}

// CHECK-LABEL: func.func @vector_functions
func.func @vector_functions(%x: !isa.buffer<UB, f16>, %y: !isa.buffer<UB, f16>, %sums: !isa.buffer<UB, f32>, %scale: f32) {
  // CHECK: isa.vf 4 x 1000
  isa.vf 4 x 1000(%x, %sums, %scale) : !isa.buffer<UB, f16>, !isa.buffer<UB, f32>, f32 {
  ^bb0(%bx: !isa.buffer<UB, f16>, %bs: !isa.buffer<UB, f32>, %s: f32):
    %0 = isa.vf_load %bx full {pitch = 2048 : i64} : !isa.buffer<UB, f16> -> !isa.reg<f16>
    %1 = isa.vf_compute "cast"(%0) : (!isa.reg<f16>) -> !isa.reg<f32>
    %2 = isa.vf_scalar %s : f32 -> !isa.reg<f32>
    %3 = isa.vf_compute "mul"(%1, %2) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_reduce sum %3, %bs : !isa.reg<f32>, !isa.buffer<UB, f32>
    %c = isa.vf_constant 2.000000e+00 : f32 : !isa.reg<f32>
    %m = isa.vf_compute "compare"(%3, %c) {mode = #isa.cmp_mode<LT>} : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<i1>
    %4 = isa.vf_compute "select"(%m, %3, %c) : (!isa.reg<i1>, !isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
  }
  isa.vf 1 x 1024(%x, %sums) : !isa.buffer<UB, f16>, !isa.buffer<UB, f32> {
  ^bb0(%bx: !isa.buffer<UB, f16>, %bs: !isa.buffer<UB, f32>):
    %0 = isa.vf_load %bx full : !isa.buffer<UB, f16> -> !isa.reg<f16>
    %3 = isa.vf_compute "cast"(%0) : (!isa.reg<f16>) -> !isa.reg<f32>
    isa.vf_reduce sum %3, %bs {width = 16 : i64} : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  isa.vf 4 x 1000(%x, %y) : !isa.buffer<UB, f16>, !isa.buffer<UB, f16> {
  ^bb0(%bx: !isa.buffer<UB, f16>, %by: !isa.buffer<UB, f16>):
    %0 = isa.vf_load %bx full {pitch = 2048 : i64} : !isa.buffer<UB, f16> -> !isa.reg<f16>
    isa.vf_store %0, %by full {pitch = 2048 : i64} : !isa.reg<f16>, !isa.buffer<UB, f16>
  }
  return
}
