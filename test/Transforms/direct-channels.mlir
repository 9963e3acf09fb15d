// RUN: tilesmith-opt %s --direct-channels=arch=C310 --split-input-file | FileCheck %s
// RUN: tilesmith-opt %s --direct-channels=arch=C220 --split-input-file | FileCheck %s --check-prefix=NARROW
// RUN: tilesmith-opt %s --direct-channels="arch=C310 ub=6144" --split-input-file | FileCheck %s --check-prefix=SMALL
// RUN: tilesmith-opt %s "--pass-pipeline=builtin.module(direct-channels{arch=C310},func.func(lower-channels))" --split-input-file | FileCheck %s --check-prefix=LOWERED
// Which channels have their slots in a memory of the cores that receive, and what becomes of them.

// A result that vector cores read where it lies goes to UB, what they make for a product to L1. Slots lie at the end of
// the memory. One whose tiles wait has two, another one gets a second where there is room. Only the 950 has these ways.
// CHECK-LABEL: func.func @both(
// CHECK-SAME: isa.direct = {address = 249856 : i64, axis = 0 : i64, bytes = 2048 : i64, cores = 2 : i64, memory = "UB", shape = "[16, 32] float32", slots = 2 : i64}
// CHECK-SAME: isa.direct = {address = 519168 : i64, axis = 0 : i64, bytes = 2560 : i64, cores = 2 : i64, memory = "L1", shape = "[32, 32] float16", slots = 2 : i64}
// CHECK-LABEL: func.func @both.vector(
// CHECK-SAME: isa.direct = {address = 249856 : i64
// CHECK-SAME: isa.direct = {address = 519168 : i64
// NARROW-LABEL: func.func @both(
// NARROW-NOT: isa.direct
// NARROW: return
// Two thirds of UB hold two slots of 2048 bytes, and no more beside them.
// SMALL-LABEL: func.func @both(
// SMALL-SAME: memory = "UB", shape = "[16, 32] float32", slots = 2 : i64
// SMALL-SAME: memory = "L1"

// The cube core stores to a tensor in the slot, of the whole tile; it reads the other tile in L1, behind a wait of MTE1,
// and gives the slot back behind the product.
// LOWERED-LABEL: func.func @both(
// LOWERED-COUNT-2: isa.cross_core_set {{.*}} {from = #isa.pipe<MTE1>}
// LOWERED: isa.cross_core_wait {{.*}} {on = #isa.pipe<FIX>}
// LOWERED: tile.store %{{.*}} : <32x32xf32, L0C>, <32x32xf32>
// LOWERED: isa.cross_core_set {{.*}} {from = #isa.pipe<FIX>}
// LOWERED: isa.cross_core_wait {{.*}} {on = #isa.pipe<MTE1>}
// LOWERED: %[[P:.*]] = tile.load {{.*}} -> <32x32xf16, L1>
// LOWERED: tile.matmul %[[P]]
// LOWERED: isa.cross_core_set {{.*}} {from = #isa.pipe<MTE1>}
// LOWERED: return
// A vector core has its own part in its slot; it is over behind the last operation that reads it.
// LOWERED-LABEL: func.func @both.vector(
// LOWERED-COUNT-2: isa.cross_core_set {{.*}} {from = #isa.pipe<V>}
// LOWERED: isa.cross_core_wait {{.*}} {on = #isa.pipe<V>}
// LOWERED: %[[X:.*]] = tile.load {{.*}} : <16x32xf32>, f32 -> <16x32xf32, UB>
// LOWERED: tile.reduce max %[[X]]
// LOWERED: tile.binary sub %[[X]]
// LOWERED-NOT: tile.unary
// LOWERED: isa.cross_core_set {{.*}} {from = #isa.pipe<V>}
// LOWERED: isa.cross_core_wait {{.*}} {on = #isa.pipe<MTE3>}
// LOWERED: tile.store %{{.*}} : <16x32xf16, UB>, <32x32xf16>
// LOWERED: isa.cross_core_set {{.*}} {from = #isa.pipe<MTE3>}
func.func @both(%q: !tile.ptr<f16>, %o: !tile.ptr<f32>, %s: !tile.ptr<f32> {isa.channel = 0 : i64, isa.noalias}, %t: !tile.ptr<f16> {isa.channel = 0 : i64, isa.noalias}) attributes {tile.kernel, isa.core = "AIC", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %pad = arith.constant 0.0 : f16
  %u = tile.tensor %q, [] : !tile.ptr<f16> -> !tile.tensor<32x32xf16>
  %w = tile.tensor %o, [] : !tile.ptr<f32> -> !tile.tensor<32x32xf32>
  %a = tile.load %u[%c0, %c0], %pad : !tile.tensor<32x32xf16>, f16 -> !tile.tile<32x32xf16, L1>
  %x = tile.matmul %a, %a : !tile.tile<32x32xf16, L1>, !tile.tile<32x32xf16, L1> -> !tile.tile<32x32xf32, L0C>
  tile.send %x to 0 {argument = 2 : i64, flag = 0 : i64} : !tile.tile<32x32xf32, L0C>
  %p = tile.receive from 1 {argument = 3 : i64, flag = 2 : i64} : !tile.tile<32x32xf16, L1>
  %y = tile.matmul %p, %a : !tile.tile<32x32xf16, L1>, !tile.tile<32x32xf16, L1> -> !tile.tile<32x32xf32, L0C>
  tile.store %y, %w[%c0, %c0] : !tile.tile<32x32xf32, L0C>, !tile.tensor<32x32xf32>
  return
}
func.func @both.vector(%q: !tile.ptr<f16>, %o: !tile.ptr<f32>, %s: !tile.ptr<f32> {isa.channel = 0 : i64, isa.noalias}, %t: !tile.ptr<f16> {isa.channel = 0 : i64, isa.noalias}) attributes {tile.kernel, isa.core = "AIV", isa.vector_cores = 2 : i64, isa.half_of = "both"} {
  %x = tile.receive from 0 {argument = 2 : i64, axis = 0 : i64, flag = 0 : i64} : !tile.tile<16x32xf32, UB>
  %max = tile.reduce max %x [1] : !tile.tile<16x32xf32, UB> -> !tile.tile<16x1xf32, UB>
  %wide = tile.broadcast %max : !tile.tile<16x1xf32, UB> -> !tile.tile<16x32xf32, UB>
  %d = tile.binary sub %x, %wide : !tile.tile<16x32xf32, UB>, !tile.tile<16x32xf32, UB> -> !tile.tile<16x32xf32, UB>
  %e = tile.unary exp %d : !tile.tile<16x32xf32, UB>
  %p = tile.cast %e : !tile.tile<16x32xf32, UB> -> !tile.tile<16x32xf16, UB>
  tile.send %p to 1 {argument = 3 : i64, axis = 0 : i64, flag = 2 : i64} : !tile.tile<16x32xf16, UB>
  return
}

