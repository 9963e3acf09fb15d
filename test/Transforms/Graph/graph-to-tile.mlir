// RUN: tilesmith-opt %s --graph-to-tile | FileCheck %s

// Rows are rounded up to 32 bytes. A reduction chooses a neutral element behind the valid ones, and an assemble writes
// the valid part.
// CHECK-LABEL: func @tail
// CHECK:       tile.load {{.*}} -> <16x48xf32, UB>
// CHECK:       tile.lanes count
// CHECK:       tile.select
// CHECK:       tile.reduce max {{.*}} -> <16x1xf32, UB>
// CHECK:       tile.broadcast {{.*}} -> <16x48xf32, UB>
// CHECK:       tile.limit {{.*}} axis 0
// CHECK:       tile.limit {{.*}} axis 1
// CHECK:       tile.store
// CHECK-NOT:   graph
func.func @tail(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c41 = arith.constant 41 : i32
  %a = tile.tensor %p, [%n] : !tile.ptr<f32> -> !tile.tensor<?x64xf32>
  %b = tile.tensor %q, [%n] : !tile.ptr<f32> -> !tile.tensor<?x64xf32>
  %x = graph.view %a[%n, %c0] : !tile.tensor<?x64xf32> -> !graph.tensor<16x41xf32>
  %s = graph.reduce max %x 1 valid %c41 : !graph.tensor<16x41xf32> -> !graph.tensor<16x1xf32>
  %e = graph.expand %s : !graph.tensor<16x1xf32> -> !graph.tensor<16x41xf32>
  graph.assemble %e, %b[%n, %c0] valid [%n, %c41] : !graph.tensor<16x41xf32>, !tile.tensor<?x64xf32>
  return
}

// A product of loaded matrices is a loop over panels of the inner axis.
// CHECK-LABEL: func @product
// CHECK:       tile.zeros_acc : <64x128xf32, L0C>
// CHECK:       scf.for
// CHECK:         tile.load {{.*}} -> <64x64xf16, UB>
// CHECK:         tile.load {{.*}} -> <64x128xf16, UB>
// CHECK:         tile.matmul
// CHECK:       tile.store {{.*}} : <64x128xf32, L0C>
func.func @product(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %r: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %a = tile.tensor %p, [] : !tile.ptr<f16> -> !tile.tensor<64x256xf16>
  %b = tile.tensor %q, [] : !tile.ptr<f16> -> !tile.tensor<256x128xf16>
  %c = tile.tensor %r, [] : !tile.ptr<f32> -> !tile.tensor<64x128xf32>
  %x = graph.view %a[%c0, %c0] : !tile.tensor<64x256xf16> -> !graph.tensor<64x256xf16>
  %y = graph.view %b[%c0, %c0] : !tile.tensor<256x128xf16> -> !graph.tensor<256x128xf16>
  %z = graph.matmul %x, %y inner %c256 {tile_shape = array<i64: 64, 64, 128>} : !graph.tensor<64x256xf16>, !graph.tensor<256x128xf16> -> !graph.tensor<64x128xf32>
  graph.assemble %z, %c[%c0, %c0] valid [%c64, %c128] : !graph.tensor<64x128xf32>, !tile.tensor<64x128xf32>
  return
}
