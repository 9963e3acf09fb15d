// RUN: tilesmith-opt %s | tilesmith-opt | FileCheck %s

// Every operation is written and read as it is.
// CHECK-LABEL: func @all
func.func @all(%p: !tile.ptr<f32>, %h: !tile.ptr<f16>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %f = arith.constant 1.0 : f32
  %m = tile.tensor %p, [%n] : !tile.ptr<f32> -> !tile.tensor<?x256xf32>
  %w = tile.tensor %h, [] : !tile.ptr<f16> -> !tile.tensor<256x128xf16>
  // CHECK: graph.view %{{.*}}[%{{.*}}, %{{.*}}] : <?x256xf32> -> <64x256xf32>
  %x = graph.view %m[%n, %c0] : !tile.tensor<?x256xf32> -> !graph.tensor<64x256xf32>
  // CHECK: graph.unary exp %{{.*}} {tile_shape = array<i64: 16, 256>} : <64x256xf32>
  %e = graph.unary exp %x {tile_shape = array<i64: 16, 256>} : !graph.tensor<64x256xf32>
  // CHECK: graph.binary add
  %s = graph.binary add %e, %f : !graph.tensor<64x256xf32>, f32 -> !graph.tensor<64x256xf32>
  // CHECK: graph.compare lt
  %c = graph.compare lt %s, %f : !graph.tensor<64x256xf32>, f32 -> !graph.tensor<64x256xi1>
  // CHECK: graph.select
  %t = graph.select %c, %s, %f : !graph.tensor<64x256xi1>, !graph.tensor<64x256xf32>, f32 -> !graph.tensor<64x256xf32>
  // CHECK: graph.reduce sum %{{.*}} 1 valid %{{.*}} : <64x256xf32> -> <64x1xf32>
  %r = graph.reduce sum %t 1 valid %c64 : !graph.tensor<64x256xf32> -> !graph.tensor<64x1xf32>
  // CHECK: graph.expand %{{.*}} : <64x1xf32> -> <64x256xf32>
  %b = graph.expand %r : !graph.tensor<64x1xf32> -> !graph.tensor<64x256xf32>
  // CHECK: graph.softmax %{{.*}} 1 valid %{{.*}} : <64x256xf32>
  %q = graph.softmax %b 1 valid %c64 : !graph.tensor<64x256xf32>
  // CHECK: graph.cast
  %k = graph.cast %q : !graph.tensor<64x256xf32> -> !graph.tensor<64x256xf16>
  %v = graph.view %w[%c0, %c0] : !tile.tensor<256x128xf16> -> !graph.tensor<256x128xf16>
  // CHECK: graph.matmul %{{.*}}, %{{.*}} inner %{{.*}} : <64x256xf16>, <256x128xf16> -> <64x128xf32>
  %o = graph.matmul %k, %v inner %c64 : !graph.tensor<64x256xf16>, !graph.tensor<256x128xf16> -> !graph.tensor<64x128xf32>
  // CHECK: graph.transpose %{{.*}} [1, 0] : <64x128xf32> -> <128x64xf32>
  %u = graph.transpose %o [1, 0] : !graph.tensor<64x128xf32> -> !graph.tensor<128x64xf32>
  // CHECK: graph.reshape %{{.*}} : <128x64xf32> -> <32x256xf32>
  %z = graph.reshape %u : !graph.tensor<128x64xf32> -> !graph.tensor<32x256xf32>
  // CHECK: graph.full
  %y = graph.full %f : f32 -> !graph.tensor<32x256xf32>
  %a = graph.binary mul %z, %y : !graph.tensor<32x256xf32>, !graph.tensor<32x256xf32> -> !graph.tensor<32x256xf32>
  // CHECK: graph.arange %{{.*}}, %{{.*}} : i32, i32 -> <64xi32>
  %i = graph.arange %c0, %c64 : i32, i32 -> !graph.tensor<64xi32>
  // CHECK: graph.concat 0 %{{.*}}, %{{.*}} : !graph.tensor<32x256xf32>, !graph.tensor<32x256xf32> -> <64x256xf32>
  %j = graph.concat 0 %z, %y : !graph.tensor<32x256xf32>, !graph.tensor<32x256xf32> -> !graph.tensor<64x256xf32>
  // CHECK: graph.cumsum %{{.*}} 1 : <64x256xf32>
  %l = graph.cumsum %j 1 : !graph.tensor<64x256xf32>
  // CHECK: graph.arg max %{{.*}} 1 valid %{{.*}} : <64x256xf32> -> <64x1xi32>
  %g = graph.arg max %l 1 valid %c64 : !graph.tensor<64x256xf32> -> !graph.tensor<64x1xi32>
  // CHECK: graph.sort %{{.*}} valid %{{.*}} : <64x256xf32> -> <64x8xf32>
  %d = graph.sort %l valid %c64 : !graph.tensor<64x256xf32> -> !graph.tensor<64x8xf32>
  // CHECK: graph.slice %{{.*}}[%{{.*}}, %{{.*}}] : <64x256xf32> -> <64x32xf32>
  %aa = graph.slice %l[%c0, %n] : !graph.tensor<64x256xf32> -> !graph.tensor<64x32xf32>
  // CHECK: graph.insert %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] valid[%{{.*}}, %{{.*}}] : <64x32xf32>, <64x256xf32>
  %ab = graph.insert %aa into %l[%c0, %n] valid [%n, %n] : !graph.tensor<64x32xf32>, !graph.tensor<64x256xf32>
  // CHECK: graph.assemble %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] valid[%{{.*}}, %{{.*}}] : <32x256xf32>, <?x256xf32>
  graph.assemble %a, %m[%c0, %c0] valid [%n, %c64] : !graph.tensor<32x256xf32>, !tile.tensor<?x256xf32>
  return
}
