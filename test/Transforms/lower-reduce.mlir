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

// A long single row is walked by one instruction that comes back to the same lanes; the first two chunks begin the sum.
// CHECK-LABEL: func @one_row
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG:   %[[REST:.*]] = arith.constant 62 : i64
// CHECK:       isa.add_r %[[ACC:[^,]*]], %[[X:[^,]*]], %{{.*}}
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

// A few long rows: first they all begin, then they all go on, so that no barrier stands between two rows. The sums are
// repeated along their rows, eight at a time: what is read behind them is filled before.
// CHECK-LABEL: func @few_rows
// CHECK:       isa.duplicate %[[SUM:[^,]*]], %{{.*}}, %c8_i64
// CHECK-COUNT-2: isa.add_r %{{.*}}, %{{.*}}, %{{.*}}, %c64_i64, %c1_i64,
// CHECK-COUNT-2: isa.add_r %{{.*}}, %{{.*}}, %{{.*}}, %c64_i64, %c62_i64,
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
