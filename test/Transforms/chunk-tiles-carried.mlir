// RUN: tilesmith-opt %s --chunk-tiles=ub=8192 | FileCheck %s
// A sum of each row is needed afterwards, and a factor of each row comes from outside: the loop reads the factors of its
// rows, and puts the sums together. What is carried is changed where it lies. What needs sums alone is done for all rows
// behind the loop.

// CHECK-LABEL: func.func @carried
// CHECK: scf.for {{.*}} iter_args(%[[OLD:.*]] =
// CHECK:   %[[SPLAT:.*]] = tile.splat
// CHECK:   %[[PARTS:.*]]:2 = scf.for {{.*}} iter_args(%[[ALL:.*]] = %[[SPLAT]], %[[ACC:.*]] = %[[OLD]])
// CHECK-DAG: tile.copy %{{.*}}[{{.*}}] : <32x1xf32, UB> -> <8x1xf32, UB>
// CHECK-DAG: tile.copy %[[ACC]][{{.*}}] : <32x32xf32, UB> -> <8x32xf32, UB>
// CHECK:     %[[SUM:.*]] = tile.reduce sum {{.*}} -> <8x1xf32, UB>
// CHECK:     tile.insert %[[SUM]], %[[ALL]]
// CHECK:     tile.insert {{.*}}, %[[ACC]]
// CHECK:     scf.yield
// CHECK:   }
// CHECK-NEXT: isa.cross_core_set
// CHECK-NEXT: tile.unary exp %[[PARTS]]#0 : <32x1xf32, UB>
// CHECK:   scf.yield %[[PARTS]]#1
func.func @carried(%q: !tile.ptr<f32>, %w: !tile.ptr<f32> {isa.channel = 8192 : i64, isa.noalias}) attributes {tile.kernel, isa.core = "AIV", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant 0.0 : f32
  %mode = arith.constant 2 : i64
  %flag = arith.constant 0 : i64
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<32x32xf32>
  %v = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<32x1xf32>
  %t = tile.tensor %w, [] : !tile.ptr<f32> -> !tile.tensor<32x32xf32>
  %factors = tile.load %v[%c0, %c0], %zero : !tile.tensor<32x1xf32>, f32 -> !tile.tile<32x1xf32, UB>
  %begin = tile.splat %zero : f32 -> !tile.tile<32x32xf32, UB>
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %begin) -> (!tile.tile<32x32xf32, UB>) : i32 {
    isa.cross_core_wait %mode, %flag {on = #isa.pipe<MTE2>}
    %x = tile.load %t[%c0, %c0], %zero : !tile.tensor<32x32xf32>, f32 -> !tile.tile<32x32xf32, UB>
    isa.cross_core_set %mode, %flag {from = #isa.pipe<MTE2>}
    %wide = tile.broadcast %factors : !tile.tile<32x1xf32, UB> -> !tile.tile<32x32xf32, UB>
    %y = tile.binary mul %x, %wide : !tile.tile<32x32xf32, UB>, !tile.tile<32x32xf32, UB> -> !tile.tile<32x32xf32, UB>
    %row = tile.reduce sum %y [1] : !tile.tile<32x32xf32, UB> -> !tile.tile<32x1xf32, UB>
    %e = tile.unary exp %row : !tile.tile<32x1xf32, UB>
    %new = tile.binary add %old, %y : !tile.tile<32x32xf32, UB>, !tile.tile<32x32xf32, UB> -> !tile.tile<32x32xf32, UB>
    tile.store %e, %v[%c0, %c0] : !tile.tile<32x1xf32, UB>, !tile.tensor<32x1xf32>
    scf.yield %new : !tile.tile<32x32xf32, UB>
  }
  tile.store %sum, %u[%c0, %c0] : !tile.tile<32x32xf32, UB>, !tile.tensor<32x32xf32>
  return
}
