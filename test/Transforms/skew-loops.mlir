// RUN: tilesmith-opt %s --skew-loops --split-input-file | FileCheck %s
// RUN: tilesmith-opt %s --skew-loops=ahead --split-input-file | FileCheck %s --check-prefix=AHEAD
// The second stage of an iteration is done behind the first stage of the next.

// The product that needs what vectors made is the second stage. The first stage comes once before the loop, the second
// once behind it, and a loop without iterations does neither.
// CHECK-LABEL: func.func @attention
// CHECK: %[[ANY:.*]] = arith.cmpi slt
// CHECK: scf.if %[[ANY]] -> (!tile.tile<16x16xf32, UB>)
// CHECK: tile.send {{.*}} to 0
// CHECK: tile.send {{.*}} to 1
// CHECK-NOT: tile.receive from 1
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}})
// CHECK: tile.receive from 0
// CHECK: tile.send {{.*}} to 1
// CHECK: arith.subi %[[I]]
// CHECK: %[[P:.*]] = tile.receive from 1
// CHECK: tile.matmul %[[P]]
// CHECK: %[[O:.*]] = tile.receive from 2
// CHECK: tile.binary add %[[SUM]], %[[O]]
// CHECK: }
// CHECK: tile.receive from 1
// CHECK: tile.receive from 2
// CHECK: } else {
// With the first product ahead, two of them come before the loop, and what they are for is received one behind. Tiles
// wait in both channels that lead from one iteration to another.
// AHEAD-LABEL: func.func @attention
// AHEAD: tile.send {{.*}} to 0 {tile.waits}
// AHEAD-NOT: tile.receive
// AHEAD: tile.send {{.*}} to 0 {tile.waits}
// AHEAD: tile.receive from 0 {tile.waits}
// AHEAD: tile.send {{.*}} to 1 {tile.waits}
// AHEAD: scf.for
// AHEAD-NEXT: tile.load
// AHEAD: tile.send {{.*}} to 0 {tile.waits}
// AHEAD: tile.receive from 0 {tile.waits}
// AHEAD: tile.send {{.*}} to 1 {tile.waits}
// AHEAD: tile.receive from 1 {tile.waits}
// AHEAD: tile.send {{.*}} to 2 :
// AHEAD: tile.receive from 2 :
// AHEAD: scf.yield
func.func @attention(%p: !tile.ptr<f16>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel, tile.mixed} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %pad = arith.constant 0.0 : f16
  %t = tile.tensor %p, [%n] : !tile.ptr<f16> -> !tile.tensor<?x16xf16>
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %start = tile.splat %zero : f32 -> !tile.tile<16x16xf32, UB>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %start) -> (!tile.tile<16x16xf32, UB>) : i32 {
    %k = tile.load %t[%i, %c0], %pad : !tile.tensor<?x16xf16>, f16 -> !tile.tile<16x16xf16, L1>
    %s = tile.matmul %k, %k : !tile.tile<16x16xf16, L1>, !tile.tile<16x16xf16, L1> -> !tile.tile<16x16xf32, L0C>
    tile.send %s to 0 : !tile.tile<16x16xf32, L0C>
    %x = tile.receive from 0 : !tile.tile<16x16xf32, UB>
    %e = tile.unary exp %x : !tile.tile<16x16xf32, UB>
    %h = tile.cast %e : !tile.tile<16x16xf32, UB> -> !tile.tile<16x16xf16, UB>
    tile.send %h to 1 : !tile.tile<16x16xf16, UB>
    %y = tile.receive from 1 : !tile.tile<16x16xf16, L1>
    %o = tile.matmul %y, %k : !tile.tile<16x16xf16, L1>, !tile.tile<16x16xf16, L1> -> !tile.tile<16x16xf32, L0C>
    tile.send %o to 2 : !tile.tile<16x16xf32, L0C>
    %z = tile.receive from 2 : !tile.tile<16x16xf32, UB>
    %next = tile.binary add %sum, %z : !tile.tile<16x16xf32, UB>, !tile.tile<16x16xf32, UB> -> !tile.tile<16x16xf32, UB>
    scf.yield %next : !tile.tile<16x16xf32, UB>
  }
  tile.store %r, %u[%c0, %c0] : !tile.tile<16x16xf32, UB>, !tile.tensor<16x16xf32>
  return
}

