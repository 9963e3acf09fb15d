// RUN: tilesmith-opt %s --expand-math | FileCheck %s

// Everything is computed in f32: narrow operands are widened first, the result is rounded once.
// CHECK-LABEL: func @narrow
// CHECK:       %[[WIDE:.*]] = tile.cast %{{.*}} : {{(!tile.tile)?}}<64xf16, UB> -> {{(!tile.tile)?}}<64xf32, UB>
// CHECK:       %[[SQRT:.*]] = tile.unary sqrt %[[WIDE]] : {{(!tile.tile)?}}<64xf32, UB>
// CHECK:       %[[DIV:.*]] = tile.binary div %{{.*}}, %[[SQRT]] : f32,
// CHECK:       tile.cast %[[DIV]] : {{(!tile.tile)?}}<64xf32, UB> -> {{(!tile.tile)?}}<64xf16, UB>
func.func @narrow(%x: !tile.tile<64xf16, UB>) -> !tile.tile<64xf16, UB> {
  %r = tile.unary rsqrt %x : !tile.tile<64xf16, UB>
  return %r : !tile.tile<64xf16, UB>
}

// Basic functions stay as they are, in their own type.
// CHECK-LABEL: func @basic
// CHECK-NEXT:  tile.unary exp %{{.*}} : {{(!tile.tile)?}}<64xf16, UB>
// CHECK-NEXT:  tile.unary floor
// CHECK-NEXT:  return
func.func @basic(%x: !tile.tile<64xf16, UB>) -> !tile.tile<64xf16, UB> {
  %e = tile.unary exp %x : !tile.tile<64xf16, UB>
  %r = tile.unary floor %e : !tile.tile<64xf16, UB>
  return %r : !tile.tile<64xf16, UB>
}

// Nothing but basic operations is left of the transcendental functions.
// CHECK-LABEL: func @transcendental
// CHECK-NOT:   tile.unary {{(erf|tanh|sin|cos|tan|sinh|cosh|exp2|log2) }}
// CHECK:       return
func.func @transcendental(%x: !tile.tile<64xf32, UB>) -> !tile.tile<64xf32, UB> {
  %0 = tile.unary erf %x : !tile.tile<64xf32, UB>
  %1 = tile.unary tanh %0 : !tile.tile<64xf32, UB>
  %2 = tile.unary sin %1 : !tile.tile<64xf32, UB>
  %3 = tile.unary cos %2 : !tile.tile<64xf32, UB>
  %4 = tile.unary tan %3 : !tile.tile<64xf32, UB>
  %5 = tile.unary sinh %4 : !tile.tile<64xf32, UB>
  %6 = tile.unary cosh %5 : !tile.tile<64xf32, UB>
  %7 = tile.unary exp2 %6 : !tile.tile<64xf32, UB>
  %8 = tile.unary log2 %7 : !tile.tile<64xf32, UB>
  return %8 : !tile.tile<64xf32, UB>
}

// Softmax subtracts the row's maximum and divides once per row.
// CHECK-LABEL: func @softmax
// CHECK:       %[[MAX:.*]] = tile.reduce max %[[X:.*]] [1] : {{(!tile.tile)?}}<4x64xf32, UB> -> {{(!tile.tile)?}}<4x1xf32, UB>
// CHECK:       %[[WIDE:.*]] = tile.broadcast %[[MAX]]
// CHECK:       %[[SUB:.*]] = tile.binary sub %[[X]], %[[WIDE]]
// CHECK:       %[[EXP:.*]] = tile.unary exp %[[SUB]]
// CHECK:       %[[SUM:.*]] = tile.reduce sum %[[EXP]] [1]
// CHECK:       %[[INV:.*]] = tile.binary div %{{.*}}, %[[SUM]] : f32, {{(!tile.tile)?}}<4x1xf32, UB>
// CHECK:       %[[SCALE:.*]] = tile.broadcast %[[INV]]
// CHECK:       tile.binary mul %[[EXP]], %[[SCALE]]
func.func @softmax(%x: !tile.tile<4x64xf32, UB>) -> !tile.tile<4x64xf32, UB> {
  %r = tile.softmax %x : !tile.tile<4x64xf32, UB>
  return %r : !tile.tile<4x64xf32, UB>
}
