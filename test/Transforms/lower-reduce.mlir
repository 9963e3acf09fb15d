// RUN: tilesmith-opt %s --lower-to-isa=arch=C220 --cse | FileCheck %s

// Along the last axis: chunks of 64 lanes are added up in order, then one tree per row.
// CHECK-LABEL: func @rows
// CHECK-DAG:   %[[LANES:.*]] = arith.constant 64 : i64
// CHECK-DAG:   %[[ROWS:.*]] = arith.constant 8 : i64
// CHECK:       isa.add_r %[[ACC:[^,]*]], %[[X:[^,]*]], %{{.*}}, %[[LANES]], %[[ROWS]],
// CHECK:       isa.add_r %[[ACC]], %[[ACC]], %{{.*}}, %[[LANES]], %[[ROWS]],
// CHECK:       isa.whole_reduce_sum %{{.*}}, %[[ACC]], %[[LANES]], %[[ROWS]],
func.func @rows(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<8x192xf32>
  %y = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<8xf32>
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<8x192xf32>, f32 -> !tile.tile<8x192xf32, UB>
  %s = tile.reduce sum %x [1] : !tile.tile<8x192xf32, UB> -> !tile.tile<8xf32, UB>
  tile.store %s, %y[%c0] : !tile.tile<8xf32, UB>, !tile.tensor<8xf32>
  return
}

// A long single row is walked by one instruction that comes back to the same lanes; the first chunk begins the sum.
// CHECK-LABEL: func @one_row
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG:   %[[REST:.*]] = arith.constant 63 : i64
// CHECK:       isa.copy_r %[[ACC:[^,]*]], %[[X:[^,]*]], %{{.*}}
// CHECK:       isa.add_r %[[ACC]], %[[ACC]], %{{.*}}, %{{.*}}, %[[REST]], %{{.*}}, %{{.*}}, %{{.*}}, %[[ZERO]], %[[ZERO]],
// CHECK:       isa.whole_reduce_sum
func.func @one_row(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<4096xf32>
  %x = tile.load %t[%c0], %z : !tile.tensor<4096xf32>, f32 -> !tile.tile<4096xf32, UB>
  %s = tile.reduce sum %x [0] : !tile.tile<4096xf32, UB> -> !tile.tile<1xf32, UB>
  tile.store %s, %t[%c0] : !tile.tile<1xf32, UB>, !tile.tensor<4096xf32>
  return
}

// A few long rows: one copy begins all of them, then they all go on, so that no barrier stands between two rows. The
// sums are repeated along their rows, eight at a time: what is read behind them is filled before.
// CHECK-LABEL: func @few_rows
// CHECK:       isa.duplicate %[[SUM:[^,]*]], %{{.*}}, %c8_i64
// CHECK:       isa.copy_r %{{.*}}, %{{.*}}, %c64_i64, %c2_i64, %c1_i64, %c1_i64, %c8_i64, %c512_i64
// CHECK-COUNT-2: isa.add_r %{{.*}}, %{{.*}}, %{{.*}}, %c64_i64, %c63_i64,
// CHECK:       isa.whole_reduce_sum %[[SUM]],
// CHECK-NEXT:  isa.exp %[[SUM]], %[[SUM]], %c8_i64
// CHECK:       isa.brcb %{{.*}}, %[[SUM]]
// The product takes the place of the tile, which nobody reads later.
// CHECK:       isa.mul_r %[[E:[^,]*]], %[[E]],
func.func @few_rows(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<2x4096xf32>
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<2x4096xf32>, f32 -> !tile.tile<2x4096xf32, UB>
  %e = tile.unary exp %x : !tile.tile<2x4096xf32, UB>
  %s = tile.reduce sum %e [1] : !tile.tile<2x4096xf32, UB> -> !tile.tile<2x1xf32, UB>
  %l = tile.unary exp %s : !tile.tile<2x1xf32, UB>
  %b = tile.broadcast %l : !tile.tile<2x1xf32, UB> -> !tile.tile<2x4096xf32, UB>
  %y = tile.binary mul %e, %b : !tile.tile<2x4096xf32, UB>, !tile.tile<2x4096xf32, UB> -> !tile.tile<2x4096xf32, UB>
  tile.store %y, %t[%c0, %c0] : !tile.tile<2x4096xf32, UB>, !tile.tensor<2x4096xf32>
  return
}

