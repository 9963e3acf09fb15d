// RUN: tilesmith-opt %s --lower-to-isa=arch=C310 --split-input-file | FileCheck %s
// Tiles that cross from memory to memory of a block's cores.

// All rows of a result leave for both vector cores at once, each to its half. A part of the rows goes to who has it, to
// its place there; one that both have parts of goes to both.
// CHECK-LABEL: func.func @to_ub
// CHECK: %[[SLOT:.*]] = isa.alloc 4096 {address = 8192 : i64{{.*}}} : <UB, f32>
// CHECK: isa.fixpipe_to_ub %[[SLOT]], %{{.*}}, %c32_i64{{.*}}, %c32_i64{{.*}}, %c32_i64{{.*}}, %c32_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c1_i64{{.*}}, %c0_i64{{.*}}
// CHECK: %[[AT:.*]] = isa.offset %[[SLOT]], %c1088_i64
// CHECK: isa.fixpipe_to_ub %[[AT]], %{{.*}}, %c16_i64{{.*}}, %c8_i64{{.*}}, %c16_i64{{.*}}, %c32_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}
// CHECK: isa.fixpipe_to_ub %[[SLOT]], %{{.*}}, %c32_i64{{.*}}, %c8_i64{{.*}}, %c16_i64{{.*}}, %c32_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c1_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}
func.func @to_ub(%s: !tile.ptr<f32> {isa.channel = 0 : i64, isa.direct = {address = 8192 : i64, axis = 0 : i64, bytes = 2048 : i64, cores = 2 : i64, memory = "UB", slots = 2 : i64}}) attributes {tile.kernel, isa.core = "AIC", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %t = tile.tensor %s, [] : !tile.ptr<f32> -> !tile.tensor<32x32xf32>
  %x = tile.zeros_acc : !tile.tile<32x32xf32, L0C>
  tile.store %x, %t[%c0, %c0] : !tile.tile<32x32xf32, L0C>, !tile.tensor<32x32xf32>
  %y = tile.zeros_acc : !tile.tile<8x16xf32, L0C>
  tile.store %y, %t[%c8, %c16] : !tile.tile<8x16xf32, L0C>, !tile.tensor<32x32xf32>
  %z = tile.zeros_acc : !tile.tile<8x32xf32, L0C>
  tile.store %z, %t[%c16, %c0] : !tile.tile<8x32xf32, L0C>, !tile.tensor<32x32xf32>
  return
}

// -----

// Rows go to L1 one by one where they are fewer than columns of blocks, and otherwise column by column.
// CHECK-LABEL: func.func @to_l1
// CHECK: %[[SLOT:.*]] = isa.alloc {{.*}} : <L1, f16>
// CHECK-COUNT-2: isa.copy_ub_to_l1 {{.*}}, %c4_i64{{.*}}, %c1_i64{{.*}}, %c0_i64{{.*}}, %c31_i64{{.*}} :
// CHECK-NOT: isa.copy_ub_to_l1 {{.*}}, %c4_i64
// CHECK: isa.copy_ub_to_l1 %{{.*}}, %{{.*}}, %c16_i64{{.*}}, %c1_i64{{.*}}, %c3_i64{{.*}}, %c0_i64{{.*}} :
// CHECK-COUNT-3: isa.copy_ub_to_l1
func.func @to_l1(%s: !tile.ptr<f16> {isa.channel = 0 : i64, isa.direct = {address = 8192 : i64, axis = 0 : i64, bytes = 4608 : i64, cores = 2 : i64, memory = "L1", slots = 1 : i64}}) attributes {tile.kernel, isa.core = "AIV", isa.vector_cores = 2 : i64} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %half = arith.constant 0.5 : f16
  %t = tile.tensor %s, [] : !tile.ptr<f16> -> !tile.tensor<32x64xf16>
  %x = tile.splat %half : f16 -> !tile.tile<2x64xf16, UB>
  tile.store %x, %t[%c0, %c0] : !tile.tile<2x64xf16, UB>, !tile.tensor<32x64xf16>
  %y = tile.splat %half : f16 -> !tile.tile<16x64xf16, UB>
  tile.store %y, %t[%c16, %c0] : !tile.tile<16x64xf16, UB>, !tile.tensor<32x64xf16>
  return
}
