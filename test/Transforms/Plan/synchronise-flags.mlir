// RUN: tilesmith-opt %s --synchronise --verify-synchronise --split-input-file | FileCheck %s
// Six flags per pair of pipes.

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// An id is used again when its last wait is known to be over: here the load waits for the compute before.
// CHECK-LABEL: func @reuse
// CHECK-COUNT-3: isa.set_flag %[[ZERO:.*]] {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
func.func @reuse(%x: !gm) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  isa.copy_gm_to_ub %a, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.exp %a, %a, %c64 : !ub, !ub
  isa.copy_gm_to_ub %a, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.exp %a, %a, %c64 : !ub, !ub
  isa.copy_gm_to_ub %a, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.exp %a, %a, %c64 : !ub, !ub
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// Nothing tells the moves how far the compute is, so each flag has its own id; when they run out, a barrier ends all waits.
// CHECK-LABEL: func @straight_line
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG:     %[[FIVE:.*]] = arith.constant 5 : i64
// CHECK:         isa.set_flag %[[ZERO]] {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
// CHECK:         isa.set_flag %[[FIVE]] {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
// CHECK:         isa.pipe_barrier {on = #isa.pipe<ALL>}
func.func @straight_line(%x: !gm) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %a0 = isa.alloc 256 {address = 0 : i64} : !ub
  isa.copy_gm_to_ub %a0, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.exp %a0, %a0, %c64 : !ub, !ub
  %a1 = isa.alloc 256 {address = 256 : i64} : !ub
  isa.copy_gm_to_ub %a1, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.exp %a1, %a1, %c64 : !ub, !ub
  %a2 = isa.alloc 256 {address = 512 : i64} : !ub
  isa.copy_gm_to_ub %a2, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.exp %a2, %a2, %c64 : !ub, !ub
  %a3 = isa.alloc 256 {address = 768 : i64} : !ub
  isa.copy_gm_to_ub %a3, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.exp %a3, %a3, %c64 : !ub, !ub
  %a4 = isa.alloc 256 {address = 1024 : i64} : !ub
  isa.copy_gm_to_ub %a4, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.exp %a4, %a4, %c64 : !ub, !ub
  %a5 = isa.alloc 256 {address = 1280 : i64} : !ub
  isa.copy_gm_to_ub %a5, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.exp %a5, %a5, %c64 : !ub, !ub
  %a6 = isa.alloc 256 {address = 1536 : i64} : !ub
  isa.copy_gm_to_ub %a6, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.exp %a6, %a6, %c64 : !ub, !ub
  %a7 = isa.alloc 256 {address = 1792 : i64} : !ub
  isa.copy_gm_to_ub %a7, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.exp %a7, %a7, %c64 : !ub, !ub
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// Five double-buffered loads with compute between them would need ten flags; some rings count as one buffer until six
// suffice, and no barrier enters the loop.
// CHECK-LABEL: func @many_loads
// CHECK:     scf.for
// CHECK-NOT: isa.pipe_barrier
// CHECK:     isa.pipe_barrier {on = #isa.pipe<ALL>}
// CHECK-NEXT: return
func.func @many_loads(%x: !gm, %n: i64) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %t = isa.alloc 256 {address = 8192 : i64} : !ub
  %r0 = isa.alloc 256 {address = 0 : i64, slots = 2 : i64} : !ub
  %r1 = isa.alloc 256 {address = 512 : i64, slots = 2 : i64} : !ub
  %r2 = isa.alloc 256 {address = 1024 : i64, slots = 2 : i64} : !ub
  %r3 = isa.alloc 256 {address = 1536 : i64, slots = 2 : i64} : !ub
  %r4 = isa.alloc 256 {address = 2048 : i64, slots = 2 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    %a0 = isa.slot %r0[%i] : !ub
    %a1 = isa.slot %r1[%i] : !ub
    %a2 = isa.slot %r2[%i] : !ub
    %a3 = isa.slot %r3[%i] : !ub
    %a4 = isa.slot %r4[%i] : !ub
    isa.copy_gm_to_ub %a0, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.add %t, %t, %a0, %c64 : !ub, !ub, !ub
    isa.copy_gm_to_ub %a1, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.add %t, %t, %a1, %c64 : !ub, !ub, !ub
    isa.copy_gm_to_ub %a2, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.add %t, %t, %a2, %c64 : !ub, !ub, !ub
    isa.copy_gm_to_ub %a3, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.add %t, %t, %a3, %c64 : !ub, !ub, !ub
    isa.copy_gm_to_ub %a4, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.add %t, %t, %a4, %c64 : !ub, !ub, !ub
  }
  return
}
