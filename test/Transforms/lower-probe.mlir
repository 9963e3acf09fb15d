// RUN: tilesmith-opt %s --tile-to-isa="arch=C220 options={debug_info=true opt_level=1}" | FileCheck %s
// A probe names the buffers of its values: they keep their bytes until it, nothing waits for it, and it decides neither
// where a tile is placed nor what may be read after a product.

// CHECK-LABEL: func.func @keeps
// CHECK-SAME: isa.breakpoints
func.func @keeps(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel, tile.breakpoints} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %t = tile.tensor %p, [%n] : !tile.ptr<f32> -> !tile.tensor<?xf32>
  // CHECK: %[[X:.*]] = isa.alloc 256 {address = 0
  // CHECK: %[[Y:.*]] = isa.alloc 256 {address = 256
  // CHECK: isa.copy_gm_to_ub %[[X]]
  %x = tile.load %t[%c0], %zero : !tile.tensor<?xf32>, f32 -> !tile.tile<64xf32, UB>
  // CHECK: isa.add %[[Y]]
  %y = tile.binary add %x, %x : !tile.tile<64xf32, UB>, !tile.tile<64xf32, UB> -> !tile.tile<64xf32, UB>
  // CHECK-NOT: isa.wait_flag
  // CHECK-NOT: isa.pipe_barrier
  // CHECK: isa.probe "a" depth 1 kind 0(%[[X]], %[[Y]], %{{.*}}, %{{.*}}) : !isa.buffer<UB, f32>, !isa.buffer<UB, f32>, i32, !isa.buffer<GM, f32>
  tile.probe "a" depth 1 kind 0(%x, %y, %n, %t) : !tile.tile<64xf32, UB>, !tile.tile<64xf32, UB>, i32, !tile.tensor<?xf32>
  tile.store %y, %t[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<?xf32>
  return
}
