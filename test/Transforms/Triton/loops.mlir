// RUN: tilesmith-opt %s --carry-scalars --lower-accesses --canonicalize --cse --form-accumulators --split-input-file | FileCheck %s
// Pointers that a loop moves: the loop carries how far, and each load is a box.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (i32)
// CHECK: tile.load {{.*}} -> <64xf32, UB>
// CHECK-NOT: gather_rows
func.func @carried(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32, %step: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = tile.arange : !tile.tile<64xi32, UB>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %a) -> (!tile.tile<64xi32, UB>) : i32 {
    %x = triton.load %p[%o] : !tile.ptr<f32>, !tile.tile<64xi32, UB> -> !tile.tile<64xf32, UB>
    triton.store %x, %q[%o] : !tile.tile<64xf32, UB>, !tile.ptr<f32>, !tile.tile<64xi32, UB>
    %next = tile.binary add %o, %step : !tile.tile<64xi32, UB>, i32 -> !tile.tile<64xi32, UB>
    scf.yield %next : !tile.tile<64xi32, UB>
  }
  return
}

// -----

// A sum of products that begins with zeros stays in L0C, and leaves it after the loop.
// CHECK-LABEL: func.func @sum
// CHECK: %[[ZERO:.*]] = tile.zeros_acc
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (!tile.tile<16x16xf32, L0C>)
// CHECK: tile.matmul %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK: tile.copy %[[SUM]]
func.func @sum(%a: !tile.tile<16x16xf16, UB>, %n: i32, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %zeros = tile.splat %z : f32 -> !tile.tile<16x16xf32, UB>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zeros) -> (!tile.tile<16x16xf32, UB>) : i32 {
    %p = tile.matmul %a, %a : !tile.tile<16x16xf16, UB>, !tile.tile<16x16xf16, UB> -> !tile.tile<16x16xf32, L0C>
    %u = tile.copy %p[%c0, %c0] : !tile.tile<16x16xf32, L0C> -> !tile.tile<16x16xf32, UB>
    %s = tile.binary add %acc, %u : !tile.tile<16x16xf32, UB>, !tile.tile<16x16xf32, UB> -> !tile.tile<16x16xf32, UB>
    scf.yield %s : !tile.tile<16x16xf32, UB>
  }
  %o = tile.arange : !tile.tile<16x16xi32, UB>
  triton.store %r, %q[%o] : !tile.tile<16x16xf32, UB>, !tile.ptr<f32>, !tile.tile<16x16xi32, UB>
  return
}
