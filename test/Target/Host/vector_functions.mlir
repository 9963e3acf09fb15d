// RUN: tilesmith-opt %s --lower-isa-to-llvm --split-input-file | FileCheck %s
// A vector function is one call with a descriptor and a native loop nest.

// CHECK-LABEL: llvm.func @ts_kernel_softmax_part
// CHECK: llvm.call @tsm_vf(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()

// CHECK-LABEL: llvm.func internal @ts_vf_0(
// The scalar is spread once, before the loops.
// CHECK: llvm.call @ts_el_splat
// CHECK: ^[[ROW:bb[0-9]+]](%{{[0-9]+}}: i64):
// CHECK: ^[[CHUNK:bb[0-9]+]](%{{[0-9]+}}: i64):
// Whole chunks have the constant count 64, so that loads and stores need no masks.
// CHECK: %[[ALL:.*]] = llvm.mlir.constant(64 : i64)
// CHECK: llvm.call @ts_el_load_f32(%{{.*}}, %{{.*}}, %[[ALL]])
// CHECK: llvm.call @ts_el_mul
// CHECK: llvm.call @ts_el_exp
// CHECK: llvm.call @ts_el_store_f32
// CHECK: llvm.call @ts_el_add
// CHECK: llvm.cond_br %{{.*}}, ^[[CHUNK]]
// The partial chunk at the end of the row adds only its own lanes.
// CHECK: %[[REST:.*]] = llvm.mlir.constant(8 : i64)
// CHECK: llvm.call @ts_el_load_f32(%{{.*}}, %{{.*}}, %[[REST]])
// CHECK: llvm.shufflevector
// CHECK: llvm.call @ts_el_tree_sum
// CHECK: llvm.cond_br %{{.*}}, ^[[ROW]]
// What the descriptor says: accesses (argument, walk, write, dtype, pitch), then the instructions with their loop, result and
// operands. Section 2 is the loop over columns: a load (32, value 0), one of one source (class 1, of 0), one exponential (4), a
// store (33), the accumulation of two sources (2); 3 is once per row: one sum (9) and its store.
// CHECK: llvm.mlir.global internal constant @ts_vf_desc_0_accesses(){{.*}} : !llvm.array<3 x struct<(i8, i8, i8, i8, i64)>>
// CHECK: @ts_vf_desc_0_steps(" \00\02\00\00\00\FF\FF\FF\FF\FF\FF
// CHECK-SAME: \01\00\02\00\01\00\00\00\FF\FF\FF\FF
// CHECK-SAME: \04\00\02\00\02\00\01\00\FF\FF\FF\FF
// CHECK-SAME: !\00\02\00\FF\FF\02\00\FF\FF\FF\FF
// CHECK-SAME: \02\00\02\00\03\00\03\00\02\00\FF\FF
// CHECK-SAME: \09\00\03\00\04\00\03\00\FF\FF\FF\FF
// CHECK-SAME: !\00\03\00\FF\FF\04\00\FF\FF\FF\FF")
// CHECK: llvm.mlir.global internal constant @ts_vf_desc_0(){{.*}} : !llvm.struct<(i64, i64, i32, i32, ptr, ptr, i64, i64, ptr, ptr)>
// CHECK-NEXT: llvm.mlir.constant(8 : i64)
// CHECK-NEXT: llvm.mlir.constant(136 : i64)
// CHECK-NEXT: llvm.mlir.constant(3 : i32)
func.func @softmax_part(%s: f32) attributes {isa.kernel, isa.arch = "C310"} {
  %a = isa.alloc 4352 {address = 0 : i64} : !isa.buffer<UB, f32>
  %z = isa.alloc 4352 {address = 8192 : i64} : !isa.buffer<UB, f32>
  %m = isa.alloc 32 {address = 16384 : i64} : !isa.buffer<UB, f32>
  isa.vf 8 x 136(%a, %z, %m, %s) : !isa.buffer<UB, f32>, !isa.buffer<UB, f32>, !isa.buffer<UB, f32>, f32 {
  ^bb0(%pa: !isa.buffer<UB, f32>, %pz: !isa.buffer<UB, f32>, %pm: !isa.buffer<UB, f32>, %ps: f32):
    %x = isa.vf_load %pa full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %k = isa.vf_scalar %ps : f32 -> !isa.reg<f32>
    %t = isa.vf_compute "muls"(%x, %k) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    %e = isa.vf_compute "exp"(%t) : (!isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_store %e, %pz full : !isa.reg<f32>, !isa.buffer<UB, f32>
    isa.vf_reduce sum %e, %pm : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  return
}

// -----

// Contiguous rows run as one long row: 3 x 128 elements are six whole chunks and no tail. Without a reduction any part of the
// row can be done alone, and the function does all of it.
// CHECK-LABEL: llvm.func internal @ts_vf_0(
// CHECK: llvm.mlir.constant(384 : i64)
// CHECK: llvm.call @ts_vf_0_part
// CHECK-LABEL: llvm.func internal @ts_vf_0_part(
// CHECK: llvm.call @ts_el_load_f16
// CHECK: llvm.call @ts_el_add
// What was computed in f16 is rounded to f16.
// CHECK: llvm.call @ts_el_round_f16
// CHECK: llvm.call @ts_el_store_f16
// CHECK-NOT: ts_el_load
// CHECK: llvm.return
func.func @flat() attributes {isa.kernel, isa.arch = "C310"} {
  %a = isa.alloc 768 {address = 0 : i64} : !isa.buffer<UB, f16>
  isa.vf 3 x 128(%a) : !isa.buffer<UB, f16> {
  ^bb0(%pa: !isa.buffer<UB, f16>):
    %x = isa.vf_load %pa full {pitch = 256 : i64} : !isa.buffer<UB, f16> -> !isa.reg<f16>
    %y = isa.vf_compute "add"(%x, %x) : (!isa.reg<f16>, !isa.reg<f16>) -> !isa.reg<f16>
    isa.vf_store %y, %pa full : !isa.reg<f16>, !isa.buffer<UB, f16>
  }
  return
}

// -----

// What changes with the row only is computed before its columns.
// CHECK-LABEL: llvm.func internal @ts_vf_0(
// CHECK: ^[[ROW:bb[0-9]+]](%{{[0-9]+}}: i64):
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: llvm.call @ts_el_reciprocal
// CHECK: ^[[CHUNK:bb[0-9]+]](%{{[0-9]+}}: i64):
// CHECK-NOT: ts_el_reciprocal
// CHECK: llvm.call @ts_el_mul
func.func @normalise() attributes {isa.kernel, isa.arch = "C310"} {
  %a = isa.alloc 2048 {address = 0 : i64} : !isa.buffer<UB, f32>
  %m = isa.alloc 32 {address = 16384 : i64} : !isa.buffer<UB, f32>
  isa.vf 4 x 128(%a, %m) : !isa.buffer<UB, f32>, !isa.buffer<UB, f32> {
  ^bb0(%pa: !isa.buffer<UB, f32>, %pm: !isa.buffer<UB, f32>):
    %x = isa.vf_load %pa full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %s = isa.vf_load %pm element : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %r = isa.vf_compute "reciprocal"(%s) : (!isa.reg<f32>) -> !isa.reg<f32>
    %y = isa.vf_compute "mul"(%x, %r) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_store %y, %pa full : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  return
}

// -----

// The copies of an unrolled loop are one function, called with other buffers. What reads its operands the other way
// round is another one.
// CHECK-LABEL: llvm.func @ts_kernel_copies
// CHECK: addressof @ts_vf_desc_0 :
// CHECK: addressof @ts_vf_0 :
// CHECK: addressof @ts_vf_desc_0 :
// CHECK: addressof @ts_vf_0 :
// CHECK: addressof @ts_vf_desc_1 :
// CHECK: addressof @ts_vf_1 :
// CHECK: addressof @ts_vf_desc_2 :
// CHECK: addressof @ts_vf_2 :
// CHECK-NOT: @ts_vf_3
func.func @copies() attributes {isa.kernel, isa.arch = "C310"} {
  %a = isa.alloc 512 {address = 0 : i64} : !isa.buffer<UB, f32>
  %b = isa.alloc 512 {address = 512 : i64} : !isa.buffer<UB, f32>
  isa.vf 1 x 128(%a, %b) : !isa.buffer<UB, f32>, !isa.buffer<UB, f32> {
  ^bb0(%pa: !isa.buffer<UB, f32>, %pb: !isa.buffer<UB, f32>):
    %x = isa.vf_load %pa full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %y = isa.vf_load %pb full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %z = isa.vf_compute "sub"(%x, %y) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_store %z, %pa full : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  isa.vf 1 x 128(%b, %a) : !isa.buffer<UB, f32>, !isa.buffer<UB, f32> {
  ^bb0(%pa: !isa.buffer<UB, f32>, %pb: !isa.buffer<UB, f32>):
    %x = isa.vf_load %pa full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %y = isa.vf_load %pb full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %z = isa.vf_compute "sub"(%x, %y) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_store %z, %pa full : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  isa.vf 1 x 128(%a, %b) : !isa.buffer<UB, f32>, !isa.buffer<UB, f32> {
  ^bb0(%pa: !isa.buffer<UB, f32>, %pb: !isa.buffer<UB, f32>):
    %x = isa.vf_load %pa full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %y = isa.vf_load %pb full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %z = isa.vf_compute "sub"(%y, %x) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_store %z, %pa full : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  isa.vf 1 x 64(%a, %b) : !isa.buffer<UB, f32>, !isa.buffer<UB, f32> {
  ^bb0(%pa: !isa.buffer<UB, f32>, %pb: !isa.buffer<UB, f32>):
    %x = isa.vf_load %pa full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %y = isa.vf_load %pb full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %z = isa.vf_compute "sub"(%x, %y) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_store %z, %pa full : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  return
}
