// RUN: tilesmith-opt %s --deepen-loads=arch=C220 --split-input-file | FileCheck %s
// RUN: tilesmith-opt %s --deepen-loads=arch=C310 --split-input-file | FileCheck %s --check-prefix=C310
// RUN: tilesmith-opt %s --deepen-loads="arch=C220 l1=131072" --split-input-file | FileCheck %s --check-prefix=SMALL
// RUN: tilesmith-opt %s --deepen-loads=arch=C220 --remarks-filter=deepen-loads --split-input-file 2>&1 | FileCheck %s --check-prefix=WHY

// A row of A is 1 KiB long with 512 columns: eight iterations become one. The last one ends where the loop ended. Of A L1
// holds two then, and one of B.
// WHY:         depth=512{{.*}}iterations=8
// CHECK-LABEL: func @loop
// CHECK:       %[[A:[0-9]+]] = tile.limit {{.*}} axis 1 to
// CHECK:       %[[B:[0-9]+]] = tile.limit {{.*}} axis 0 to
// CHECK:       %[[EIGHT:.*]] = arith.constant 8 : i32
// CHECK:       scf.for %[[J:.*]] = {{.*}} step %[[EIGHT]] iter_args
// CHECK:         %[[LEFT:.*]] = arith.subi {{.*}}, %[[J]] : i32
// CHECK:         %[[HERE:.*]] = arith.minsi %[[LEFT]], %{{.*}} : i32
// CHECK:         %[[INNER:.*]] = arith.muli %[[HERE]], %{{.*}} : i32
// CHECK:         tile.load %[[A]]{{.*}}<128x512xf16, L1>
// CHECK:         tile.load %[[B]]{{.*}}<512x256xf16, L1>
// CHECK:         tile.copy {{.*}}<128x512xf16, L0A>
// CHECK:         tile.matmul {{.*}} inner %[[INNER]] :
// The 950 gets as much from shorter ones.
// C310-LABEL:  func @loop
// C310:        tile.load {{.*}}<128x128xf16, L1>
// L1 holds the tiles twice.
// SMALL-LABEL: func @loop
// SMALL:       tile.load {{.*}}<128x64xf16, L1>
func.func @loop(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %z: !tile.ptr<f32>, %k: i32, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [%k] : !tile.ptr<f16> -> !tile.tensor<128x?xf16>
  %tb = tile.tensor %y, [%k] : !tile.ptr<f16> -> !tile.tensor<?x256xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<128x256xf32>
  %init = tile.zeros_acc : !tile.tile<128x256xf32, L0C>
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %init) -> (!tile.tile<128x256xf32, L0C>) : i32 {
    %at = arith.muli %j, %c64 : i32
    %a = tile.load %ta[%c0, %at], %zero : !tile.tensor<128x?xf16>, f16 -> !tile.tile<128x64xf16, L1>
    %b = tile.load %tb[%at, %c0], %zero : !tile.tensor<?x256xf16>, f16 -> !tile.tile<64x256xf16, L1>
    %l = tile.copy %a[%c0, %c0] : !tile.tile<128x64xf16, L1> -> !tile.tile<128x64xf16, L0A>
    %r = tile.copy %b[%c0, %c0] : !tile.tile<64x256xf16, L1> -> !tile.tile<64x256xf16, L0B>
    %s = tile.matmul %l, %r, %acc : !tile.tile<128x256xf32, L0C> : !tile.tile<128x64xf16, L0A>, !tile.tile<64x256xf16, L0B> -> !tile.tile<128x256xf32, L0C>
    scf.yield %s : !tile.tile<128x256xf32, L0C>
  }
  tile.store %sum, %tc[%c0, %c0] : !tile.tile<128x256xf32, L0C>, !tile.tensor<128x256xf32>
  return
}

// -----

