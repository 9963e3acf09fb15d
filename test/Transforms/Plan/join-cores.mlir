// RUN: tilesmith-opt %s --split-input-file --join-cores | FileCheck %s
// One kernel of both halves: a branch on the kind of core, and the workspace as last parameter.

// CHECK-LABEL: func.func @kernel(
// CHECK-SAME: %[[Q:.*]]: !isa.buffer<GM, f32>, %[[W:.*]]: !isa.buffer<GM, i8> {isa.noalias})
// CHECK-SAME: isa.kernel_type = "MixAic_1_2"
// CHECK-SAME: isa.rings = [{bytes = 1024 : i64, from = "AIC", offset = 0 : i64, received = 5 : i64, sent = 3 : i64, slots = 2 : i64}]
// CHECK-SAME: isa.workspace = 3072 : i64
// CHECK: %[[CUBE:.*]] = isa.on_cube
// CHECK: scf.if %[[CUBE]] {
// CHECK: %[[BLOCK:.*]] = isa.block_idx
// CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]]
// CHECK: %[[PART:.*]] = isa.offset %[[W]], %[[FIRST]]
// CHECK: %[[CHANNEL:.*]] = isa.view %[[PART]] : <GM, i8> -> <GM, f32>
// CHECK: isa.fixpipe_to_gm %[[CHANNEL]]
// CHECK: } else {
// CHECK: %[[INDEX:.*]] = isa.block_idx
// CHECK: arith.divui %[[INDEX]]
// CHECK: isa.copy_gm_to_ub
// CHECK-NOT: func.func
func.func @kernel(%q: !isa.buffer<GM, f32>, %w: !isa.buffer<GM, f32> {isa.channel = 2048 : i64, isa.noalias, isa.ring = {bytes = 1024 : i64, slots = 2 : i64, from = "AIC", sent = 3 : i64}}, %v: !isa.buffer<GM, f16> {isa.channel = 1024 : i64, isa.noalias}) attributes {isa.kernel, isa.arch = "C220", isa.core = "AIC", isa.vector_cores = 2 : i64} {
  %c16 = arith.constant 16 : i64
  %c0 = arith.constant 0 : i64
  %acc = isa.alloc 1024 {address = 0 : i64} : !isa.buffer<L0C, f32>
  isa.fixpipe_to_gm %w, %acc, %c16, %c16, %c16, %c16, %c0, %c0 {quant = #isa.quant_mode<NoQuant>} : !isa.buffer<GM, f32>, !isa.buffer<L0C, f32>
  return
}
func.func @kernel.vector(%q: !isa.buffer<GM, f32>, %w: !isa.buffer<GM, f32> {isa.channel = 2048 : i64, isa.noalias, isa.ring = {bytes = 1024 : i64, slots = 2 : i64, received = 5 : i64}}, %v: !isa.buffer<GM, f16> {isa.channel = 1024 : i64, isa.noalias}) attributes {isa.kernel, isa.arch = "C220", isa.core = "AIV", isa.half_of = "kernel", isa.vector_cores = 2 : i64} {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant 0.0 : f32
  %x = isa.alloc 64 {address = 0 : i64} : !isa.buffer<UB, f32>
  isa.copy_gm_to_ub %x, %w, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %zero : !isa.buffer<UB, f32>, !isa.buffer<GM, f32>, f32
  return
}

// -----

// A kernel of one kind of core: what blocks share lies first, and behind it a piece for each block.
// CHECK-LABEL: func.func @scratch(
// CHECK-SAME: %[[W:[^ ]*]]: !isa.buffer<GM, i8> {isa.noalias})
// CHECK-SAME: isa.shared_workspace = 512 : i64
// CHECK-SAME: isa.workspace = 256 : i64
// CHECK: %[[BLOCK:.*]] = isa.block_idx
// CHECK: %[[PIECE:.*]] = arith.muli %[[BLOCK]], %c256
// CHECK: %[[OWN:.*]] = arith.addi %[[PIECE]], %c512
// CHECK: isa.offset %[[W]], %[[OWN]]
// CHECK: isa.offset %[[W]], %c0
func.func @scratch(%q: !isa.buffer<GM, f32>, %own: !isa.buffer<GM, f32> {isa.scratch = 256 : i64, isa.noalias}, %all: !isa.buffer<GM, f32> {isa.scratch = 512 : i64, isa.shared, isa.noalias}) attributes {isa.kernel, isa.arch = "C220"} {
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant 0 : i64
  %pad = arith.constant 0.0 : f32
  %x = isa.alloc 64 {address = 0 : i64} : !isa.buffer<UB, f32>
  isa.copy_gm_to_ub %x, %own, %c1, %c64, %zero, %zero, %zero, %zero, %zero, %pad : !isa.buffer<UB, f32>, !isa.buffer<GM, f32>, f32
  isa.copy_gm_to_ub %x, %all, %c1, %c64, %zero, %zero, %zero, %zero, %zero, %pad : !isa.buffer<UB, f32>, !isa.buffer<GM, f32>, f32
  return
}
