// RUN: tilesmith-opt %s --split-products=arch=C220 --split-input-file | FileCheck %s
// RUN: tilesmith-opt %s --split-products="arch=C310 l0c=262144" --split-input-file | FileCheck %s --check-prefix=C310

// Steps of 128 inner elements: half of L0A and of L0B hold one. They add in the order of k.
// CHECK-LABEL: func @steps
// CHECK:       tile.copy {{.*}} -> {{.*}}<64x128xf16, L0A>
// CHECK:       tile.copy {{.*}} -> {{.*}}<128x128xf16, L0B>
// CHECK:       %[[FIRST:[0-9]+]] = tile.matmul
// CHECK:       %[[K:.*]] = arith.constant 128 : i32
// CHECK:       tile.copy %{{.*}}[%{{.*}}, %[[K]]]
// CHECK:       tile.copy %{{.*}}[%[[K]], %{{.*}}]
// CHECK:       tile.matmul {{.*}}, %[[FIRST]]
// CHECK-NOT:   tile.matmul
// CHECK:       tile.store
func.func @steps(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<256x256xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<64x128xf32>
  %a = tile.load %ta[%c0, %c0], %zero : !tile.tensor<256x256xf16>, f16 -> !tile.tile<64x256xf16, L1>
  %b = tile.load %ta[%c0, %c0], %zero : !tile.tensor<256x256xf16>, f16 -> !tile.tile<256x128xf16, L1>
  %l = tile.copy %a[%c0, %c0] : !tile.tile<64x256xf16, L1> -> !tile.tile<64x256xf16, L0A>
  %r = tile.copy %b[%c0, %c0] : !tile.tile<256x128xf16, L1> -> !tile.tile<256x128xf16, L0B>
  %c = tile.matmul %l, %r : !tile.tile<64x256xf16, L0A>, !tile.tile<256x128xf16, L0B> -> !tile.tile<64x128xf32, L0C>
  tile.store %c, %tc[%c0, %c0] : !tile.tile<64x128xf32, L0C>, !tile.tensor<64x128xf32>
  return
}

// -----

// L0C does not hold two of these on the 910B: each is two parts, to the cast and the store of each. The 950 has room.
// CHECK-LABEL: func @parts
// CHECK-COUNT-2: tile.matmul {{.*}}<128x128xf32, L0C>
// CHECK-COUNT-2: tile.cast {{.*}}<128x128xf16, L0C>
// CHECK-COUNT-2: tile.store {{.*}}<128x128xf16, L0C>
// C310-LABEL:  func @parts
// C310:        tile.matmul {{.*}}<128x256xf32, L0C>
func.func @parts(%x: !tile.ptr<f16>, %z: !tile.ptr<f16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<256x256xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f16> -> !tile.tensor<128x256xf16>
  %a = tile.load %ta[%c0, %c0], %zero : !tile.tensor<256x256xf16>, f16 -> !tile.tile<128x64xf16, L1>
  %b = tile.load %ta[%c0, %c0], %zero : !tile.tensor<256x256xf16>, f16 -> !tile.tile<64x256xf16, L1>
  %l = tile.copy %a[%c0, %c0] : !tile.tile<128x64xf16, L1> -> !tile.tile<128x64xf16, L0A>
  %r = tile.copy %b[%c0, %c0] : !tile.tile<64x256xf16, L1> -> !tile.tile<64x256xf16, L0B>
  %c = tile.matmul %l, %r : !tile.tile<128x64xf16, L0A>, !tile.tile<64x256xf16, L0B> -> !tile.tile<128x256xf32, L0C>
  %h = tile.cast %c : !tile.tile<128x256xf32, L0C> -> !tile.tile<128x256xf16, L0C>
  tile.store %h, %tc[%c0, %c0] : !tile.tile<128x256xf16, L0C>, !tile.tensor<128x256xf16>
  return
}

// -----

// Many steps become a loop.
// CHECK-LABEL: func @many
// CHECK:       scf.for
// CHECK:         tile.matmul
// CHECK-NOT:     tile.matmul
// CHECK:       tile.store
func.func @many(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<128x4096xf16>
  %tb = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<4096x128xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<128x128xf32>
  %a = tile.load %ta[%c0, %c0], %zero : !tile.tensor<128x4096xf16>, f16 -> !tile.tile<128x4096xf16, L1>
  %b = tile.load %tb[%c0, %c0], %zero : !tile.tensor<4096x128xf16>, f16 -> !tile.tile<4096x128xf16, L1>
  %l = tile.copy %a[%c0, %c0] : !tile.tile<128x4096xf16, L1> -> !tile.tile<128x4096xf16, L0A>
  %r = tile.copy %b[%c0, %c0] : !tile.tile<4096x128xf16, L1> -> !tile.tile<4096x128xf16, L0B>
  %c = tile.matmul %l, %r : !tile.tile<128x4096xf16, L0A>, !tile.tile<4096x128xf16, L0B> -> !tile.tile<128x128xf32, L0C>
  tile.store %c, %tc[%c0, %c0] : !tile.tile<128x128xf32, L0C>, !tile.tensor<128x128xf32>
  return
}

