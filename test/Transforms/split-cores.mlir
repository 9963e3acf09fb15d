// RUN: tilesmith-opt %s --split-cores --split-input-file --verify-diagnostics | FileCheck %s
// Two functions: what each kind of core does, with the scalars and the control flow it needs.

// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[CHANNEL:.*]]: !tile.ptr<f32> {isa.channel = 0 : i64, isa.noalias})
// CHECK-SAME: isa.core = "AIC"
// CHECK: scf.for
// CHECK-SAME: iter_args({{.*}}) -> (!tile.tile<16x16xf32, L0C>)
// CHECK: tile.matmul
// CHECK: tile.send {{.*}} to 0
// CHECK-NOT: tile.store
// CHECK-LABEL: func.func @both.vector(
// CHECK-SAME: isa.core = "AIV", isa.half_of = "both"
// CHECK-NOT: tile.matmul
// CHECK-NOT: arith.addi
// CHECK: %[[X:.*]] = tile.receive from 0
// CHECK: tile.store %[[X]]
func.func @both(%a: !tile.ptr<f16>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel, tile.mixed} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pad = arith.constant 0.0 : f16
  %t = tile.tensor %a, [] : !tile.ptr<f16> -> !tile.tensor<16x16xf16>
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %zero = tile.zeros_acc : !tile.tile<16x16xf32, L0C>
  %m = arith.addi %n, %c1 : i32
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%acc = %zero) -> (!tile.tile<16x16xf32, L0C>) : i32 {
    %x = tile.load %t[%i, %c0], %pad : !tile.tensor<16x16xf16>, f16 -> !tile.tile<16x16xf16, L1>
    %next = tile.matmul %x, %x, %acc : !tile.tile<16x16xf32, L0C> : !tile.tile<16x16xf16, L1>, !tile.tile<16x16xf16, L1> -> !tile.tile<16x16xf32, L0C>
    scf.yield %next : !tile.tile<16x16xf32, L0C>
  }
  tile.send %r to 0 : !tile.tile<16x16xf32, L0C>
  %y = tile.receive from 0 : !tile.tile<16x16xf32, UB>
  tile.store %y, %u[%c0, %c0] : !tile.tile<16x16xf32, UB>, !tile.tensor<16x16xf32>
  return
}

// -----

// A number of the vector cores that decides what the cube core does crosses, as a tile of one element: on the vector
// cores behind its computation, on the cube core in its place.
// CHECK-LABEL: func.func @number(
// CHECK-SAME: !tile.ptr<i32> {isa.channel = 0 : i64, isa.noalias})
// CHECK: %[[TILE:.*]] = tile.receive from 0 {{.*}} : <1xi32, UB>
// CHECK: %[[NUMBER:.*]] = tile.extract %[[TILE]]
// CHECK: arith.cmpi sgt, %[[NUMBER]]
// CHECK: scf.if
// CHECK: tile.matmul
// CHECK-LABEL: func.func @number.vector(
// CHECK: %[[ONE:.*]] = tile.splat
// CHECK: tile.send %[[ONE]] to 0
func.func @number(%a: !tile.ptr<f16>, %q: !tile.ptr<f32>, %one: i32) attributes {tile.kernel, tile.mixed} {
  %c0 = arith.constant 0 : i32
  %pad = arith.constant 0.0 : f16
  %t = tile.tensor %a, [] : !tile.ptr<f16> -> !tile.tensor<16x16xf16>
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %x = tile.load %t[%c0, %c0], %pad : !tile.tensor<16x16xf16>, f16 -> !tile.tile<16x16xf16, L1>
  %s = tile.splat %one : i32 -> !tile.tile<1xi32, UB>
  %e = tile.extract %s : !tile.tile<1xi32, UB> -> i32
  %is = arith.cmpi sgt, %e, %c0 : i32
  scf.if %is {
    %r = tile.matmul %x, %x : !tile.tile<16x16xf16, L1>, !tile.tile<16x16xf16, L1> -> !tile.tile<16x16xf32, L0C>
    tile.store %r, %u[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  }
  return
}

// -----

// So does an element of an array that the kernel writes, which only the vector cores may read.
// CHECK-LABEL: func.func @element(
// CHECK-NOT: tile.get
// CHECK: tile.receive from 0 {{.*}} : <1xi32, UB>
// CHECK-LABEL: func.func @element.vector(
// CHECK: tile.set
// CHECK: %[[READ:.*]] = tile.get %{{.*}}[%{{.*}}] : <16xi32> -> i32
// CHECK: %[[TILE:.*]] = tile.splat %[[READ]]
// CHECK: tile.send %[[TILE]] to 0
func.func @element(%a: !tile.ptr<f16>, %q: !tile.ptr<f32>, %p: !tile.ptr<i32>) attributes {tile.kernel, tile.mixed} {
  %c0 = arith.constant 0 : i32
  %pad = arith.constant 0.0 : f16
  %t = tile.tensor %a, [] : !tile.ptr<f16> -> !tile.tensor<16x16xf16>
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %w = tile.tensor %p, [] : !tile.ptr<i32> -> !tile.tensor<16xi32>
  tile.set %c0, %w[%c0] : i32, !tile.tensor<16xi32>
  %e = tile.get %w[%c0] : !tile.tensor<16xi32> -> i32
  %x = tile.load %t[%e, %c0], %pad : !tile.tensor<16x16xf16>, f16 -> !tile.tile<16x16xf16, L1>
  %r = tile.matmul %x, %x : !tile.tile<16x16xf16, L1>, !tile.tile<16x16xf16, L1> -> !tile.tile<16x16xf32, L0C>
  tile.store %r, %u[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  return
}

// -----

// A truth value of a tile has no way to the cube core.
func.func @unknown(%a: !tile.ptr<f16>, %q: !tile.ptr<f32>, %is: i1) attributes {tile.kernel, tile.mixed} {
  %c0 = arith.constant 0 : i32
  %pad = arith.constant 0.0 : f16
  %t = tile.tensor %a, [] : !tile.ptr<f16> -> !tile.tensor<16x16xf16>
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %x = tile.load %t[%c0, %c0], %pad : !tile.tensor<16x16xf16>, f16 -> !tile.tile<16x16xf16, L1>
  %s = tile.splat %is : i1 -> !tile.tile<1xi1, UB>
  // expected-note @+1 {{the number is computed from a tile here}}
  %e = tile.extract %s : !tile.tile<1xi1, UB> -> i1
  // expected-error @+2 {{the cube core of the block would need a number here that only the vector cores know}}
  // expected-note @+1 {{help: compare numbers and not tiles, or compute it in a kernel before this one and pass it as an argument}}
  scf.if %e {
    %r = tile.matmul %x, %x : !tile.tile<16x16xf16, L1>, !tile.tile<16x16xf16, L1> -> !tile.tile<16x16xf32, L0C>
    tile.store %r, %u[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  }
  return
}
