// RUN: tilesmith-opt %s --emit-ascendc --split-input-file -o /dev/null | FileCheck %s --match-full-lines
// Names and places come from the Python source. What C++ has another meaning for gets a number.

func.func @double(%x: !isa.buffer<GM, i32> loc("x_ptr"("k.py":1:12)), %n: i32 loc("int"("k.py":1:19)))
    attributes {isa.kernel, isa.arch = "C220"} {
  %c1 = arith.constant 1 : i32 loc("k.py":2:1)
  %c64 = arith.constant 64 : i64 loc("k.py":2:1)
  %t = isa.alloc 256 {address = 0 : i64, source = "größe"} : <UB, i32> loc("k.py":2:1)
  %u = isa.alloc 256 {address = 256 : i64, source = "__x"} : <UB, i32> loc("k.py":2:1)
  %v = isa.alloc 256 {address = 512 : i64, source = "x_ptr"} : <UB, i32> loc("k.py":2:1)
  %size = arith.addi %n, %c1 : i32 loc("size"("k.py":3:3))
  isa.add %t, %u, %v, %c64 : <UB, i32>, <UB, i32>, <UB, i32> loc("k.py":4:3)
  isa.add %t, %t, %v, %c64 : <UB, i32>, <UB, i32>, <UB, i32> loc("k.py":4:9)
  // An inlined function's own line; the first known part of several.
  isa.set_value %x, %size : !isa.buffer<GM, i32>, i32 loc(callsite("helper.py":7:1 at "k.py":5:3))
  isa.set_value %x, %size : !isa.buffer<GM, i32>, i32 loc(fused["k.py":6:3, "k.py":7:3])
  return loc("k.py":8:1)
} loc("k.py":1:1)
// CHECK:      __aicore__ inline int32_t WrapAdd32(int32_t a, int32_t b) {
// CHECK-NEXT:   return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void double1(__gm__ int32_t *x_ptr, int32_t int1) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<int32_t> x_gm;
// CHECK-NEXT:   x_gm.SetGlobalBuffer(x_ptr);
// CHECK-NEXT:   AscendC::LocalTensor<int32_t> gr_e(AscendC::TPosition::VECCALC, 0, 64);
// CHECK-NEXT:   AscendC::LocalTensor<int32_t> x(AscendC::TPosition::VECCALC, 256, 64);
// CHECK-NEXT:   AscendC::LocalTensor<int32_t> x_ptr1(AscendC::TPosition::VECCALC, 512, 64);
// CHECK-NEXT:   // k.py:3
// CHECK-NEXT:   const int32_t size = WrapAdd32(int1, 1);
// CHECK-NEXT:   // k.py:4
// CHECK-NEXT:   AscendC::Add(gr_e, x, x_ptr1, 64);
// CHECK-NEXT:   AscendC::Add(gr_e, gr_e, x_ptr1, 64);
// CHECK-NEXT:   // helper.py:7
// CHECK-NEXT:   x_gm.SetValue(0, size);
// CHECK-NEXT:   // k.py:6
// CHECK-NEXT:   x_gm.SetValue(0, size);
// CHECK-NEXT: }

// -----

// Kernels have C names, and so have the functions of the C library.
func.func @select(%x: !isa.buffer<GM, i32>) attributes {isa.kernel, isa.arch = "C220"} {
  return
}
// CHECK:      extern "C" __global__ __aicore__ void select1(__gm__ int32_t *p) {

// -----

func.func @exp(%x: !isa.buffer<GM, i32>) attributes {isa.kernel, isa.arch = "C220"} {
  return
}
// CHECK:      extern "C" __global__ __aicore__ void exp1(__gm__ int32_t *p) {
