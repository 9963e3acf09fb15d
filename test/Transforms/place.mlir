// RUN: tilesmith-opt %s --place=arch=C220 --split-input-file --verify-diagnostics | FileCheck %s

// A load straight to L0 goes through L1, and so does a tile the user left in UB.
// CHECK-LABEL: func @product
// CHECK:       %[[A:.*]] = tile.load {{.*}} -> {{(!tile.tile)?}}<16x32xf16, L1>
// CHECK:       %[[LEFT:.*]] = tile.copy %[[A]]{{.*}} -> {{(!tile.tile)?}}<16x32xf16, L0A>
// CHECK:       %[[B:.*]] = tile.load {{.*}} -> {{(!tile.tile)?}}<32x16xf16, L1>
// CHECK:       %[[RIGHT:.*]] = tile.copy %[[B]]{{.*}} -> {{(!tile.tile)?}}<32x16xf16, L0B>
// CHECK:       tile.matmul %[[LEFT]], %[[RIGHT]]
func.func @product(%x: !tile.ptr<f16>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<16x32xf16>
  %tb = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<32x16xf16>
  %tc = tile.tensor %y, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %a = tile.load %ta[%c0, %c0], %z : !tile.tensor<16x32xf16>, f16 -> !tile.tile<16x32xf16, L0A>
  %b = tile.load %tb[%c0, %c0], %z : !tile.tensor<32x16xf16>, f16 -> !tile.tile<32x16xf16, UB>
  %c = tile.matmul %a, %b : !tile.tile<16x32xf16, L0A>, !tile.tile<32x16xf16, UB> -> !tile.tile<16x16xf32, L0C>
  tile.store %c, %tc[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  return
}

// -----

// Equal accumulators are kept apart.
// CHECK-LABEL: func @two_accumulators
// CHECK-COUNT-2: tile.zeros_acc
func.func @two_accumulators(%a: !tile.tile<16x16xf16, L0A>, %b: !tile.tile<16x16xf16, L0B>, %x: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %t = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %z = tile.zeros_acc : !tile.tile<16x16xf32, L0C>
  %p = tile.matmul %a, %b, %z : !tile.tile<16x16xf32, L0C> : !tile.tile<16x16xf16, L0A>, !tile.tile<16x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
  %q = tile.matmul %a, %b, %z : !tile.tile<16x16xf32, L0C> : !tile.tile<16x16xf16, L0A>, !tile.tile<16x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
  tile.store %p, %t[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  tile.store %q, %t[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  return
}

// -----

func.func @both(%x: !tile.ptr<f32>, %a: !tile.tile<16x16xf16, L0A>, %b: !tile.tile<16x16xf16, L0B>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  // expected-error @below {{the kernel needs a vector core for this 'load' and a matrix core; split it into two kernels}}
  %v = tile.load %t[%c0, %c0], %z : !tile.tensor<16x16xf32>, f32 -> !tile.tile<16x16xf32, UB>
  // expected-note @below {{the matrix product is here}}
  %p = tile.matmul %a, %b : !tile.tile<16x16xf16, L0A>, !tile.tile<16x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
  tile.store %p, %t[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  return
}

// -----

func.func @exp_of_result(%x: !tile.ptr<f32>, %a: !tile.tile<16x16xf16, L0A>, %b: !tile.tile<16x16xf16, L0B>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %t = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %p = tile.matmul %a, %b : !tile.tile<16x16xf16, L0A>, !tile.tile<16x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
  // expected-error @below {{the result of a matrix product can be stored, copied to L1, or pass relu and a cast; 'unary' needs a vector core}}
  %e = tile.unary exp %p : !tile.tile<16x16xf32, L0C>
  tile.store %e, %t[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  return
}

// -----

// Inner elements before the tensor are zeros: both operands and the product leave them out.
// CHECK-LABEL: func @inner_before
// CHECK:       %[[INNER:.*]] = arith.maxsi
// CHECK:       tile.matmul {{.*}} inner %{{.*}} :
func.func @inner_before(%x: !tile.ptr<f16>, %y: !tile.ptr<f32>, %k: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f16
  %t = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<16x16xf16>
  %o = tile.tensor %y, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %a = tile.load %t[%c0, %k], %z : !tile.tensor<16x16xf16>, f16 -> !tile.tile<16x16xf16, L0A>
  %b = tile.load %t[%c0, %c0], %z : !tile.tensor<16x16xf16>, f16 -> !tile.tile<16x16xf16, L0B>
  %p = tile.matmul %a, %b : !tile.tile<16x16xf16, L0A>, !tile.tile<16x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
  tile.store %p, %o[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  return
}

// -----

// A branch that adds nothing hands on the same accumulator; an equal one that is read later is another.
// CHECK-LABEL: func @branches
// CHECK:       %[[ACC:.*]] = tile.zeros_acc
// CHECK:       scf.if
// CHECK:         tile.matmul {{.*}}, %[[ACC]]
// CHECK:       else
// CHECK-NEXT:    scf.yield %[[ACC]]
// CHECK:       %[[OTHER:.*]] = tile.zeros_acc
// CHECK:       tile.store %[[OTHER]]
func.func @branches(%x: !tile.ptr<f32>, %a: !tile.tile<16x16xf16, L0A>, %b: !tile.tile<16x16xf16, L0B>, %c: i1) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %t = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<32x16xf32>
  %acc = tile.zeros_acc : !tile.tile<16x16xf32, L0C>
  %r = scf.if %c -> (!tile.tile<16x16xf32, L0C>) {
    %p = tile.matmul %a, %b, %acc : !tile.tile<16x16xf32, L0C> : !tile.tile<16x16xf16, L0A>, !tile.tile<16x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
    scf.yield %p : !tile.tile<16x16xf32, L0C>
  } else {
    scf.yield %acc : !tile.tile<16x16xf32, L0C>
  }
  tile.store %r, %t[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<32x16xf32>
  tile.store %acc, %t[%c16, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<32x16xf32>
  return
}

// -----

func.func @old_accumulator(%a: !tile.tile<16x16xf16, L0A>, %b: !tile.tile<16x16xf16, L0B>, %x: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %t = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %acc = tile.matmul %a, %b : !tile.tile<16x16xf16, L0A>, !tile.tile<16x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
  // expected-error @below {{the accumulator is used again after this product; its old value is gone by then}}
  %p = tile.matmul %a, %b, %acc : !tile.tile<16x16xf32, L0C> : !tile.tile<16x16xf16, L0A>, !tile.tile<16x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
  tile.store %p, %t[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  tile.store %acc, %t[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  return
}

// -----

// A transposed operand is loaded as it lies, and turned on its way to L0.
// CHECK-LABEL: func @turned
// CHECK:       %[[B:.*]] = tile.load {{.*}} -> {{(!tile.tile)?}}<16x32xf16, L1>
// CHECK:       %[[RIGHT:.*]] = tile.copy %[[B]][%{{.*}}] transposed : {{.*}} -> {{(!tile.tile)?}}<32x16xf16, L0B>
// CHECK-NOT:   tile.transpose
// CHECK:       tile.matmul %{{.*}}, %[[RIGHT]]
func.func @turned(%a: !tile.tile<16x32xf16, L0A>, %x: !tile.ptr<f16>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f16
  %tb = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<16x32xf16>
  %tc = tile.tensor %y, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %b = tile.load %tb[%c0, %c0], %z : !tile.tensor<16x32xf16>, f16 -> !tile.tile<16x32xf16, UB>
  %t = tile.transpose %b [1, 0] : !tile.tile<16x32xf16, UB> -> !tile.tile<32x16xf16, UB>
  %c = tile.matmul %a, %t : !tile.tile<16x32xf16, L0A>, !tile.tile<32x16xf16, UB> -> !tile.tile<16x16xf32, L0C>
  tile.store %c, %tc[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  return
}
