// RUN: tilesmith-opt %s --lower-isa-to-llvm | FileCheck %s
// One instruction is one call: core, location, dtypes, then the record's operands in order, all int64.

// CHECK-LABEL: llvm.func @ts_kernel_add(
// CHECK-SAME: %[[CORE:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr)
// CHECK-SAME: attributes {isa.locations = ["unknown", "add.py:7:9", {{.*}}, "add.py:9:5 z", "lib.py:3:2 from 1",
func.func @add(%x: !isa.buffer<GM, f32>, %y: !isa.buffer<GM, f32>, %s: f32, %h: f16, %n: i32, %f: i1)
    attributes {isa.kernel, isa.arch = "C220"} {
  // Parameters: addresses as they are, scalars from their bits.
  // CHECK: %[[AT0:.*]] = llvm.getelementptr %[[ARGS]][0] : (!llvm.ptr) -> !llvm.ptr, i64
  // CHECK: %[[X:.*]] = llvm.load %[[AT0]] : !llvm.ptr -> i64
  // CHECK: llvm.getelementptr %[[ARGS]][2] : (!llvm.ptr) -> !llvm.ptr, i64
  // CHECK: llvm.trunc %{{.*}} : i64 to i32
  // CHECK: llvm.bitcast %{{.*}} : i32 to f32
  // CHECK: llvm.trunc %{{.*}} : i64 to i16
  // CHECK: llvm.bitcast %{{.*}} : i16 to f16
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %zero = arith.constant 0.0 : f32
  // The memory is the top byte of an address: UB is 1.
  // CHECK: %[[A:.*]] = llvm.mlir.constant(72057594037928192 : i64) : i64
  %a = isa.alloc 256 {address = 256 : i64} : !isa.buffer<UB, f32>
  %ring = isa.alloc 256 {address = 1024 : i64, slots = 2 : i64} : !isa.buffer<UB, f32>
  // CHECK: %[[SLOT:.*]] = llvm.urem
  // CHECK: %[[BYTES:.*]] = llvm.mul %[[SLOT]]
  // CHECK: %[[Z:.*]] = llvm.add %{{.*}}, %[[BYTES]]
  %z = isa.slot %ring[%c1] : !isa.buffer<UB, f32>
  // CHECK: llvm.call @tsm_copy_gm_to_ub(%[[CORE]], %{{.*}}, %{{.*}}, %[[A]], %[[X]],
  isa.copy_gm_to_ub %a, %x, %c1, %c256, %c0, %c0, %c0, %c0, %c0, %zero
    : !isa.buffer<UB, f32>, !isa.buffer<GM, f32>, f32 loc("add.py":7:9)
  // CHECK: %[[MTE2:.*]] = llvm.mlir.constant(4 : i64)
  // CHECK: %[[V:.*]] = llvm.mlir.constant(1 : i64)
  // CHECK: llvm.call @tsm_set_flag(%[[CORE]], %{{.*}}, %[[MTE2]], %[[V]], %{{.*}})
  isa.set_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  // CHECK: %[[LOC:.*]] = llvm.mlir.constant(3 : i64)
  // CHECK: %[[F32:.*]] = llvm.mlir.constant(2 : i64)
  // CHECK: llvm.call @tsm_add(%[[CORE]], %[[LOC]], %[[F32]], %[[Z]], %[[A]], %[[A]], %{{.*}})
  isa.add %z, %a, %a, %c64 : !isa.buffer<UB, f32>, !isa.buffer<UB, f32>, !isa.buffer<UB, f32> loc("z"("add.py":9:5))
  // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : f32 to i32
  // CHECK: %[[WIDE:.*]] = llvm.zext %[[BITS]] : i32 to i64
  // CHECK: llvm.call @tsm_adds(%{{.*}}, %[[WIDE]], %{{.*}})
  isa.adds %z, %z, %s, %c64 : !isa.buffer<UB, f32>, !isa.buffer<UB, f32>, f32 loc(callsite("lib.py":3:2 at "add.py":7:9))
  // A conversion carries two dtypes: F16 and F32.
  // CHECK: llvm.mlir.constant(0 : i64)
  // CHECK: llvm.mlir.constant(2 : i64)
  // CHECK: llvm.call @tsm_cast(
  %narrow = isa.view %a : !isa.buffer<UB, f32> -> !isa.buffer<UB, f16>
  isa.cast %narrow, %z, %c64 {round = #isa.round_mode<Rint>} : !isa.buffer<UB, f16>, !isa.buffer<UB, f32>
  // CHECK: %[[RAW:.*]] = llvm.call @tsm_get_value({{.*}}) : (!llvm.ptr, i64, i64, i64) -> i64
  // CHECK: %[[LOW:.*]] = llvm.trunc %[[RAW]] : i64 to i16
  // CHECK: llvm.bitcast %[[LOW]] : i16 to f16
  %v = isa.get_value %narrow : !isa.buffer<UB, f16> -> f16
  %sum = arith.addf %v, %h : f16
  isa.set_value %narrow, %sum : !isa.buffer<UB, f16>, f16
  // CHECK: llvm.call @tsm_block_idx(%[[CORE]], %{{.*}}) : (!llvm.ptr, i64) -> i64
  %i = isa.block_idx : i64
  %far = isa.offset %y, %i : !isa.buffer<GM, f32>
  isa.copy_ub_to_gm %far, %z, %c1, %c256, %c0, %c0 : !isa.buffer<GM, f32>, !isa.buffer<UB, f32>
  // CHECK: llvm.return
  return
}
