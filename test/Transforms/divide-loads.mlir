// RUN: tilesmith-opt %s --divide-loads=arch=C220 --split-input-file | FileCheck %s
// RUN: tilesmith-opt %s --divide-loads=arch=C310 --split-input-file | FileCheck %s --check-prefix=C310

// L1 does not hold both tiles twice: B comes in two pieces, A as a whole. The product by the first piece comes first.
// CHECK-LABEL: func @loop
// CHECK:       %[[A:.*]] = tile.load {{.*}}<128x512xf16, L1>
// CHECK:       %[[B0:.*]] = tile.load {{.*}}<256x256xf16, L1>
// CHECK:       %[[HALF:.*]] = arith.addi {{.*}}, %c256_i32
// CHECK:       %[[B1:.*]] = tile.load %{{.*}}[%[[HALF]], {{.*}}<256x256xf16, L1>
// CHECK:       tile.copy %[[A]]{{.*}}<128x256xf16, L0A>
// CHECK:       tile.copy %[[B0]]
// CHECK:       %[[FIRST:.*]] = tile.matmul
// CHECK:       %[[K:.*]] = arith.addi {{.*}} : i32
// CHECK:       tile.copy %[[A]][%{{.*}}, %[[K]]]
// CHECK:       tile.copy %[[B1]]
// CHECK:       %[[LAST:.*]] = tile.matmul {{.*}}, %[[FIRST]] :
// CHECK:       scf.yield %[[LAST]]
// C310-LABEL:  func @loop
// C310-COUNT-2: tile.load {{.*}}<256x256xf16, L1>
func.func @loop(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c512 = arith.constant 512 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [%n] : !tile.ptr<f16> -> !tile.tensor<128x?xf16>
  %tb = tile.tensor %x, [%n] : !tile.ptr<f16> -> !tile.tensor<?x256xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<128x256xf32>
  %init = tile.zeros_acc : !tile.tile<128x256xf32, L0C>
  %sum = scf.for %j = %c0 to %n step %c512 iter_args(%acc = %init) -> (!tile.tile<128x256xf32, L0C>) : i32 {
    %a = tile.load %ta[%c0, %j], %zero : !tile.tensor<128x?xf16>, f16 -> !tile.tile<128x512xf16, L1>
    %b = tile.load %tb[%j, %c0], %zero : !tile.tensor<?x256xf16>, f16 -> !tile.tile<512x256xf16, L1>
    %l = tile.copy %a[%c0, %c0] : !tile.tile<128x512xf16, L1> -> !tile.tile<128x512xf16, L0A>
    %r = tile.copy %b[%c0, %c0] : !tile.tile<512x256xf16, L1> -> !tile.tile<512x256xf16, L0B>
    %s = tile.matmul %l, %r, %acc : !tile.tile<128x256xf32, L0C> : !tile.tile<128x512xf16, L0A>, !tile.tile<512x256xf16, L0B> -> !tile.tile<128x256xf32, L0C>
    scf.yield %s : !tile.tile<128x256xf32, L0C>
  }
  tile.store %sum, %tc[%c0, %c0] : !tile.tile<128x256xf32, L0C>, !tile.tensor<128x256xf32>
  return
}

// -----

// Tiles that L1 holds twice stay whole on the 910B; the 950 divides what is longer than 64 KiB. A tile that is also a left
// operand stays.
// CHECK-LABEL: func @room
// CHECK:       tile.load {{.*}}<256x256xf16, L1>
// CHECK-NOT:   tile.load
// C310-LABEL:  func @room
// C310:        tile.load {{.*}}<256x256xf16, L1>
// C310-NOT:    tile.load
func.func @room(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c512 = arith.constant 512 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [%n] : !tile.ptr<f16> -> !tile.tensor<?x256xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<256x256xf32>
  scf.for %j = %c0 to %n step %c512 : i32 {
    %a = tile.load %ta[%c0, %j], %zero : !tile.tensor<?x256xf16>, f16 -> !tile.tile<256x256xf16, L1>
    %l = tile.copy %a[%c0, %c0] : !tile.tile<256x256xf16, L1> -> !tile.tile<256x256xf16, L0A>
    %r = tile.copy %a[%c0, %c0] : !tile.tile<256x256xf16, L1> -> !tile.tile<256x256xf16, L0B>
    %s = tile.matmul %l, %r : !tile.tile<256x256xf16, L0A>, !tile.tile<256x256xf16, L0B> -> !tile.tile<256x256xf32, L0C>
    tile.store %s, %tc[%c0, %c0] : !tile.tile<256x256xf32, L0C>, !tile.tensor<256x256xf32>
  }
  return
}
