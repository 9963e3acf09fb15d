// RUN: tilesmith-opt %s --emit-ascendc --split-input-file -o /dev/null | FileCheck %s --match-full-lines
// Loops and branches; what a region carries is a variable.

func.func @loop(%x: !isa.buffer<GM, i32>, %n: i32) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %idx = isa.block_idx : i64
  %first = arith.trunci %idx : i64 to i32
  %num = isa.block_num : i64
  %step = arith.trunci %num : i64 to i32
  scf.for %i = %first to %n step %step : i32 {
    isa.set_value %x, %i : !isa.buffer<GM, i32>, i32
  }
  %sum, %last = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0, %l = %c1) -> (i32, i32) : i32 {
    %next = arith.addi %s, %l : i32
    scf.yield %next, %s : i32, i32
  }
  isa.set_value %x, %sum : !isa.buffer<GM, i32>, i32
  isa.set_value %x, %last : !isa.buffer<GM, i32>, i32
  return
}
// CHECK:      __aicore__ inline int32_t WrapAdd32(int32_t a, int32_t b) {
// CHECK-NEXT:   return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void loop(__gm__ int32_t *p, int32_t p1) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<int32_t> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:   const int64_t v = AscendC::GetBlockIdx();
// CHECK-NEXT:   // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:   const int64_t v1 = AscendC::GetBlockNum();
// CHECK-NEXT:   const int32_t v2 = static_cast<int32_t>(v1);
// CHECK-NEXT:   // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:   for (int32_t i = static_cast<int32_t>(v); i < p1; i = WrapAdd32(i, v2)) {
// CHECK-NEXT:     // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:     p_gm.SetValue(0, i);
// CHECK-NEXT:   }
// CHECK-NEXT:   // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:   int32_t carried = 0;
// CHECK-NEXT:   int32_t carried1 = 1;
// CHECK-NEXT:   for (int32_t i1 = 0; i1 < p1; ++i1) {
// CHECK-NEXT:     const int32_t next_carried = WrapAdd32(carried, carried1);
// CHECK-NEXT:     const int32_t next_carried1 = carried;
// CHECK-NEXT:     carried = next_carried;
// CHECK-NEXT:     carried1 = next_carried1;
// CHECK-NEXT:   }
// CHECK-NEXT:   // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, carried);
// CHECK-NEXT:   // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, carried1);
// CHECK-NEXT: }

// -----

// What a loop carries for its own next value only is no variable: compilers would warn of one that nobody reads.
func.func @unread(%x: !isa.buffer<GM, i32>, %n: i32) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p, %q, %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %s = %c0, %b = %c1) -> (i32, i32, i32) : i32 {
    %even = arith.cmpi slt, %b, %n : i32
    %other = scf.if %even -> (i32) {
      scf.yield %a : i32
    } else {
      scf.yield %b : i32
    }
    %next = arith.addi %s, %i : i32
    %moved = arith.addi %a, %n : i32
    scf.yield %moved, %next, %other : i32, i32, i32
  }
  isa.set_value %x, %q : !isa.buffer<GM, i32>, i32
  return
}
// CHECK:      extern "C" __global__ __aicore__ void unread(__gm__ int32_t *p, int32_t p1) {
// CHECK:        int32_t carried = 0;
// CHECK-NEXT:   for (int32_t i = 0; i < p1; ++i) {
// CHECK-NEXT:     carried = WrapAdd32(carried, i);
// CHECK-NEXT:   }
// CHECK-NEXT:   // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, carried);

// -----

// A step that may be below 1 makes no trip then.
func.func @step(%x: !isa.buffer<GM, i32>, %n: i32, %by: i32) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i32
  scf.for %i = %c0 to %n step %by : i32 {
    isa.set_value %x, %i : !isa.buffer<GM, i32>, i32
  }
  return
}
// CHECK:      __aicore__ inline int32_t WrapAdd32(int32_t a, int32_t b) {
// CHECK-NEXT:   return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void step(__gm__ int32_t *p, int32_t p1, int32_t p2) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<int32_t> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:   for (int32_t i = 0; p2 > 0 && i < p1; i = WrapAdd32(i, p2)) {
// CHECK-NEXT:     // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:     p_gm.SetValue(0, i);
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

func.func @branch(%x: !isa.buffer<GM, i32>, %a: i32, %f: i1) attributes {isa.kernel, isa.arch = "C220"} {
  %c7 = arith.constant 7 : i32
  %v = scf.if %f -> i32 {
    scf.yield %a : i32
  } else {
    isa.set_value %x, %c7 : !isa.buffer<GM, i32>, i32
    scf.yield %c7 : i32
  }
  scf.if %f {
    isa.set_value %x, %v : !isa.buffer<GM, i32>, i32
  }
  return
}
// CHECK:      extern "C" __global__ __aicore__ void branch(__gm__ int32_t *p, int32_t p1, bool p2) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<int32_t> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:   int32_t chosen;
// CHECK-NEXT:   if (p2) {
// CHECK-NEXT:     chosen = p1;
// CHECK-NEXT:   } else {
// CHECK-NEXT:     // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:     p_gm.SetValue(0, 7);
// CHECK-NEXT:     chosen = 7;
// CHECK-NEXT:   }
// CHECK-NEXT:   // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:   if (p2) {
// CHECK-NEXT:     // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:     p_gm.SetValue(0, chosen);
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

func.func @while(%x: !isa.buffer<GM, i32>, %n: i32) attributes {isa.kernel, isa.arch = "C220"} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %end = scf.while (%v = %n) : (i32) -> i32 {
    %go = arith.cmpi sgt, %v, %c1 : i32
    scf.condition(%go) %v : i32
  } do {
  ^bb0(%v: i32):
    %half = arith.divsi %v, %c2 : i32
    scf.yield %half : i32
  }
  isa.set_value %x, %end : !isa.buffer<GM, i32>, i32
  return
}
// CHECK:      extern "C" __global__ __aicore__ void while1(__gm__ int32_t *p, int32_t p1) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<int32_t> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:   int32_t carried = p1;
// CHECK-NEXT:   while (true) {
// CHECK-NEXT:     if (!(carried > 1)) {
// CHECK-NEXT:       break;
// CHECK-NEXT:     }
// CHECK-NEXT:     carried = carried / 2;
// CHECK-NEXT:   }
// CHECK-NEXT:   // control-flow.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, carried);
// CHECK-NEXT: }
