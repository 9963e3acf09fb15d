// RUN: tilesmith-opt %s --chunk-reductions | FileCheck %s

// The chain is computed again for each chunk; the loop carries the sum so far. The first chain is gone.
// CHECK-LABEL: func @sum
// CHECK:       %[[ZERO:.*]] = graph.full
// CHECK:       %[[SUM:.*]] = scf.for %[[I:.*]] = %{{.*}} to %arg1 step %{{.*}} iter_args(%[[SO_FAR:.*]] = %[[ZERO]])
// CHECK:         graph.view %{{.*}}[%[[I]], %{{.*}}] : {{.*}} -> <128x64xf32>
// CHECK:         %[[E:.*]] = graph.unary exp
// CHECK:         arith.minsi
// CHECK:         %[[PART:.*]] = graph.reduce sum %[[E]] 0
// CHECK:         %[[NEXT:.*]] = graph.binary add %[[SO_FAR]], %[[PART]]
// CHECK:         scf.yield %[[NEXT]]
// CHECK-NOT:   ?x64xf32> -> !graph
// CHECK:       return %[[SUM]]
func.func @sum(%p: !tile.ptr<f32>, %n: i32) -> !graph.tensor<1x64xf32> {
  %c0 = arith.constant 0 : i32
  %m = tile.tensor %p, [%n] : !tile.ptr<f32> -> !tile.tensor<?x64xf32>
  %x = graph.view %m[%c0, %c0] : !tile.tensor<?x64xf32> -> !graph.tensor<?x64xf32>
  %e = graph.unary exp %x : !graph.tensor<?x64xf32>
  %s = graph.reduce sum %e 0 valid %n : !graph.tensor<?x64xf32> -> !graph.tensor<1x64xf32>
  return %s : !graph.tensor<1x64xf32>
}

// What is written between the view and the reduction would be read again: such a reduction stays.
// CHECK-LABEL: func @written
// CHECK-NOT:   scf.for
// CHECK:       graph.reduce
func.func @written(%p: !tile.ptr<f32>, %n: i32, %y: !graph.tensor<1x64xf32>) -> !graph.tensor<1x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %m = tile.tensor %p, [%n] : !tile.ptr<f32> -> !tile.tensor<?x64xf32>
  %x = graph.view %m[%c0, %c0] : !tile.tensor<?x64xf32> -> !graph.tensor<?x64xf32>
  graph.assemble %y, %m[%c0, %c0] valid [%c1, %c64] : !graph.tensor<1x64xf32>, !tile.tensor<?x64xf32>
  %s = graph.reduce sum %x 0 valid %n : !graph.tensor<?x64xf32> -> !graph.tensor<1x64xf32>
  return %s : !graph.tensor<1x64xf32>
}
