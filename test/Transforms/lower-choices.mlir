// RUN: tilesmith-opt %s --lower-to-isa="arch=C220" --split-input-file | FileCheck %s

// The first n elements of a tile with rows: whole rows, then the beginning of one more. Nothing else is written.
// CHECK-LABEL: func @first
// CHECK: isa.copy_ub_to_gm %{{.*}}, %{{.*}}, %c2_i64, %c128_i64, %c0_i64, %c128_i64
// CHECK: isa.copy_ub_to_gm %{{.*}}, %{{.*}}, %c1_i64, %c24_i64, %c0_i64, %c0_i64
// CHECK-NOT: isa.copy_ub_to_gm
// CHECK: return
func.func @first(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<4x64xf32>
  %c0 = arith.constant 0 : i32
  %n = arith.constant 70 : i32
  %v = arith.constant 1.0 : f32
  %x = tile.splat %v : f32 -> !tile.tile<4x32xf32, UB>
  tile.store %x, %t[%c0, %c0] count %n : !tile.tile<4x32xf32, UB>, !tile.tensor<4x64xf32>
  return
}

// -----

// Two runs of bits: the first starts on 32 bytes of UB, the second does not and moves to such a place on its way.
// CHECK-LABEL: func @runs
// CHECK: isa.copy_ub_to_gm %{{.*}}, %{{.*}}, %c1_i64, %c12_i64
// CHECK: scf.for
// CHECK: isa.get_value
// CHECK: isa.set_value
// CHECK: isa.copy_ub_to_gm %{{.*}}, %{{.*}}, %c1_i64, %c8_i64
// CHECK-NOT: isa.copy_ub_to_gm
// CHECK: return
func.func @runs(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %v = arith.constant 1.0 : f32
  %x = tile.splat %v : f32 -> !tile.tile<64xf32, UB>
  tile.store %x, %t[%c0] bits [1543, 0] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  return
}

// -----

// A choice as bits: words of ones up to the count, and the rest of it in one more word.
// CHECK-LABEL: func @lanes
// CHECK: isa.duplicate %{{.*}}, %c0_i16, %c4_i64 : <UB, i16>
// CHECK: scf.if
// CHECK: isa.duplicate %{{.*}}, %c-1_i16
// CHECK: scf.if
// CHECK: isa.set_value
// CHECK: isa.set_value %{{.*}}, %c255_i64 : <UB, i64>
// CHECK: isa.and
func.func @lanes(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %v = arith.constant 1.0 : f32
  %x = tile.splat %v : f32 -> !tile.tile<64xf32, UB>
  %a = tile.lanes count %n : !tile.tile<64xi1, UB>
  %b = tile.lanes bits [255, 0] : !tile.tile<64xi1, UB>
  %c = tile.binary and %a, %b : !tile.tile<64xi1, UB>, !tile.tile<64xi1, UB> -> !tile.tile<64xi1, UB>
  %y = tile.select %c, %x, %v : !tile.tile<64xi1, UB>, !tile.tile<64xf32, UB>, f32 -> !tile.tile<64xf32, UB>
  tile.store %y, %t[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  return
}
