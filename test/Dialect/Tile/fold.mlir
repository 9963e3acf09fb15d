// RUN: tilesmith-opt %s --canonicalize | FileCheck %s

!half = !tile.tile<64xf16, UB>
!float = !tile.tile<64xf32, UB>
!byte = !tile.tile<64xui8, UB>
!word = !tile.tile<64xi32, UB>

// Equal arms leave nothing to choose.
// CHECK-LABEL: func @select_equal_arms
// CHECK-NEXT: return %arg1
func.func @select_equal_arms(%mask: !tile.tile<64xi1, UB>, %x: !float) -> !float {
  %s = tile.select %mask, %x, %x : !tile.tile<64xi1, UB>, !float, !float -> !float
  return %s : !float
}

// Two equal scalars are not a tile.
// CHECK-LABEL: func @select_equal_scalars
// CHECK: tile.select
func.func @select_equal_scalars(%mask: !tile.tile<64xi1, UB>, %x: f32) -> !float {
  %s = tile.select %mask, %x, %x : !tile.tile<64xi1, UB>, f32, f32 -> !float
  return %s : !float
}

// CHECK-LABEL: func @cast_to_its_type
// CHECK-NEXT: return %arg0
func.func @cast_to_its_type(%x: !half) -> !half {
  %c = tile.cast %x : !half -> !half
  return %c : !half
}

// An integer survives the way to a wider one and back.
// CHECK-LABEL: func @cast_there_and_back
// CHECK-NEXT: return %arg0
func.func @cast_there_and_back(%x: !byte) -> !byte {
  %w = tile.cast %x : !byte -> !word
  %b = tile.cast %w : !word -> !byte
  return %b : !byte
}

// Not the way through a narrower one.
// CHECK-LABEL: func @cast_loses_bits
// CHECK-COUNT-2: tile.cast
func.func @cast_loses_bits(%x: !word) -> !word {
  %b = tile.cast %x : !word -> !byte
  %w = tile.cast %b : !byte -> !word
  return %w : !word
}

// Nor one through floats: conversions write the canonical NaN.
// CHECK-LABEL: func @cast_of_floats
// CHECK-COUNT-2: tile.cast
func.func @cast_of_floats(%x: !half) -> !half {
  %w = tile.cast %x : !half -> !float
  %h = tile.cast %w : !float -> !half
  return %h : !half
}

// Nor one through truth: 2 comes back as 1.
// CHECK-LABEL: func @cast_of_masks
// CHECK-COUNT-2: tile.cast
func.func @cast_of_masks(%x: !word) -> !word {
  %m = tile.cast %x : !word -> !tile.tile<64xi1, UB>
  %w = tile.cast %m : !tile.tile<64xi1, UB> -> !word
  return %w : !word
}

// CHECK-LABEL: func @extract_of_splat
// CHECK-NEXT: return %arg0
func.func @extract_of_splat(%x: f32) -> f32 {
  %t = tile.splat %x : f32 -> !tile.tile<1xf32, UB>
  %e = tile.extract %t : !tile.tile<1xf32, UB> -> f32
  return %e : f32
}

// CHECK-LABEL: func @broadcast_to_its_shape
// CHECK-NEXT: return %arg0
func.func @broadcast_to_its_shape(%x: !float) -> !float {
  %b = tile.broadcast %x : !float -> !float
  return %b : !float
}

// CHECK-LABEL: func @reshape_of_reshape
// CHECK-NEXT: tile.reshape %arg0 : {{.*}}<64xf32, UB> -> {{.*}}<8x8xf32, UB>
// CHECK-NEXT: return
func.func @reshape_of_reshape(%x: !float) -> !tile.tile<8x8xf32, UB> {
  %a = tile.reshape %x : !float -> !tile.tile<4x16xf32, UB>
  %b = tile.reshape %a : !tile.tile<4x16xf32, UB> -> !tile.tile<8x8xf32, UB>
  return %b : !tile.tile<8x8xf32, UB>
}

// CHECK-LABEL: func @reshape_there_and_back
// CHECK-NEXT: return %arg0
func.func @reshape_there_and_back(%x: !float) -> !float {
  %a = tile.reshape %x : !float -> !tile.tile<4x16xf32, UB>
  %b = tile.reshape %a : !tile.tile<4x16xf32, UB> -> !float
  return %b : !float
}

// CHECK-LABEL: func @bitcast_there_and_back
// CHECK-NEXT: return %arg0
func.func @bitcast_there_and_back(%x: !float) -> !float {
  %a = tile.bitcast %x : !float -> !word
  %b = tile.bitcast %a : !word -> !float
  return %b : !float
}

// CHECK-LABEL: func @concat_of_one
// CHECK-NEXT: return %arg0
func.func @concat_of_one(%x: !float) -> !float {
  %c = tile.concat %x : !float -> !float
  return %c : !float
}

// A copy is a move the user asked for.
// CHECK-LABEL: func @copy_stays
// CHECK: tile.copy
func.func @copy_stays(%x: !float) -> !float {
  %c0 = arith.constant 0 : i32
  %c = tile.copy %x[%c0] : !float -> !float
  return %c : !float
}

// A transpose of a transpose starts from the first operand, and vanishes where the order is the old one.
// CHECK-LABEL: func @transpose_of_transpose
// CHECK: %[[T:.*]] = tile.transpose %arg0 [2, 1, 0]
// CHECK-NEXT: return %arg0, %[[T]]
func.func @transpose_of_transpose(%x: !tile.tile<2x3x8xf32, UB>) -> (!tile.tile<2x3x8xf32, UB>, !tile.tile<8x3x2xf32, UB>) {
  %a = tile.transpose %x [1, 2, 0] : !tile.tile<2x3x8xf32, UB> -> !tile.tile<3x8x2xf32, UB>
  %b = tile.transpose %a [2, 0, 1] : !tile.tile<3x8x2xf32, UB> -> !tile.tile<2x3x8xf32, UB>
  %c = tile.transpose %a [1, 0, 2] : !tile.tile<3x8x2xf32, UB> -> !tile.tile<8x3x2xf32, UB>
  return %b, %c : !tile.tile<2x3x8xf32, UB>, !tile.tile<8x3x2xf32, UB>
}
