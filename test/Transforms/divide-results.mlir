// RUN: tilesmith-opt %s --divide-results --split-input-file | FileCheck %s
// RUN: tilesmith-opt %s --divide-results=l0c=262144 --split-input-file | FileCheck %s --check-prefix=LARGE

// L0C does not hold the result. It is made by columns of 128, each stored before the next is begun.
// CHECK-LABEL: func @stored
// CHECK:       tile.matmul {{.*}}<256x128xf32, L0C>
// CHECK:       tile.cast {{.*}}<256x128xf16, L0C>
// CHECK:       tile.store {{.*}}<256x128xf16, L0C>
// CHECK:       tile.matmul {{.*}}<256x128xf32, L0C>
// CHECK:       tile.store {{.*}}<256x128xf16, L0C>
// CHECK-NOT:   tile.matmul
// LARGE-LABEL: func @stored
// LARGE:       tile.matmul {{.*}}<256x256xf32, L0C>
func.func @stored(%x: !tile.ptr<f16>, %z: !tile.ptr<f16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<256x256xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f16> -> !tile.tensor<256x256xf16>
  %a = tile.load %ta[%c0, %c0], %zero : !tile.tensor<256x256xf16>, f16 -> !tile.tile<256x64xf16, L1>
  %b = tile.load %ta[%c0, %c0], %zero : !tile.tensor<256x256xf16>, f16 -> !tile.tile<64x256xf16, L1>
  %l = tile.copy %a[%c0, %c0] : !tile.tile<256x64xf16, L1> -> !tile.tile<256x64xf16, L0A>
  %r = tile.copy %b[%c0, %c0] : !tile.tile<64x256xf16, L1> -> !tile.tile<64x256xf16, L0B>
  %c = tile.matmul %l, %r : !tile.tile<256x64xf16, L0A>, !tile.tile<64x256xf16, L0B> -> !tile.tile<256x256xf32, L0C>
  %h = tile.cast %c : !tile.tile<256x256xf32, L0C> -> !tile.tile<256x256xf16, L0C>
  tile.store %h, %tc[%c0, %c0] : !tile.tile<256x256xf16, L0C>, !tile.tensor<256x256xf16>
  return
}

// -----

// Something else reads the result: it stays whole.
// CHECK-LABEL: func @read
// CHECK:       tile.matmul {{.*}}<256x256xf32, L0C>
func.func @read(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<256x256xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<256x256xf32>
  %a = tile.load %ta[%c0, %c0], %zero : !tile.tensor<256x256xf16>, f16 -> !tile.tile<256x64xf16, L1>
  %b = tile.load %ta[%c0, %c0], %zero : !tile.tensor<256x256xf16>, f16 -> !tile.tile<64x256xf16, L1>
  %l = tile.copy %a[%c0, %c0] : !tile.tile<256x64xf16, L1> -> !tile.tile<256x64xf16, L0A>
  %r = tile.copy %b[%c0, %c0] : !tile.tile<64x256xf16, L1> -> !tile.tile<64x256xf16, L0B>
  %c = tile.matmul %l, %r : !tile.tile<256x64xf16, L0A>, !tile.tile<64x256xf16, L0B> -> !tile.tile<256x256xf32, L0C>
  tile.store %c, %tc[%c0, %c0] : !tile.tile<256x256xf32, L0C>, !tile.tensor<256x256xf32>
  tile.store %c, %tc[%c0, %c0] : !tile.tile<256x256xf32, L0C>, !tile.tensor<256x256xf32>
  return
}