// -----

// Where an iteration begins with what the one before it ends with, there is nothing to begin early.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: scf.if
func.func @chain(%b: !tile.ptr<f16>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel, tile.mixed} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f16
  %t = tile.tensor %b, [] : !tile.ptr<f16> -> !tile.tensor<16x16xf16>
  %k = tile.load %t[%c0, %c0], %zero : !tile.tensor<16x16xf16>, f16 -> !tile.tile<16x16xf16, L1>
  %start = tile.splat %zero : f16 -> !tile.tile<16x16xf16, UB>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> (!tile.tile<16x16xf16, UB>) : i32 {
    tile.send %x to 0 : !tile.tile<16x16xf16, UB>
    %y = tile.receive from 0 : !tile.tile<16x16xf16, L1>
    %o = tile.matmul %y, %k : !tile.tile<16x16xf16, L1>, !tile.tile<16x16xf16, L1> -> !tile.tile<16x16xf32, L0C>
    %h = tile.cast %o : !tile.tile<16x16xf32, L0C> -> !tile.tile<16x16xf16, L0C>
    tile.send %h to 1 : !tile.tile<16x16xf16, L0C>
    %z = tile.receive from 1 : !tile.tile<16x16xf16, UB>
    scf.yield %z : !tile.tile<16x16xf16, UB>
  }
  return
}

// -----

// With more channels than there are flags for, tiles come in the order they were sent in: none may wait.
// CHECK-LABEL: func.func @many_channels
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK: tile.send {{.*}} to 0
// CHECK-NEXT: tile.receive from 0
// CHECK-NOT: scf.if
func.func @many_channels(%p: !tile.ptr<f16>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel, tile.mixed} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %pad = arith.constant 0.0 : f16
  %t = tile.tensor %p, [%n] : !tile.ptr<f16> -> !tile.tensor<?x16xf16>
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %start = tile.splat %zero : f32 -> !tile.tile<16x16xf32, UB>
  tile.send %start to 3 : !tile.tile<16x16xf32, UB>
  %w3 = tile.receive from 3 : !tile.tile<16x16xf32, L1>
  tile.send %start to 4 : !tile.tile<16x16xf32, UB>
  %w4 = tile.receive from 4 : !tile.tile<16x16xf32, L1>
  tile.send %start to 5 : !tile.tile<16x16xf32, UB>
  %w5 = tile.receive from 5 : !tile.tile<16x16xf32, L1>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %start) -> (!tile.tile<16x16xf32, UB>) : i32 {
    %k = tile.load %t[%i, %c0], %pad : !tile.tensor<?x16xf16>, f16 -> !tile.tile<16x16xf16, L1>
    %s = tile.matmul %k, %k : !tile.tile<16x16xf16, L1>, !tile.tile<16x16xf16, L1> -> !tile.tile<16x16xf32, L0C>
    tile.send %s to 0 : !tile.tile<16x16xf32, L0C>
    %x = tile.receive from 0 : !tile.tile<16x16xf32, UB>
    %e = tile.unary exp %x : !tile.tile<16x16xf32, UB>
    %h = tile.cast %e : !tile.tile<16x16xf32, UB> -> !tile.tile<16x16xf16, UB>
    tile.send %h to 1 : !tile.tile<16x16xf16, UB>
    %y = tile.receive from 1 : !tile.tile<16x16xf16, L1>
    %o = tile.matmul %y, %k : !tile.tile<16x16xf16, L1>, !tile.tile<16x16xf16, L1> -> !tile.tile<16x16xf32, L0C>
    tile.send %o to 2 : !tile.tile<16x16xf32, L0C>
    %z = tile.receive from 2 : !tile.tile<16x16xf32, UB>
    %next = tile.binary add %sum, %z : !tile.tile<16x16xf32, UB>, !tile.tile<16x16xf32, UB> -> !tile.tile<16x16xf32, UB>
    scf.yield %next : !tile.tile<16x16xf32, UB>
  }
  tile.store %r, %u[%c0, %c0] : !tile.tile<16x16xf32, UB>, !tile.tensor<16x16xf32>
  return
}
