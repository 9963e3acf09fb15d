// RUN: tilesmith-opt %s --emit-ascendc --split-input-file --verify-diagnostics -o /dev/null | FileCheck %s --match-full-lines
// Kernels of one module are one source file: what they have in common stands there once, the text of a device function
// where it is called.

// CHECK:      // Kernel first for C310, written by Tilesmith{{.*}}
// CHECK-NEXT: // Kernel second for C310, written by Tilesmith{{.*}}
// CHECK-NEXT: #include "kernel_operator.h"
// CHECK-COUNT-1: {{.*}}ShiftRight32(int32_t a, uint32_t n) {{.*}}
// CHECK-NOT:  {{.*}}ShiftRight32(int32_t a, uint32_t n) {{.*}}
// CHECK:      __simd_vf__ inline void first_vf0(__ubuf__ float *tile) {
// CHECK:      __simd_vf__ inline void second_vf0(__ubuf__ float *tile) {
// CHECK:      extern "C" __global__ __aicore__ void first(__gm__ int32_t *p, int32_t p1) {
// CHECK:        asc_vf_call<first_vf0>((__ubuf__ float *)tile.GetPhyAddr());
// CHECK:      extern "C" __global__ __aicore__ void second(__gm__ int32_t *p, int32_t p1) {
// CHECK:        asc_vf_call<second_vf0>((__ubuf__ float *)tile.GetPhyAddr());
func.func private @scale(%x: !isa.buffer<UB, f32>) {
  isa.vf 1 x 64(%x) : !isa.buffer<UB, f32> {
  ^bb0(%p: !isa.buffer<UB, f32>):
    %0 = isa.vf_load %p full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %1 = isa.vf_compute "exp"(%0) : (!isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_store %1, %p full : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  return
}
func.func private @shifted(%x: !isa.buffer<GM, i32>, %n: i32) {
  %0 = arith.shrsi %n, %n : i32
  isa.set_value %x, %0 : !isa.buffer<GM, i32>, i32
  return
}
func.func @first(%x: !isa.buffer<GM, i32>, %n: i32) attributes {isa.kernel, isa.arch = "C310"} {
  %a = isa.alloc 256 {address = 0 : i64} : !isa.buffer<UB, f32>
  func.call @shifted(%x, %n) : (!isa.buffer<GM, i32>, i32) -> ()
  func.call @scale(%a) : (!isa.buffer<UB, f32>) -> ()
  return
}
func.func @second(%x: !isa.buffer<GM, i32>, %n: i32) attributes {isa.kernel, isa.arch = "C310"} {
  %a = isa.alloc 256 {address = 0 : i64} : !isa.buffer<UB, f32>
  func.call @shifted(%x, %n) : (!isa.buffer<GM, i32>, i32) -> ()
  func.call @scale(%a) : (!isa.buffer<UB, f32>) -> ()
  return
}

// -----

// A kernel with the name of a helper is renamed, not the helper.
// CHECK:      extern "C" __global__ __aicore__ void ShiftRight32_1(int32_t p) {
func.func @ShiftRight32(%n: i32) attributes {isa.kernel, isa.arch = "C220"} {
  return
}

// -----

func.func @select(%n: i32) attributes {isa.kernel, isa.arch = "C220"} {
  return
}
// expected-error @+1 {{two functions of the file would be called 'select1'}}
func.func @select1(%n: i32) attributes {isa.kernel, isa.arch = "C220"} {
  return
}

// -----

// expected-error @+1 {{there is no kernel to emit: no function has the attribute isa.kernel}}
module attributes {} {
  func.func @helper() {
    return
  }
}
