// RUN: tilesmith-opt %s | tilesmith-opt | FileCheck %s
// The examples of the ops' descriptions, which python/tests/test_dialects.py looks for here, are valid IR.

// CHECK-LABEL: func.func @all
// CHECK: graph.matmul
func.func @all(%m: !tile.tensor<?x256xf32>, %x: !graph.tensor<64x256xf32>, %y: !graph.tensor<64x256xf32>, %h: !graph.tensor<64x256xf16>,
               %col: !graph.tensor<64x1xf32>, %b: !graph.tensor<256x128xf16>, %n: i32, %zero: i32, %f: f32) {
  %1 = graph.view %m[%n, %zero] : !tile.tensor<?x256xf32> -> !graph.tensor<64x256xf32>
  graph.assemble %y, %m[%n, %zero] valid [%n, %n] : !graph.tensor<64x256xf32>, !tile.tensor<?x256xf32>
  %2 = graph.unary exp %x : !graph.tensor<64x256xf32>
  %3 = graph.binary add %x, %y : !graph.tensor<64x256xf32>, !graph.tensor<64x256xf32> -> !graph.tensor<64x256xf32>
  %c = graph.compare lt %x, %f : !graph.tensor<64x256xf32>, f32 -> !graph.tensor<64x256xi1>
  %4 = graph.select %c, %x, %f : !graph.tensor<64x256xi1>, !graph.tensor<64x256xf32>, f32 -> !graph.tensor<64x256xf32>
  %5 = graph.cast %x : !graph.tensor<64x256xf32> -> !graph.tensor<64x256xf16>
  %6 = graph.full %f : f32 -> !graph.tensor<64x256xf32>
  %7 = graph.expand %col : !graph.tensor<64x1xf32> -> !graph.tensor<64x256xf32>
  %8 = graph.reshape %col : !graph.tensor<64x1xf32> -> !graph.tensor<64xf32>
  %9 = graph.transpose %x [1, 0] : !graph.tensor<64x256xf32> -> !graph.tensor<256x64xf32>
  %10 = graph.arange %zero, %n : i32, i32 -> !graph.tensor<64xi32>
  %11 = graph.concat 0 %x, %y : !graph.tensor<64x256xf32>, !graph.tensor<64x256xf32> -> !graph.tensor<128x256xf32>
  %12 = graph.cumsum %x 1 : !graph.tensor<64x256xf32>
  %13 = graph.arg max %x 1 valid %n : !graph.tensor<64x256xf32> -> !graph.tensor<64x1xi32>
  %14 = graph.sort %x valid %n : !graph.tensor<64x256xf32> -> !graph.tensor<64x8xf32>
  %15 = graph.reduce sum %x 1 valid %n : !graph.tensor<64x256xf32> -> !graph.tensor<64x1xf32>
  %16 = graph.softmax %h 1 valid %n : !graph.tensor<64x256xf16>
  %17 = graph.matmul %h, %b inner %n : !graph.tensor<64x256xf16>, !graph.tensor<256x128xf16> -> !graph.tensor<64x128xf32>
  %18 = graph.slice %x[%zero, %n] : !graph.tensor<64x256xf32> -> !graph.tensor<64x32xf32>
  %19 = graph.insert %18 into %x[%zero, %n] valid [%n, %n] : !graph.tensor<64x32xf32>, !graph.tensor<64x256xf32>
  %w = graph.workspace 65536 : !tile.ptr<f32>
  %20 = graph.iota 1 from %zero : !graph.tensor<64x256xi32>
  %i = graph.cast %14 : !graph.tensor<64x8xf32> -> !graph.tensor<64x8xi32>
  %21 = graph.gather %x[%i] 1 : !graph.tensor<64x256xf32>, !graph.tensor<64x8xi32> -> !graph.tensor<64x8xf32>
  %22 = graph.scatter %21 into %x[%i] 1 valid [%n, %n] : !graph.tensor<64x8xf32>, !graph.tensor<64x8xi32>, !graph.tensor<64x256xf32>
  %23 = graph.gather_rows %m[%10, %zero] : !tile.tensor<?x256xf32>, !graph.tensor<64xi32> -> !graph.tensor<64x256xf32>
  graph.scatter_rows %x, %m[%10] valid %n : !graph.tensor<64x256xf32>, !tile.tensor<?x256xf32>, !graph.tensor<64xi32>
  return
}
