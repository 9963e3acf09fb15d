// RUN: tilesmith-opt %s --lower-accesses --canonicalize --cse --split-input-file | FileCheck %s
// A mask that is an interval ends the tensor; nothing behind it is read.
// CHECK-LABEL: func.func @interval
// CHECK: arith.minsi
// CHECK: %[[T:.*]] = tile.tensor %arg0 + %{{.*}}, [%{{.*}}] : <f32> -> <?xf32>
// CHECK: tile.load %[[T]][%{{.*}}], %{{.*}} : <?xf32>, f32 -> <64xf32, UB>
// CHECK-NOT: triton.
func.func @interval(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %start: i32, %n: i32) attributes {tile.kernel} {
  %a = tile.arange : !tile.tile<64xi32, UB>
  %o = tile.binary add %a, %start : !tile.tile<64xi32, UB>, i32 -> !tile.tile<64xi32, UB>
  %m = tile.compare lt %o, %n : !tile.tile<64xi32, UB>, i32 -> !tile.tile<64xi1, UB>
  %x = triton.load %p[%o] mask %m : !tile.tile<64xi1, UB> : !tile.ptr<f32>, !tile.tile<64xi32, UB> -> !tile.tile<64xf32, UB>
  triton.store %x, %q[%a] : !tile.tile<64xf32, UB>, !tile.ptr<f32>, !tile.tile<64xi32, UB>
  return
}

// -----

// The dimension of stride 1 stands last: a matrix read by columns is loaded and turned.
// CHECK-LABEL: func.func @turned
// CHECK: tile.tensor %arg0, [] strides[%{{.*}}, %{{.*}}] : <f32> -> <16x8xf32>
// CHECK: %[[L:.*]] = tile.load {{.*}} -> <16x8xf32, UB>
// CHECK: tile.transpose %[[L]] [1, 0]
func.func @turned(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %pitch: i32) attributes {tile.kernel} {
  %r = tile.arange : !tile.tile<8x1xi32, UB>
  %c = tile.arange : !tile.tile<1x16xi32, UB>
  %cs = tile.binary mul %c, %pitch : !tile.tile<1x16xi32, UB>, i32 -> !tile.tile<1x16xi32, UB>
  %rb = tile.broadcast %r : !tile.tile<8x1xi32, UB> -> !tile.tile<8x16xi32, UB>
  %cb = tile.broadcast %cs : !tile.tile<1x16xi32, UB> -> !tile.tile<8x16xi32, UB>
  %o = tile.binary add %rb, %cb : !tile.tile<8x16xi32, UB>, !tile.tile<8x16xi32, UB> -> !tile.tile<8x16xi32, UB>
  %x = triton.load %p[%o] : !tile.ptr<f32>, !tile.tile<8x16xi32, UB> -> !tile.tile<8x16xf32, UB>
  %l = tile.arange : !tile.tile<8x16xi32, UB>
  triton.store %x, %q[%l] : !tile.tile<8x16xf32, UB>, !tile.ptr<f32>, !tile.tile<8x16xi32, UB>
  return
}

// -----

// Rows by numbers that only the kernel knows: each row is one move.
// CHECK-LABEL: func.func @rows
// CHECK: tile.gather_rows {{.*}} : <2147483647x16xf32>, <8xi32, UB>, f32 -> <8x16xf32, UB>
func.func @rows(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: !tile.tile<8xi32, UB>) attributes {tile.kernel} {
  %i = tile.reshape %n : !tile.tile<8xi32, UB> -> !tile.tile<8x1xi32, UB>
  %c = tile.arange : !tile.tile<1x16xi32, UB>
  %ib = tile.broadcast %i : !tile.tile<8x1xi32, UB> -> !tile.tile<8x16xi32, UB>
  %cb = tile.broadcast %c : !tile.tile<1x16xi32, UB> -> !tile.tile<8x16xi32, UB>
  %o = tile.binary add %ib, %cb : !tile.tile<8x16xi32, UB>, !tile.tile<8x16xi32, UB> -> !tile.tile<8x16xi32, UB>
  %x = triton.load %p[%o] : !tile.ptr<f32>, !tile.tile<8x16xi32, UB> -> !tile.tile<8x16xf32, UB>
  %l = tile.arange : !tile.tile<8x16xi32, UB>
  triton.store %x, %q[%l] : !tile.tile<8x16xf32, UB>, !tile.ptr<f32>, !tile.tile<8x16xi32, UB>
  return
}

// -----

// Under a mask of data, what is not chosen has a number that no row has: it is not written.
// CHECK-LABEL: func.func @data_mask
// CHECK: %[[NONE:.*]] = arith.constant -1 : i32
// CHECK: %[[N:.*]] = tile.select %arg1, %{{.*}}, %[[NONE]]
// CHECK: tile.scatter_rows %{{.*}}, %{{.*}}[%[[N]], %{{.*}}]
func.func @data_mask(%q: !tile.ptr<f32>, %m: !tile.tile<64xi1, UB>, %x: !tile.tile<64xf32, UB>) attributes {tile.kernel} {
  %o = tile.arange : !tile.tile<64xi32, UB>
  triton.store %x, %q[%o] mask %m : !tile.tile<64xi1, UB> : !tile.tile<64xf32, UB>, !tile.ptr<f32>, !tile.tile<64xi32, UB>
  return
}

// -----

// A dimension of stride 0 is loaded once.
// CHECK-LABEL: func.func @repeated
// CHECK: tile.load {{.*}} -> <16xf32, UB>
// CHECK: tile.broadcast {{.*}} -> <8x16xf32, UB>
func.func @repeated(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %c = tile.arange : !tile.tile<1x16xi32, UB>
  %o = tile.broadcast %c : !tile.tile<1x16xi32, UB> -> !tile.tile<8x16xi32, UB>
  %x = triton.load %p[%o] : !tile.ptr<f32>, !tile.tile<8x16xi32, UB> -> !tile.tile<8x16xf32, UB>
  %l = tile.arange : !tile.tile<8x16xi32, UB>
  triton.store %x, %q[%l] : !tile.tile<8x16xf32, UB>, !tile.ptr<f32>, !tile.tile<8x16xi32, UB>
  return
}
