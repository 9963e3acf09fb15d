// RUN: tilesmith-opt %s --lower-isa-to-llvm | FileCheck %s
// Each kernel of a module becomes a function of its own, with its own table of places; the Machine's entries are declared
// once, and vector functions do not share names.

// CHECK-LABEL: llvm.func @ts_kernel_first(
// CHECK-SAME:  attributes {isa.locations = ["unknown", {{.*}}"a.py:1:1"
// CHECK:       llvm.call @tsm_set_value
// CHECK:       llvm.mlir.addressof @ts_vf_0 : !llvm.ptr
// CHECK-LABEL: llvm.func @ts_kernel_second(
// CHECK-SAME:  attributes {isa.locations = ["unknown", {{.*}}"b.py:2:2", "lib.py:5:1 from 3"
// CHECK:       llvm.call @tsm_set_value
// CHECK:       llvm.mlir.addressof @ts_vf_1 : !llvm.ptr
// CHECK-NOT:   func.func
// CHECK-COUNT-1: llvm.func @tsm_set_value(
// CHECK-NOT:   llvm.func @tsm_set_value(
func.func private @store(%x: !isa.buffer<GM, i32>, %v: i32) {
  isa.set_value %x, %v : !isa.buffer<GM, i32>, i32 loc("lib.py":5:1)
  return
}
func.func private @scale(%x: !isa.buffer<UB, f32>) {
  isa.vf 1 x 64(%x) : !isa.buffer<UB, f32> {
  ^bb0(%p: !isa.buffer<UB, f32>):
    %0 = isa.vf_load %p full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    %1 = isa.vf_compute "exp"(%0) : (!isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_store %1, %p full : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  return
}
func.func @first(%x: !isa.buffer<GM, i32>, %n: i32) attributes {isa.kernel, isa.arch = "C310"} {
  %a = isa.alloc 256 {address = 0 : i64} : !isa.buffer<UB, f32>
  isa.set_value %x, %n : !isa.buffer<GM, i32>, i32 loc("a.py":1:1)
  func.call @scale(%a) : (!isa.buffer<UB, f32>) -> ()
  return
}
func.func @second(%x: !isa.buffer<GM, i32>, %n: i32) attributes {isa.kernel, isa.arch = "C310"} {
  %a = isa.alloc 256 {address = 0 : i64} : !isa.buffer<UB, f32>
  func.call @store(%x, %n) : (!isa.buffer<GM, i32>, i32) -> () loc("b.py":2:2)
  func.call @scale(%a) : (!isa.buffer<UB, f32>) -> ()
  return
}
