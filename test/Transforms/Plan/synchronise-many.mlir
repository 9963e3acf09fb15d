// RUN: tilesmith-opt %s --tile-to-isa="arch=C220 verify-sync" | FileCheck %s
// A loop unrolled far beyond what the flags of a pair of pipes can express: bodies share flags, and the replay finds
// nothing missing. Each merged pair of tokens once ordered the whole kernel again, which took minutes here.
// CHECK-LABEL:   func @running_sum
// CHECK-COUNT-24: isa.add %
// CHECK-NOT:     isa.set_flag %c{{[6-9]}}_i64 {
// CHECK:         return
func.func @running_sum(%x: !tile.ptr<f32> {isa.noalias}, %y: !tile.ptr<f32> {isa.noalias}, %n: i32) attributes {tile.kernel} {
  %c64 = arith.constant 64 : i32
  %zero = arith.constant 0.0 : f32
  %size = arith.muli %n, %c64 : i32
  %x_gm = tile.tensor %x, [%size] : !tile.ptr<f32> -> !tile.tensor<?xf32>
  %y_gm = tile.tensor %y, [%size] : !tile.ptr<f32> -> !tile.tensor<?xf32>
  %none = tile.splat %zero : f32 -> !tile.tile<64xf32, UB>
  %first = tile.block_idx
  %step = tile.block_num
  %sum = scf.for %i = %first to %n step %step iter_args(%before = %none) -> (!tile.tile<64xf32, UB>) : i32 {
    %at = arith.muli %i, %c64 : i32
    %next = tile.load %x_gm[%at], %zero : !tile.tensor<?xf32>, f32 -> !tile.tile<64xf32, UB>
    %after = tile.binary add %before, %next : !tile.tile<64xf32, UB>, !tile.tile<64xf32, UB> -> !tile.tile<64xf32, UB>
    tile.store %after, %y_gm[%at] : !tile.tile<64xf32, UB>, !tile.tensor<?xf32>
    scf.yield %after : !tile.tile<64xf32, UB>
  } {tile.unroll_factor = 24 : i64}
  return
}