// Along the first axis rows are combined by halves: 6 rows, 3, 2, 1.
// CHECK-LABEL: func @columns
// CHECK-DAG:   %[[THREE:.*]] = arith.constant 192 : i64
// CHECK-DAG:   %[[ONE:.*]] = arith.constant 64 : i64
// CHECK:       isa.max %{{.*}}, %[[THREE]] :
// CHECK:       isa.max %{{.*}}, %[[ONE]] :
// CHECK:       isa.max %{{.*}}, %[[ONE]] :
// CHECK-NOT:   isa.max
func.func @columns(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<6x64xf32>
  %y = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<64xf32>
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<6x64xf32>, f32 -> !tile.tile<6x64xf32, UB>
  %s = tile.reduce max %x [0] : !tile.tile<6x64xf32, UB> -> !tile.tile<64xf32, UB>
  tile.store %s, %y[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  return
}

// Short rows whose length is a power of two lie side by side: eight blocks at a time, then pairs. 12 rows of 16 are three
// repeats; 24 sums of blocks are the first lanes of one.
// CHECK-LABEL: func @short_rows
// CHECK:       isa.block_reduce_sum %[[BLOCKS:[^,]*]], %{{[^,]*}}, %c64_i64, %c3_i64,
// CHECK-NOT:   isa.whole_reduce
// CHECK:       isa.pair_reduce_sum %{{[^,]*}}, %[[BLOCKS]], %c24_i64, %c1_i64,
func.func @short_rows(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<12x16xf32>
  %y = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<12xf32>
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<12x16xf32>, f32 -> !tile.tile<12x16xf32, UB>
  %s = tile.reduce sum %x [1] : !tile.tile<12x16xf32, UB> -> !tile.tile<12xf32, UB>
  tile.store %s, %y[%c0] : !tile.tile<12xf32, UB>, !tile.tensor<12xf32>
  return
}

// Of maxima there are no pairs: even blocks meet odd ones first.
// CHECK-LABEL: func @short_rows_max
// CHECK:       isa.max_r %[[EVEN:[^,]*]], %[[X:[^,]*]], %{{[^,]*}}, %c32_i64, %c1_i64, %c1_i64, %c2_i64, %c2_i64, %c8_i64, %c16_i64, %c16_i64
// CHECK:       isa.block_reduce_max %{{[^,]*}}, %[[EVEN]], %c32_i64, %c1_i64,
func.func @short_rows_max(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<4x16xf32>
  %y = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<4xf32>
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<4x16xf32>, f32 -> !tile.tile<4x16xf32, UB>
  %s = tile.reduce max %x [1] : !tile.tile<4x16xf32, UB> -> !tile.tile<4xf32, UB>
  tile.store %s, %y[%c0] : !tile.tile<4xf32, UB>, !tile.tensor<4xf32>
  return
}

// The largest element is the same in any order: chunks meet in pairs, which need not wait for each other, and then what
// is left of them. Of a sum only the begin goes down the rows; the rest is added row by row, in order.
// CHECK-LABEL: func @medium_rows
// CHECK-COUNT-4: isa.max_r %{{.*}}, %{{[^,]*}}, %{{.*}}, %c64_i64, %c16_i64, %c1_i64, %c1_i64, %c1_i64, %c32_i64, %c64_i64, %c64_i64
// CHECK-COUNT-2: isa.max_r %{{.*}}, %c32_i64, %c32_i64, %c32_i64
// CHECK:       isa.max_r %{{.*}}, %c8_i64, %c32_i64, %c32_i64
// CHECK-NOT:   isa.max_r
// CHECK:       isa.add_r %{{.*}}, %c64_i64, %c16_i64,
// CHECK-COUNT-16: isa.add_r %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %c64_i64, %c6_i64, %c1_i64, %c1_i64, %c1_i64, %c0_i64, %c0_i64, %c8_i64
// CHECK-NOT:   isa.add_r
func.func @medium_rows(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<16x512xf32>
  %y = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<16xf32>
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<16x512xf32>, f32 -> !tile.tile<16x512xf32, UB>
  %m = tile.reduce max %x [1] : !tile.tile<16x512xf32, UB> -> !tile.tile<16xf32, UB>
  tile.store %m, %y[%c0] : !tile.tile<16xf32, UB>, !tile.tensor<16xf32>
  %s = tile.reduce sum %x [1] : !tile.tile<16x512xf32, UB> -> !tile.tile<16xf32, UB>
  tile.store %s, %y[%c0] : !tile.tile<16xf32, UB>, !tile.tensor<16xf32>
  return
}
