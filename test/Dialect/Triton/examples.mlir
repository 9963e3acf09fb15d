// RUN: tilesmith-opt %s | tilesmith-opt | FileCheck %s
// The examples of TritonOps.td are IR.
// CHECK-LABEL: func.func @loads
// CHECK: triton.load
// CHECK: triton.load {{.*}} mask {{.*}} other
func.func @loads(%p: !tile.ptr<f32>, %o: !tile.tile<64xi32, UB>, %m: !tile.tile<64xi1, UB>, %z: f32) attributes {tile.kernel} {
  %x = triton.load %p[%o] : !tile.ptr<f32>, !tile.tile<64xi32, UB> -> !tile.tile<64xf32, UB>
  %y = triton.load %p[%o] mask %m : !tile.tile<64xi1, UB> other %z : f32 : !tile.ptr<f32>, !tile.tile<64xi32, UB> -> !tile.tile<64xf32, UB>
  return
}

// CHECK-LABEL: func.func @stores
// CHECK: triton.store
// CHECK: triton.store {{.*}} mask
// CHECK: triton.atomic add
func.func @stores(%p: !tile.ptr<f32>, %o: !tile.tile<64xi32, UB>, %m: !tile.tile<64xi1, UB>, %v: !tile.tile<64xf32, UB>) attributes {tile.kernel} {
  triton.store %v, %p[%o] : !tile.tile<64xf32, UB>, !tile.ptr<f32>, !tile.tile<64xi32, UB>
  triton.store %v, %p[%o] mask %m : !tile.tile<64xi1, UB> : !tile.tile<64xf32, UB>, !tile.ptr<f32>, !tile.tile<64xi32, UB>
  triton.atomic add %v, %p[%o] : !tile.tile<64xf32, UB>, !tile.ptr<f32>, !tile.tile<64xi32, UB>
  return
}

// CHECK-LABEL: func.func @updates
// CHECK: triton.update add
// CHECK: triton.update cas {{.*}} expected
func.func @updates(%p: !tile.ptr<i32>, %o: !tile.tile<64xi32, UB>, %v: !tile.tile<64xi32, UB>, %e: !tile.tile<64xi32, UB>) attributes {tile.kernel} {
  %a = triton.update add %v, %p[%o] : !tile.tile<64xi32, UB>, !tile.ptr<i32>, !tile.tile<64xi32, UB> -> !tile.tile<64xi32, UB>
  %b = triton.update cas %v, %p[%o] expected %e : !tile.tile<64xi32, UB> : !tile.tile<64xi32, UB>, !tile.ptr<i32>, !tile.tile<64xi32, UB> -> !tile.tile<64xi32, UB>
  return
}
