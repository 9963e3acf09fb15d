// RUN: tilesmith-opt %s --version-wraps --lower-accesses --canonicalize --cse --split-input-file | FileCheck %s
// A range that wraps around is a range in programs where it does not; where it does, elements are read one by one.
// CHECK-LABEL: func.func @wrap
// CHECK: scf.if
// CHECK: tile.load
// CHECK-NOT: gather_rows
// CHECK: } else {
// CHECK: tile.gather_rows
func.func @wrap(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %start: i32, %n: i32) attributes {tile.kernel} {
  %a = tile.arange : !tile.tile<64xi32, UB>
  %s = tile.binary add %a, %start : !tile.tile<64xi32, UB>, i32 -> !tile.tile<64xi32, UB>
  %o = tile.binary rem %s, %n : !tile.tile<64xi32, UB>, i32 -> !tile.tile<64xi32, UB>
  %x = triton.load %p[%o] : !tile.ptr<f32>, !tile.tile<64xi32, UB> -> !tile.tile<64xf32, UB>
  triton.store %x, %q[%a] : !tile.tile<64xf32, UB>, !tile.ptr<f32>, !tile.tile<64xi32, UB>
  return
}

// -----

// Without an access behind it nothing is written twice.
// CHECK-LABEL: func.func @data
// CHECK-NOT: scf.if
func.func @data(%q: !tile.ptr<i32>, %start: i32, %n: i32) attributes {tile.kernel} {
  %a = tile.arange : !tile.tile<64xi32, UB>
  %s = tile.binary add %a, %start : !tile.tile<64xi32, UB>, i32 -> !tile.tile<64xi32, UB>
  %o = tile.binary rem %s, %n : !tile.tile<64xi32, UB>, i32 -> !tile.tile<64xi32, UB>
  triton.store %o, %q[%a] : !tile.tile<64xi32, UB>, !tile.ptr<i32>, !tile.tile<64xi32, UB>
  return
}
