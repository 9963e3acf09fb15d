// RUN: tilesmith-opt %s --expand-indices | FileCheck %s

// Squares of 16 bits are turned by the chip; whatever stands before them is one axis.
// CHECK-LABEL: func @squares
// CHECK:       %[[X:.*]] = tile.reshape %arg0 : {{.*}} -> {{(!tile.tile)?}}<6x16x32xf16, UB>
// CHECK:       %[[T:.*]] = tile.transpose %[[X]] [0, 2, 1]
// CHECK:       tile.reshape %[[T]] : {{.*}} -> {{(!tile.tile)?}}<2x3x32x16xf16, UB>
// CHECK-NOT:   tile.gather
func.func @squares(%x: !tile.tile<2x3x16x32xf16, UB>) -> !tile.tile<2x3x32x16xf16, UB> {
  %t = tile.transpose %x [0, 1, 3, 2] : !tile.tile<2x3x16x32xf16, UB> -> !tile.tile<2x3x32x16xf16, UB>
  return %t : !tile.tile<2x3x32x16xf16, UB>
}

// Axes of size 1 are no order.
// CHECK-LABEL: func @renamed
// CHECK-NEXT:  tile.reshape
// CHECK-NEXT:  return
func.func @renamed(%x: !tile.tile<1x9xf32, UB>) -> !tile.tile<9x1xf32, UB> {
  %t = tile.transpose %x [1, 0] : !tile.tile<1x9xf32, UB> -> !tile.tile<9x1xf32, UB>
  return %t : !tile.tile<9x1xf32, UB>
}

// Any other is gathered, by positions that are computed once, before the loop.
// CHECK-LABEL: func @gathered
// CHECK:       tile.arange
// CHECK:       %[[I:.*]] = tile.cast {{.*}} -> {{(!tile.tile)?}}<8x4xi32, UB>
// CHECK-NOT:   tile.arange
// CHECK:       scf.for
// CHECK:       tile.gather %{{.*}}[%[[I]]] inside
// CHECK:       tile.gather %{{.*}}[%[[I]]] inside
func.func @gathered(%x: !tile.tile<4x8xf32, UB>, %t: !tile.tensor<8x4xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %a = tile.transpose %x [1, 0] : !tile.tile<4x8xf32, UB> -> !tile.tile<8x4xf32, UB>
    %y = tile.binary add %x, %x : !tile.tile<4x8xf32, UB>, !tile.tile<4x8xf32, UB> -> !tile.tile<4x8xf32, UB>
    %b = tile.transpose %y [1, 0] : !tile.tile<4x8xf32, UB> -> !tile.tile<8x4xf32, UB>
    tile.store %a, %t[%c0, %c0] : !tile.tile<8x4xf32, UB>, !tile.tensor<8x4xf32>
    tile.store %b, %t[%c0, %c0] : !tile.tile<8x4xf32, UB>, !tile.tensor<8x4xf32>
  }
  return
}

// Many positions are computed where they are used, not kept through the loop.
// CHECK-LABEL: func @too_many
// CHECK:       scf.for
// CHECK:       tile.arange
func.func @too_many(%x: !tile.tile<128x128xf32, UB>, %t: !tile.tensor<128x128xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %a = tile.transpose %x [1, 0] : !tile.tile<128x128xf32, UB> -> !tile.tile<128x128xf32, UB>
    tile.store %a, %t[%c0, %c0] : !tile.tile<128x128xf32, UB>, !tile.tensor<128x128xf32>
  }
  return
}

// A loaded operand of a product stays transposed: the copy to L0 turns it.
// CHECK-LABEL: func @operand
// CHECK:       tile.transpose
// CHECK:       tile.matmul
func.func @operand(%t: !tile.tensor<16x32xf16>, %b: !tile.tile<16x16xf16, L0B>, %r: !tile.tensor<32x16xf32>) {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f16
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<16x32xf16>, f16 -> !tile.tile<16x32xf16, UB>
  %a = tile.transpose %x [1, 0] : !tile.tile<16x32xf16, UB> -> !tile.tile<32x16xf16, UB>
  %p = tile.matmul %a, %b : !tile.tile<32x16xf16, UB>, !tile.tile<16x16xf16, L0B> -> !tile.tile<32x16xf32, L0C>
  tile.store %p, %r[%c0, %c0] : !tile.tile<32x16xf32, L0C>, !tile.tensor<32x16xf32>
  return
}

// Positions that may lie outside are looked up at 0, and what stands there is put away.
// CHECK-LABEL: func @outside
// CHECK:       %[[IN:.*]] = tile.binary and
// CHECK:       %[[AT:.*]] = tile.select %[[IN]], %arg1
// CHECK:       %[[G:.*]] = tile.gather %arg0[%[[AT]]] inside
// CHECK:       tile.select %[[IN]], %[[G]]
func.func @outside(%x: !tile.tile<64xf32, UB>, %i: !tile.tile<16xi32, UB>) -> !tile.tile<16xf32, UB> {
  %g = tile.gather %x[%i] : !tile.tile<64xf32, UB>, !tile.tile<16xi32, UB> -> !tile.tile<16xf32, UB>
  return %g : !tile.tile<16xf32, UB>
}

// The smallest position of those that equal the largest element, or are a NaN.
// CHECK-LABEL: func @argmax
// CHECK:       %[[MAX:.*]] = tile.reduce max %arg0 [1]
// CHECK:       tile.compare eq
// CHECK:       tile.compare ne %arg0, %arg0
// CHECK:       tile.arange : {{(!tile.tile)?}}<1x64xf32, UB>
// CHECK:       tile.reduce min
// CHECK-NOT:   tile.arg
func.func @argmax(%x: !tile.tile<4x64xf32, UB>) -> !tile.tile<4x1xi32, UB> {
  %a = tile.arg max %x 1 : !tile.tile<4x64xf32, UB> -> !tile.tile<4x1xi32, UB>
  return %a : !tile.tile<4x1xi32, UB>
}

// Sums are made of whole rows: a row of elements becomes a column of rows first.
// CHECK-LABEL: func @sums
// CHECK:       tile.gather
// CHECK:       tile.cumsum %{{.*}} 0 : {{(!tile.tile)?}}<32x32xf32, UB>
// CHECK:       tile.binary add
func.func @sums(%x: !tile.tile<1024xf32, UB>) -> !tile.tile<1024xf32, UB> {
  %s = tile.cumsum %x 0 : !tile.tile<1024xf32, UB>
  return %s : !tile.tile<1024xf32, UB>
}