// -----

// What leaves the vector core as it came is no matter for its vector pipe; rows of 15 elements do not end with blocks;
// what a loop carries on would lie in the slot when the next one comes.
// CHECK-LABEL: func.func @through_workspace(
// CHECK-NOT: isa.direct
// CHECK-LABEL: func.func @through_workspace.vector(
func.func @through_workspace(%o: !tile.ptr<f32>, %s: !tile.ptr<f32> {isa.channel = 0 : i64}, %t: !tile.ptr<f32> {isa.channel = 0 : i64}, %r: !tile.ptr<f32> {isa.channel = 0 : i64}) attributes {tile.kernel, isa.core = "AIC", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %x = tile.zeros_acc : !tile.tile<16x16xf32, L0C>
  tile.send %x to 0 {argument = 1 : i64, flag = 0 : i64} : !tile.tile<16x16xf32, L0C>
  %y = tile.zeros_acc : !tile.tile<16x15xf32, L0C>
  tile.send %y to 1 {argument = 2 : i64, flag = 2 : i64} : !tile.tile<16x15xf32, L0C>
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    %z = tile.zeros_acc : !tile.tile<16x16xf32, L0C>
    tile.send %z to 2 {argument = 3 : i64, flag = 4 : i64} : !tile.tile<16x16xf32, L0C>
  }
  return
}
func.func @through_workspace.vector(%o: !tile.ptr<f32>, %s: !tile.ptr<f32> {isa.channel = 0 : i64}, %t: !tile.ptr<f32> {isa.channel = 0 : i64}, %r: !tile.ptr<f32> {isa.channel = 0 : i64}) attributes {tile.kernel, isa.core = "AIV", isa.vector_cores = 1 : i64, isa.half_of = "through_workspace"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant 0.0 : f32
  %w = tile.tensor %o, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %x = tile.receive from 0 {argument = 1 : i64, flag = 0 : i64} : !tile.tile<16x16xf32, UB>
  tile.store %x, %w[%c0, %c0] : !tile.tile<16x16xf32, UB>, !tile.tensor<16x16xf32>
  %y = tile.receive from 1 {argument = 2 : i64, flag = 2 : i64} : !tile.tile<16x15xf32, UB>
  %sum = tile.reduce sum %y [1] : !tile.tile<16x15xf32, UB> -> !tile.tile<16x1xf32, UB>
  tile.store %sum, %w[%c0, %c0] : !tile.tile<16x1xf32, UB>, !tile.tensor<16x16xf32>
  %begin = tile.splat %zero : f32 -> !tile.tile<16x16xf32, UB>
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %begin) -> (!tile.tile<16x16xf32, UB>) : i32 {
    %z = tile.receive from 2 {argument = 3 : i64, flag = 4 : i64} : !tile.tile<16x16xf32, UB>
    %e = tile.unary exp %old : !tile.tile<16x16xf32, UB>
    tile.store %e, %w[%c0, %c0] : !tile.tile<16x16xf32, UB>, !tile.tensor<16x16xf32>
    scf.yield %z : !tile.tile<16x16xf32, UB>
  }
  tile.store %last, %w[%c0, %c0] : !tile.tile<16x16xf32, UB>, !tile.tensor<16x16xf32>
  return
}