// With a number of iterations that is known and divides, there is no tail. The tensor keeps its size.
// CHECK-LABEL: func @known
// CHECK-NOT:   tile.limit
// CHECK:       tile.load {{.*}}<128x512xf16, L1>
// CHECK-NOT:   inner
// CHECK:       return
func.func @known(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c512 = arith.constant 512 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<128x512xf16>
  %tb = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<512x256xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<128x256xf32>
  %init = tile.zeros_acc : !tile.tile<128x256xf32, L0C>
  %sum = scf.for %j = %c0 to %c512 step %c64 iter_args(%acc = %init) -> (!tile.tile<128x256xf32, L0C>) : i32 {
    %a = tile.load %ta[%c0, %j], %zero : !tile.tensor<128x512xf16>, f16 -> !tile.tile<128x64xf16, L1>
    %b = tile.load %tb[%j, %c0], %zero : !tile.tensor<512x256xf16>, f16 -> !tile.tile<64x256xf16, L1>
    %l = tile.copy %a[%c0, %c0] : !tile.tile<128x64xf16, L1> -> !tile.tile<128x64xf16, L0A>
    %r = tile.copy %b[%c0, %c0] : !tile.tile<64x256xf16, L1> -> !tile.tile<64x256xf16, L0B>
    %s = tile.matmul %l, %r, %acc : !tile.tile<128x256xf32, L0C> : !tile.tile<128x64xf16, L0A>, !tile.tile<64x256xf16, L0B> -> !tile.tile<128x256xf32, L0C>
    scf.yield %s : !tile.tile<128x256xf32, L0C>
  }
  tile.store %sum, %tc[%c0, %c0] : !tile.tile<128x256xf32, L0C>, !tile.tensor<128x256xf32>
  return
}

// -----

// Every second tile is left out: tiles do not follow each other.
// WHY:         a tile does not follow the one before it
// CHECK-LABEL: func @gaps
// CHECK:       tile.load {{.*}}<128x64xf16, L1>
func.func @gaps(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<128x512xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<128x128xf32>
  %init = tile.zeros_acc : !tile.tile<128x128xf32, L0C>
  %sum = scf.for %j = %c0 to %n step %c128 iter_args(%acc = %init) -> (!tile.tile<128x128xf32, L0C>) : i32 {
    %a = tile.load %ta[%c0, %j], %zero : !tile.tensor<128x512xf16>, f16 -> !tile.tile<128x64xf16, L1>
    %b = tile.load %ta[%j, %c0], %zero : !tile.tensor<128x512xf16>, f16 -> !tile.tile<64x128xf16, L1>
    %l = tile.copy %a[%c0, %c0] : !tile.tile<128x64xf16, L1> -> !tile.tile<128x64xf16, L0A>
    %r = tile.copy %b[%c0, %c0] : !tile.tile<64x128xf16, L1> -> !tile.tile<64x128xf16, L0B>
    %s = tile.matmul %l, %r, %acc : !tile.tile<128x128xf32, L0C> : !tile.tile<128x64xf16, L0A>, !tile.tile<64x128xf16, L0B> -> !tile.tile<128x128xf32, L0C>
    scf.yield %s : !tile.tile<128x128xf32, L0C>
  }
  tile.store %sum, %tc[%c0, %c0] : !tile.tile<128x128xf32, L0C>, !tile.tensor<128x128xf32>
  return
}

// -----

// B stays while A goes on: there is nothing to put behind each other.
// WHY:         an operand comes from outside the loop
// CHECK-LABEL: func @stays
// CHECK:       tile.load {{.*}}<128x64xf16, L1>
func.func @stays(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<128x512xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<128x128xf32>
  %init = tile.zeros_acc : !tile.tile<128x128xf32, L0C>
  %b = tile.load %ta[%c0, %c0], %zero : !tile.tensor<128x512xf16>, f16 -> !tile.tile<64x128xf16, L1>
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %init) -> (!tile.tile<128x128xf32, L0C>) : i32 {
    %a = tile.load %ta[%c0, %j], %zero : !tile.tensor<128x512xf16>, f16 -> !tile.tile<128x64xf16, L1>
    %l = tile.copy %a[%c0, %c0] : !tile.tile<128x64xf16, L1> -> !tile.tile<128x64xf16, L0A>
    %r = tile.copy %b[%c0, %c0] : !tile.tile<64x128xf16, L1> -> !tile.tile<64x128xf16, L0B>
    %s = tile.matmul %l, %r, %acc : !tile.tile<128x128xf32, L0C> : !tile.tile<128x64xf16, L0A>, !tile.tile<64x128xf16, L0B> -> !tile.tile<128x128xf32, L0C>
    scf.yield %s : !tile.tile<128x128xf32, L0C>
  }
  tile.store %sum, %tc[%c0, %c0] : !tile.tile<128x128xf32, L0C>, !tile.tensor<128x128xf32>
  return
}
