// RUN: tilesmith-opt %s --cut-grids | FileCheck %s

// A chain of element-wise operations is one loop: each element is read and written once, intermediate results have no
// memory. The piece is the smallest tile of the group; the last one is clipped by the extent.
// CHECK-LABEL: func @chain
// CHECK:       scf.for
// CHECK:         graph.view {{.*}} -> <16x256xf32>
// CHECK:         graph.unary exp {{.*}} : <16x256xf32>
// CHECK:         graph.binary add
// CHECK:         arith.minsi
// CHECK:         graph.assemble {{.*}} : <16x256xf32>, <?x256xf32>
// CHECK:       } {graph.independent}
// CHECK-NOT:   graph
func.func @chain(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %f = arith.constant 1.0 : f32
  %a = tile.tensor %p, [%n] : !tile.ptr<f32> -> !tile.tensor<?x256xf32>
  %b = tile.tensor %q, [%n] : !tile.ptr<f32> -> !tile.tensor<?x256xf32>
  %x = graph.view %a[%c0, %c0] : !tile.tensor<?x256xf32> -> !graph.tensor<?x256xf32>
  %e = graph.unary exp %x {tile_shape = array<i64: 32, 256>} : !graph.tensor<?x256xf32>
  %s = graph.binary add %e, %f {tile_shape = array<i64: 16, 256>} : !graph.tensor<?x256xf32>, f32 -> !graph.tensor<?x256xf32>
  graph.assemble %s, %b[%c0, %c0] valid [%n, %c256] : !graph.tensor<?x256xf32>, !tile.tensor<?x256xf32>
  return
}

// A reduced axis is needed at once, even where the tile would cut it: only rows are cut.
// CHECK-LABEL: func @rows
// CHECK:       scf.for
// CHECK:         graph.reduce sum {{.*}} : <16x256xf32> -> <16x1xf32>
func.func @rows(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %a = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<64x256xf32>
  %b = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<64x1xf32>
  %x = graph.view %a[%c0, %c0] : !tile.tensor<64x256xf32> -> !graph.tensor<64x256xf32>
  %s = graph.reduce sum %x 1 valid %c256 {tile_shape = array<i64: 16, 64>} : !graph.tensor<64x256xf32> -> !graph.tensor<64x1xf32>
  graph.assemble %s, %b[%c0, %c0] valid [%c64, %c1] : !graph.tensor<64x1xf32>, !tile.tensor<64x1xf32>
  return
}

// What a loop carries stays whole.
// CHECK-LABEL: func @carried
// CHECK:       graph.binary add {{.*}} -> <64x256xf32>
func.func @carried(%p: !tile.ptr<f32>, %x: !graph.tensor<64x256xf32>, %n: i32) -> !graph.tensor<64x256xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (!graph.tensor<64x256xf32>) : i32 {
    %t = graph.binary add %s, %s {tile_shape = array<i64: 16, 256>} : !graph.tensor<64x256xf32>, !graph.tensor<64x256xf32> -> !graph.tensor<64x256xf32>
    scf.yield %t : !graph.tensor<64x256xf32>
  }
  return %r : !graph.tensor<64x256xf32>
}
