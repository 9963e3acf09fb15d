// RUN: tilesmith-opt %s --order-programs --split-input-file | FileCheck %s
// Nobody reads what was there: programs stay side by side.
// CHECK-LABEL: func.func @plain
// CHECK-NOT: scf.for
// CHECK: triton.atomic add
// CHECK-NOT: triton.update
func.func @plain(%p: !tile.ptr<f32>, %o: !tile.tile<64xi32, UB>, %v: !tile.tile<64xf32, UB>) attributes {tile.kernel} {
  %a = triton.update add %v, %p[%o] : !tile.tile<64xf32, UB>, !tile.ptr<f32>, !tile.tile<64xi32, UB> -> !tile.tile<64xf32, UB>
  return
}

// -----

// The first block runs all programs; elements that lie apart are updated at once.
// CHECK-LABEL: func.func @apart
// CHECK-DAG: %[[NUM:.*]] = tile.block_num
// CHECK-DAG: %[[IDX:.*]] = tile.block_idx
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[IDX]], %{{.*}}
// CHECK: %[[LOW:.*]] = arith.select %[[FIRST]], %{{.*}}, %[[NUM]]
// CHECK: scf.for %[[PROGRAM:.*]] = %[[LOW]] to %[[NUM]]
// CHECK-NOT: tile.block_idx
// CHECK: tile.binary add %{{.*}}, %[[PROGRAM]]
// CHECK: %[[OLD:.*]] = triton.load
// CHECK: %[[NEW:.*]] = tile.binary or %[[OLD]], %{{.*}}
// CHECK-NEXT: triton.store %[[NEW]]
// CHECK-NOT: scf.for
func.func @apart(%p: !tile.ptr<i32>, %v: !tile.tile<64xi32, UB>) attributes {tile.kernel} {
  %i = tile.block_idx
  %r = tile.arange : !tile.tile<64xi32, UB>
  %o = tile.binary add %r, %i : !tile.tile<64xi32, UB>, i32 -> !tile.tile<64xi32, UB>
  %a = triton.update or %v, %p[%o] : !tile.tile<64xi32, UB>, !tile.ptr<i32>, !tile.tile<64xi32, UB> -> !tile.tile<64xi32, UB>
  return
}

// -----

// Offsets of which nothing is known may be equal: element by element, where the mask chooses.
// CHECK-LABEL: func.func @anywhere
// CHECK: scf.for {{.*}} = %{{.*}} to %{{.*}} step
// CHECK: %[[OLD:.*]] = scf.for {{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (!tile.tile<64xi32, UB>)
// CHECK: scf.if
// CHECK: triton.load {{.*}} -> <1xi32, UB>
// CHECK: tile.compare eq
// CHECK: triton.store {{.*}} : <1xi32, UB>
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[SO_FAR]]
func.func @anywhere(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>, %o: !tile.tile<64xi32, UB>, %m: !tile.tile<64xi1, UB>, %v: !tile.tile<64xi32, UB>) attributes {tile.kernel} {
  %a = triton.update cas %v, %p[%o] mask %m : !tile.tile<64xi1, UB> expected %v : !tile.tile<64xi32, UB> : !tile.tile<64xi32, UB>, !tile.ptr<i32>, !tile.tile<64xi32, UB> -> !tile.tile<64xi32, UB>
  %r = tile.arange : !tile.tile<64xi32, UB>
  triton.store %a, %q[%r] : !tile.tile<64xi32, UB>, !tile.ptr<i32>, !tile.tile<64xi32, UB>
  return
}
