// RUN: tilesmith-opt %s --synchronise=within-vector=true | FileCheck %s
// Only barriers between vector instructions that depend on each other: what the vendor's compiler adds on its own.

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// CHECK-LABEL: func @c220
// CHECK-NOT: isa.set_flag
// CHECK: isa.copy_gm_to_ub
// CHECK-NEXT: isa.exp
// CHECK-NEXT: isa.pipe_barrier {on = #isa.pipe<V>}
// CHECK-NEXT: isa.exp
// CHECK-NEXT: isa.copy_ub_to_gm
// CHECK-NEXT: return
func.func @c220(%x: !gm) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  isa.copy_gm_to_ub %a, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.exp %a, %a, %c64 : !ub, !ub
  isa.exp %a, %a, %c64 : !ub, !ub
  isa.copy_ub_to_gm %x, %a, %c1, %c64, %c0, %c0 : !gm, !ub
  return
}

// The vector pipe of the 950 keeps its own order.
// CHECK-LABEL: func @c310
// CHECK-NOT: isa.pipe_barrier
// CHECK: return
func.func @c310(%x: !gm) attributes {isa.kernel, isa.arch = "C310"} {
  %c64 = arith.constant 64 : i64
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  isa.exp %a, %a, %c64 : !ub, !ub
  isa.exp %a, %a, %c64 : !ub, !ub
  return
}
