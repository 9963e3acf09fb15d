// RUN: tilesmith-opt %s --legalise-dtypes=arch=C220 | FileCheck %s --check-prefixes=CHECK,C220
// RUN: tilesmith-opt %s --legalise-dtypes=arch=C310 | FileCheck %s --check-prefixes=CHECK,C310

// bf16 goes through f32 where the architecture has no bf16 arithmetic, scalars too.
// CHECK-LABEL: func @bf16
// C220:        tile.cast %{{.*}} : {{(!tile.tile)?}}<64xbf16, UB> -> {{(!tile.tile)?}}<64xf32, UB>
// C220:        arith.extf
// C220:        tile.binary mul {{.*}} -> {{(!tile.tile)?}}<64xf32, UB>
// C220:        tile.cast {{.*}} -> {{(!tile.tile)?}}<64xbf16, UB>
// C310-NEXT:   tile.binary mul {{.*}} -> {{(!tile.tile)?}}<64xbf16, UB>
func.func @bf16(%x: !tile.tile<64xbf16, UB>, %s: bf16) -> !tile.tile<64xbf16, UB> {
  %r = tile.binary mul %x, %s : !tile.tile<64xbf16, UB>, bf16 -> !tile.tile<64xbf16, UB>
  return %r : !tile.tile<64xbf16, UB>
}

// 8-bit sums go through 16 bits and keep their low byte (shifted up and down again).
// CHECK-LABEL: func @i8
// C220:        tile.cast %{{.*}} : {{(!tile.tile)?}}<64xi8, UB> -> {{(!tile.tile)?}}<64xf16, UB>
// C220:        tile.cast %{{.*}} : {{(!tile.tile)?}}<64xf16, UB> -> {{(!tile.tile)?}}<64xi16, UB>
// C220:        tile.binary add {{.*}} -> {{(!tile.tile)?}}<64xi16, UB>
// C220:        tile.binary shl
// C220:        tile.binary shr
// C310-NEXT:   tile.binary add {{.*}} -> {{(!tile.tile)?}}<64xi8, UB>
func.func @i8(%x: !tile.tile<64xi8, UB>) -> !tile.tile<64xi8, UB> {
  %r = tile.binary add %x, %x : !tile.tile<64xi8, UB>, !tile.tile<64xi8, UB> -> !tile.tile<64xi8, UB>
  return %r : !tile.tile<64xi8, UB>
}

// f16 sums are accumulated in f32 and rounded once; an f16 maximum is exact as it is.
// CHECK-LABEL: func @sum
// CHECK:       tile.reduce sum {{.*}} -> {{(!tile.tile)?}}<4x1xf32, UB>
// CHECK:       tile.cast {{.*}} -> {{(!tile.tile)?}}<4x1xf16, UB>
// CHECK:       tile.reduce max {{.*}} -> {{(!tile.tile)?}}<4x1xf16, UB>
func.func @sum(%x: !tile.tile<4x64xf16, UB>) -> (!tile.tile<4x1xf16, UB>, !tile.tile<4x1xf16, UB>) {
  %s = tile.reduce sum %x [1] : !tile.tile<4x64xf16, UB> -> !tile.tile<4x1xf16, UB>
  %m = tile.reduce max %x [1] : !tile.tile<4x64xf16, UB> -> !tile.tile<4x1xf16, UB>
  return %s, %m : !tile.tile<4x1xf16, UB>, !tile.tile<4x1xf16, UB>
}

// A conversion without an instruction becomes a chain.
// CHECK-LABEL: func @chain
// CHECK-NEXT:  tile.cast %{{.*}} : {{(!tile.tile)?}}<64xi32, UB> -> {{(!tile.tile)?}}<64xf32, UB>
// CHECK-NEXT:  tile.cast %{{.*}} : {{(!tile.tile)?}}<64xf32, UB> -> {{(!tile.tile)?}}<64xf16, UB>
// CHECK-NEXT:  return
func.func @chain(%x: !tile.tile<64xi32, UB>) -> !tile.tile<64xf16, UB> {
  %r = tile.cast %x : !tile.tile<64xi32, UB> -> !tile.tile<64xf16, UB>
  return %r : !tile.tile<64xf16, UB>
}

