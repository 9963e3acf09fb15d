// RUN: tilesmith-opt %s --canonicalize --asc-to-isa=arch=C220 --verify-diagnostics --split-input-file | FileCheck %s

// An instruction whose operands fit is an op of the isa dialect; the kernel has its architecture.
// CHECK-LABEL: func @fits
// CHECK-SAME: isa.arch = "C220"
// CHECK: isa.add %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : <UB, f16>, <UB, f16>, <UB, f16>
// CHECK: isa.set_flag %{{.*}} {from = #isa.pipe<V>, to = #isa.pipe<MTE3>}
// CHECK-NOT: asc.issue
func.func @fits(%address: i64) attributes {isa.kernel, asc.kernel} {
  %n = arith.constant 64 : i64
  %x = asc.at %address : !isa.buffer<UB, f16>
  asc.issue "add"(%x, %x, %x, %n) {choices = {}} : (!isa.buffer<UB, f16>, !isa.buffer<UB, f16>, !isa.buffer<UB, f16>, i64) -> ()
  asc.issue "set_flag"(%n) {choices = {from = 1 : i64, to = 5 : i64}} : (i64) -> ()
  return
}

// -----

// One in the wrong memory is called as it is, with a warning; the Machine reports it.
// CHECK-LABEL: func @wrong_memory
// CHECK: asc.call "add" place(%{{.*}}) : (i64, !isa.buffer<L1, f16>, !isa.buffer<UB, f16>, !isa.buffer<UB, f16>, i64) -> ()
func.func @wrong_memory(%a: i64, %b: i64) attributes {isa.kernel, asc.kernel} {
  %n = arith.constant 64 : i64
  %x = asc.at %a : !isa.buffer<L1, f16>
  %y = asc.at %b : !isa.buffer<UB, f16>
  // expected-warning @below {{Add: operand 'dst' cannot live in L1; running it is a finding}}
  asc.issue "add"(%x, %y, %y, %n) {choices = {}} : (!isa.buffer<L1, f16>, !isa.buffer<UB, f16>, !isa.buffer<UB, f16>, i64) -> ()
  return
}

// -----

// A type the architecture does not have.
// CHECK-LABEL: func @wrong_type
// CHECK: asc.call "add"
func.func @wrong_type(%a: i64) attributes {isa.kernel, asc.kernel} {
  %n = arith.constant 64 : i64
  %x = asc.at %a : !isa.buffer<UB, bf16>
  // expected-warning @below {{Add: does not take 'bf16' on C220; running it is a finding}}
  asc.issue "add"(%x, %x, %x, %n) {choices = {}} : (!isa.buffer<UB, bf16>, !isa.buffer<UB, bf16>, !isa.buffer<UB, bf16>, i64) -> ()
  return
}

// -----

// At the address of a buffer, or some bytes further on, it is that buffer: the planner and the order of pipes see through.
// CHECK-LABEL: func @same_buffer
// CHECK: %[[X:.*]] = isa.alloc 256 : <UB, f16>
// CHECK: %[[SECOND:.*]] = isa.offset %[[X]], %{{.*}} : <UB, f16>
// CHECK: isa.abs %[[X]], %[[SECOND]]
func.func @same_buffer(%bytes: i64) attributes {isa.kernel, asc.kernel} {
  %n = arith.constant 64 : i64
  %x = isa.alloc 256 : <UB, f16>
  %address = asc.address %x : !isa.buffer<UB, f16>
  %further = arith.addi %address, %bytes : i64
  %first = asc.at %address : !isa.buffer<UB, f16>
  %second = asc.at %further : !isa.buffer<UB, f16>
  asc.issue "abs"(%first, %second, %n) {choices = {}} : (!isa.buffer<UB, f16>, !isa.buffer<UB, f16>, i64) -> ()
  return
}
