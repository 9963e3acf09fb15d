// RUN: tilesmith-opt %s --hand-over --split-input-file | FileCheck %s
// What crosses between the kinds of cores is sent and received.

!gm = !tile.ptr<f16>
!out = !tile.ptr<f32>

// A result that vectors read crosses right behind its definition; what products alone read is loaded to L1.
// CHECK-LABEL: func.func @result
// CHECK-SAME: tile.mixed
// CHECK: %[[A:.*]] = tile.load {{.*}} -> <16x16xf16, L1>
// CHECK: %[[R:.*]] = tile.matmul %[[A]], %[[A]]
// CHECK-NEXT: tile.send %[[R]] to 0 : <16x16xf32, L0C>
// CHECK-NEXT: %[[X:.*]] = tile.receive from 0 : <16x16xf32, UB>
// CHECK: tile.unary exp %[[X]]
func.func @result(%p: !gm, %q: !out) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %pad = arith.constant 0.0 : f16
  %t = tile.tensor %p, [] : !gm -> !tile.tensor<16x16xf16>
  %u = tile.tensor %q, [] : !out -> !tile.tensor<16x16xf32>
  %a = tile.load %t[%c0, %c0], %pad : !tile.tensor<16x16xf16>, f16 -> !tile.tile<16x16xf16, UB>
  %r = tile.matmul %a, %a : !tile.tile<16x16xf16, UB>, !tile.tile<16x16xf16, UB> -> !tile.tile<16x16xf32, L0C>
  %x = tile.copy %r[%c0, %c0] : !tile.tile<16x16xf32, L0C> -> !tile.tile<16x16xf32, UB>
  %e = tile.unary exp %x : !tile.tile<16x16xf32, UB>
  tile.store %e, %u[%c0, %c0] : !tile.tile<16x16xf32, UB>, !tile.tensor<16x16xf32>
  return
}

// -----

!gm = !tile.ptr<f16>
!out = !tile.ptr<f32>

// A tile that both read is loaded twice, what vectors make for a product crosses the other way, and the cube core
// stores its result itself.
// CHECK-LABEL: func.func @operand
// CHECK: %[[A:.*]] = tile.load {{.*}} -> <16x16xf16, UB>
// CHECK: %[[B:.*]] = tile.load {{.*}} -> <16x16xf16, L1>
// CHECK: %[[E:.*]] = tile.unary exp %[[A]]
// CHECK-NEXT: tile.send %[[E]] to 0
// CHECK-NEXT: %[[X:.*]] = tile.receive from 0 : <16x16xf16, L1>
// CHECK: %[[R:.*]] = tile.matmul %[[X]], %[[B]]
// CHECK-NOT: tile.send
// CHECK: tile.store %[[R]]
func.func @operand(%p: !gm, %q: !out) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %pad = arith.constant 0.0 : f16
  %t = tile.tensor %p, [] : !gm -> !tile.tensor<16x16xf16>
  %u = tile.tensor %q, [] : !out -> !tile.tensor<16x16xf32>
  %a = tile.load %t[%c0, %c0], %pad : !tile.tensor<16x16xf16>, f16 -> !tile.tile<16x16xf16, UB>
  %e = tile.unary exp %a : !tile.tile<16x16xf16, UB>
  %r = tile.matmul %e, %a : !tile.tile<16x16xf16, UB>, !tile.tile<16x16xf16, UB> -> !tile.tile<16x16xf32, L0C>
  tile.store %r, %u[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  return
}

// -----

!gm = !tile.ptr<f16>

// An array that one kind writes and the other one touches belongs to the vector cores: the result crosses to be stored,
// and the load for the product crosses back.
// CHECK-LABEL: func.func @owned
// CHECK: tile.send %{{.*}} to 0 : <16x16xf16, UB>
// CHECK: tile.matmul
// CHECK: tile.send %[[R:.*]] to 1 : <16x16xf16, L0C>
// CHECK: %[[X:.*]] = tile.receive from 1 : <16x16xf16, UB>
// CHECK: %[[Y:.*]] = tile.unary abs
// CHECK: tile.store %[[X]]
func.func @owned(%p: !gm) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %pad = arith.constant 0.0 : f16
  %t = tile.tensor %p, [] : !gm -> !tile.tensor<16x16xf16>
  %a = tile.load %t[%c0, %c0], %pad : !tile.tensor<16x16xf16>, f16 -> !tile.tile<16x16xf16, UB>
  %r = tile.matmul %a, %a : !tile.tile<16x16xf16, UB>, !tile.tile<16x16xf16, UB> -> !tile.tile<16x16xf32, L0C>
  %h = tile.cast %r : !tile.tile<16x16xf32, L0C> -> !tile.tile<16x16xf16, L0C>
  %b = tile.load %t[%c0, %c0], %pad : !tile.tensor<16x16xf16>, f16 -> !tile.tile<16x16xf16, UB>
  %e = tile.unary abs %b : !tile.tile<16x16xf16, UB>
  tile.store %h, %t[%c0, %c0] : !tile.tile<16x16xf16, L0C>, !tile.tensor<16x16xf16>
  tile.store %e, %t[%c0, %c0] : !tile.tile<16x16xf16, UB>, !tile.tensor<16x16xf16>
  return
}

// -----

// A kernel for one kind of core stays as it is.
// CHECK-LABEL: func.func @cube
// CHECK-NOT: tile.mixed
// CHECK: tile.load {{.*}} -> <16x16xf16, UB>
func.func @cube(%p: !tile.ptr<f16>, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %pad = arith.constant 0.0 : f16
  %t = tile.tensor %p, [] : !tile.ptr<f16> -> !tile.tensor<16x16xf16>
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %a = tile.load %t[%c0, %c0], %pad : !tile.tensor<16x16xf16>, f16 -> !tile.tile<16x16xf16, UB>
  %r = tile.matmul %a, %a : !tile.tile<16x16xf16, UB>, !tile.tile<16x16xf16, UB> -> !tile.tile<16x16xf32, L0C>
  tile.store %r, %u[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  return
}