// -----

// A product that takes part with some tiles of 64 inner elements: steps are done or left out as a whole.
// CHECK-LABEL: func @live
// CHECK:       tile.matmul {{.*}}<128x64xf16, L0A>
// CHECK:       %[[TAKES:.*]] = arith.cmpi sgt
// CHECK:       %[[INNER:.*]] = arith.select %[[TAKES]]
// CHECK:       tile.matmul {{.*}} inner %[[INNER]] : {{.*}}<128x64xf16, L0A>
func.func @live(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<128x128xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<128x128xf32>
  %a = tile.load %ta[%c0, %c0], %zero : !tile.tensor<128x128xf16>, f16 -> !tile.tile<128x128xf16, L1>
  %l = tile.copy %a[%c0, %c0] : !tile.tile<128x128xf16, L1> -> !tile.tile<128x128xf16, L0A>
  %r = tile.copy %a[%c0, %c0] : !tile.tile<128x128xf16, L1> -> !tile.tile<128x128xf16, L0B>
  %inner = arith.muli %n, %c64 : i32
  %acc = tile.zeros_acc : !tile.tile<128x128xf32, L0C>
  %c = tile.matmul %l, %r, %acc : !tile.tile<128x128xf32, L0C> inner %inner : !tile.tile<128x128xf16, L0A>, !tile.tile<128x128xf16, L0B> -> !tile.tile<128x128xf32, L0C>
  tile.store %c, %tc[%c0, %c0] : !tile.tile<128x128xf32, L0C>, !tile.tensor<128x128xf32>
  return
}

// -----

// A wide result that a loop inside a loop adds to is divided on the 950 too. Products that follow each other are done
// together, part after part there and step after step on the 910B.
// C310-LABEL:  func @nested
// C310:        tile.matmul {{.*}}<128x128xf32, L0C>
// C310:        %[[FIRST:[0-9]+]] = tile.matmul {{.*}}<128x128xf32, L0C>
// C310:        tile.matmul {{.*}}<128x128xf32, L0C>
// C310:        %[[LAST:[0-9]+]] = tile.matmul {{.*}}<128x128xf32, L0C>
// C310:        scf.yield %[[FIRST]], %[[LAST]]
// CHECK-LABEL: func @nested
// CHECK:       tile.matmul {{.*}}<128x128xf32, L0C>
// CHECK:       tile.matmul {{.*}}<128x128xf32, L0C>
// CHECK:       %[[FIRST:[0-9]+]] = tile.matmul {{.*}}<128x128xf32, L0C>
// CHECK:       %[[LAST:[0-9]+]] = tile.matmul {{.*}}<128x128xf32, L0C>
// CHECK:       scf.yield %[[FIRST]], %[[LAST]]
func.func @nested(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<256x256xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<128x256xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %init = tile.zeros_acc : !tile.tile<128x256xf32, L0C>
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %init) -> (!tile.tile<128x256xf32, L0C>) : i32 {
      %a = tile.load %ta[%i, %j], %zero : !tile.tensor<256x256xf16>, f16 -> !tile.tile<128x64xf16, L1>
      %b = tile.load %ta[%j, %i], %zero : !tile.tensor<256x256xf16>, f16 -> !tile.tile<64x256xf16, L1>
      %l = tile.copy %a[%c0, %c0] : !tile.tile<128x64xf16, L1> -> !tile.tile<128x64xf16, L0A>
      %r = tile.copy %b[%c0, %c0] : !tile.tile<64x256xf16, L1> -> !tile.tile<64x256xf16, L0B>
      %s = tile.matmul %l, %r, %acc : !tile.tile<128x256xf32, L0C> : !tile.tile<128x64xf16, L0A>, !tile.tile<64x256xf16, L0B> -> !tile.tile<128x256xf32, L0C>
      %t = tile.matmul %l, %r, %s : !tile.tile<128x256xf32, L0C> : !tile.tile<128x64xf16, L0A>, !tile.tile<64x256xf16, L0B> -> !tile.tile<128x256xf32, L0C>
      scf.yield %t : !tile.tile<128x256xf32, L0C>
    }
    tile.store %sum, %tc[%c0, %c0] : !tile.tile<128x256xf32, L0C>, !tile.tensor<128x256xf32>
  }
  return
}