// The rounding of a pair of casts is kept.
// CHECK-LABEL: func @rounds
// CHECK-NEXT:  tile.cast
// CHECK-NEXT:  tile.cast
// CHECK-NEXT:  return
func.func @rounds(%x: !tile.tile<64xf32, UB>) -> !tile.tile<64xf32, UB> {
  %h = tile.cast %x : !tile.tile<64xf32, UB> -> !tile.tile<64xf16, UB>
  %r = tile.cast %h : !tile.tile<64xf16, UB> -> !tile.tile<64xf32, UB>
  return %r : !tile.tile<64xf32, UB>
}

// Division by zero gives 0 as everywhere else: by infinity, and the quotient wraps instead of saturating.
// CHECK-LABEL: func @divide
// C220:        tile.compare eq {{.*}} -> {{(!tile.tile)?}}<64xi1, UB>
// C220:        tile.select
// C220:        tile.binary div {{.*}} -> {{(!tile.tile)?}}<64xf32, UB>
// C220-NEXT:   tile.cast {{.*}} -> {{(!tile.tile)?}}<64xi32, UB>
// C220-NEXT:   tile.cast {{.*}} -> {{(!tile.tile)?}}<64xi16, UB>
// C310-NEXT:   tile.binary div {{.*}} -> {{(!tile.tile)?}}<64xi16, UB>
func.func @divide(%x: !tile.tile<64xi16, UB>) -> !tile.tile<64xi16, UB> {
  %r = tile.binary div %x, %x : !tile.tile<64xi16, UB>, !tile.tile<64xi16, UB> -> !tile.tile<64xi16, UB>
  return %r : !tile.tile<64xi16, UB>
}

// Unsigned sums have the bits of signed ones; order is the order of signed ones after the top bit is turned.
// CHECK-LABEL: func @unsigned
// C220:        tile.bitcast %{{.*}} : {{(!tile.tile)?}}<64xui32, UB> -> {{(!tile.tile)?}}<64xi32, UB>
// C220:        tile.binary add {{.*}} -> {{(!tile.tile)?}}<64xi32, UB>
// C220:        arith.constant -2147483648 : i32
// C220:        tile.binary max {{.*}} -> {{(!tile.tile)?}}<64xi32, UB>
// C310-NEXT:   tile.binary add {{.*}} -> {{(!tile.tile)?}}<64xui32, UB>
// C310-NEXT:   tile.binary max {{.*}} -> {{(!tile.tile)?}}<64xui32, UB>
func.func @unsigned(%x: !tile.tile<64xui32, UB>, %s: i32) -> !tile.tile<64xui32, UB> {
  %a = tile.binary add %x, %x : !tile.tile<64xui32, UB>, !tile.tile<64xui32, UB> -> !tile.tile<64xui32, UB>
  %r = tile.binary max %a, %s : !tile.tile<64xui32, UB>, i32 -> !tile.tile<64xui32, UB>
  return %r : !tile.tile<64xui32, UB>
}

// Integers of 64 bits are repeated as pairs of 32 bits.
// CHECK-LABEL: func @pairs
// CHECK-NEXT:  tile.bitcast %{{.*}} : {{(!tile.tile)?}}<1x4xi64, UB> -> {{(!tile.tile)?}}<1x4x2xi32, UB>
// CHECK-NEXT:  tile.broadcast {{.*}} -> {{(!tile.tile)?}}<3x4x2xi32, UB>
// CHECK-NEXT:  tile.bitcast {{.*}} -> {{(!tile.tile)?}}<3x4xi64, UB>
func.func @pairs(%x: !tile.tile<1x4xi64, UB>) -> !tile.tile<3x4xi64, UB> {
  %r = tile.broadcast %x : !tile.tile<1x4xi64, UB> -> !tile.tile<3x4xi64, UB>
  return %r : !tile.tile<3x4xi64, UB>
}

// A part of a mask is cut out of numbers.
// CHECK-LABEL: func @part_of_mask
// CHECK:       tile.copy {{.*}} -> {{(!tile.tile)?}}<5xf16, UB>
// CHECK:       tile.compare ne
func.func @part_of_mask(%m: !tile.tile<64xi1, UB>, %i: i32) -> !tile.tile<5xi1, UB> {
  %r = tile.copy %m[%i] : !tile.tile<64xi1, UB> -> !tile.tile<5xi1, UB>
  return %r : !tile.tile<5xi1, UB>
}
