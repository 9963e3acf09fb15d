// RUN: tilesmith-opt %s --canonicalize --cse --lower-to-isa="arch=C220" --canonicalize --cse --split-input-file | FileCheck %s

// A loop whose body does nothing and whose results nobody reads stays: it may be meant never to end.
// CHECK-LABEL: func @kept
// CHECK: scf.while
// CHECK: isa.keep
func.func @kept(%n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %go = arith.cmpi sgt, %i, %zero : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%i: i32):
    tile.keep
    scf.yield %i : i32
  }
  return
}

// -----

// Without it the loop is dead code.
// CHECK-LABEL: func @dropped
// CHECK-NOT: scf.while
func.func @dropped(%n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %go = arith.cmpi sgt, %i, %zero : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  return
}
