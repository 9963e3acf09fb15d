// RUN: tilesmith-opt %s | tilesmith-opt | FileCheck %s
// Instruction ops come from the table; buffers, rings and vector functions are written by hand.

// CHECK-LABEL: func.func @add
func.func @add(%x: !isa.buffer<GM, f32>, %n: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %pad = arith.constant 0.0 : f32
  // CHECK: isa.alloc 4096 {address = 0 : i64, slots = 2 : i64, source = "rows"} : {{.*}}<UB, f32>
  %ring = isa.alloc 4096 {address = 0 : i64, slots = 2 : i64, source = "rows"} : !isa.buffer<UB, f32>
  %a = isa.slot %ring[%n] : !isa.buffer<UB, f32>
  %at = isa.offset %x, %n : !isa.buffer<GM, f32>
  // CHECK: isa.copy_gm_to_ub %{{.*}} : {{.*}}<UB, f32>, {{.*}}<GM, f32>, f32
  isa.copy_gm_to_ub %a, %at, %c1, %n, %c0, %c0, %c0, %c0, %c0, %pad : !isa.buffer<UB, f32>, !isa.buffer<GM, f32>, f32
  // CHECK: isa.set_flag %{{.*}} {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  isa.set_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  isa.wait_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  // CHECK: isa.add %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : {{.*}}<UB, f32>, {{.*}}<UB, f32>, {{.*}}<UB, f32>
  isa.add %a, %a, %a, %n : !isa.buffer<UB, f32>, !isa.buffer<UB, f32>, !isa.buffer<UB, f32>
  isa.pipe_barrier {on = #isa.pipe<V>}
  %v = isa.get_value %a : !isa.buffer<UB, f32> -> f32
  %b = isa.block_idx : i32
  return
}

// CHECK-LABEL: func.func @vector_function
func.func @vector_function(%x: !isa.buffer<UB, f16>, %y: !isa.buffer<UB, f32>, %s: f32) {
  // CHECK: isa.vf 4 x 1000(%{{.*}}, %{{.*}}, %{{.*}}) : {{.*}}<UB, f16>, {{.*}}<UB, f32>, f32 {
  isa.vf 4 x 1000(%x, %y, %s) : !isa.buffer<UB, f16>, !isa.buffer<UB, f32>, f32 {
  ^bb0(%bx: !isa.buffer<UB, f16>, %by: !isa.buffer<UB, f32>, %bs: f32):
    %0 = isa.vf_load %bx full {pitch = 2048 : i64} : !isa.buffer<UB, f16> -> !isa.reg<f16>
    // CHECK: isa.vf_compute "cast"(%{{.*}}) : (!isa.reg<f16>) -> {{.*}}<f32>
    %1 = isa.vf_compute "cast"(%0) : (!isa.reg<f16>) -> !isa.reg<f32>
    %2 = isa.vf_scalar %bs : f32 -> !isa.reg<f32>
    %3 = isa.vf_compute "mul"(%1, %2) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    // CHECK: isa.vf_reduce sum %{{.*}}, %{{.*}} : {{.*}}<f32>, {{.*}}<UB, f32>
    isa.vf_reduce sum %3, %by : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  return
}
