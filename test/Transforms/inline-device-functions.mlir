// RUN: tilesmith-opt %s --inline-device-functions --split-input-file --verify-diagnostics --mlir-print-debuginfo | FileCheck %s

// Bodies stand where they are called, those called from bodies too, and remember the call; the functions are gone and
// both kernels are left.
// CHECK-NOT:   func.func @twice
// CHECK-NOT:   func.func @four_times
// CHECK-LABEL: func.func @first
// CHECK:         %[[TWO:.*]] = arith.addi %arg0, %arg0 : i32 loc(#[[PLACE:.*]])
// CHECK-NEXT:    %[[FOUR:.*]] = arith.addi %[[TWO]], %[[TWO]] : i32
// CHECK-NEXT:    arith.muli %[[FOUR]], %arg0 : i32
// CHECK-NOT:     call
// CHECK-LABEL: func.func @second
// CHECK-NEXT:    arith.addi %arg0, %arg0 : i32
// CHECK-NOT:     func.func
// CHECK-DAG:   #[[HELPER:.*]] = loc("helper.py":2:3)
// CHECK-DAG:   #[[INNER:.*]] = loc(callsite(#[[HELPER]] at
func.func private @twice(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32 loc("helper.py":2:3)
  return %0 : i32
}
func.func private @four_times(%x: i32) -> i32 {
  %0 = func.call @twice(%x) : (i32) -> i32 loc("helper.py":6:1)
  %1 = func.call @twice(%0) : (i32) -> i32
  return %1 : i32
}
func.func @first(%n: i32) attributes {tile.kernel} {
  %0 = func.call @four_times(%n) : (i32) -> i32 loc("kernel.py":9:5)
  %1 = arith.muli %0, %n : i32
  return
}
func.func @second(%n: i32) attributes {tile.kernel} {
  %0 = func.call @twice(%n) : (i32) -> i32
  return
}

// -----

func.func private @again(%x: i32) {
  // expected-error @+1 {{'again' cannot be called here: it calls itself}}
  func.call @again(%x) : (i32) -> ()
  return
}
func.func @recursive(%n: i32) attributes {tile.kernel} {
  func.call @again(%n) : (i32) -> ()
  return
}

// -----

func.func @other(%n: i32) attributes {tile.kernel} {
  return
}
func.func @launches(%n: i32) attributes {tile.kernel} {
  // expected-error @+1 {{'other' cannot be called here: it is a kernel}}
  func.call @other(%n) : (i32) -> ()
  return
}

// -----

func.func private @elsewhere(%x: i32)
func.func @outside(%n: i32) attributes {tile.kernel} {
  // expected-error @+1 {{'elsewhere' cannot be called here: it has no body}}
  func.call @elsewhere(%n) : (i32) -> ()
  return
}

// -----

func.func private @says() attributes {isa.prints = [["hello"]]} {
  return
}
func.func @quiet() attributes {tile.kernel} {
  // expected-error @+1 {{'says' cannot be called here: it prints, which only a kernel can}}
  func.call @says() : () -> ()
  return
}

// -----

func.func private @branches(%x: i1) {
  return
^bb1:
  return
}
func.func @structured(%x: i1) attributes {tile.kernel} {
  // expected-error @+1 {{'branches' cannot be called here: it has more than one block}}
  func.call @branches(%x) : (i1) -> ()
  return
}
