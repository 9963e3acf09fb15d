// RUN: tilesmith-opt %s --synchronise --verify-synchronise --split-input-file | FileCheck %s
// Global memory: what a kernel stores and loads again.

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// A load after a store through the same argument waits for it.
// CHECK-LABEL: func @store_then_load
// CHECK:      isa.copy_ub_to_gm
// CHECK-NEXT: isa.set_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: isa.copy_gm_to_ub
func.func @store_then_load(%x: !gm) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  isa.copy_ub_to_gm %x, %a, %c1, %n, %c0, %c0 : !gm, !ub
  isa.copy_gm_to_ub %b, %x, %c1, %n, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// Different arguments are different memory ...
// CHECK-LABEL: func @distinct
// CHECK:      isa.copy_ub_to_gm
// CHECK-NEXT: isa.copy_gm_to_ub
func.func @distinct(%x: !gm, %y: !gm) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  isa.copy_ub_to_gm %x, %a, %c1, %n, %c0, %c0 : !gm, !ub
  isa.copy_gm_to_ub %b, %y, %c1, %n, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// ... unless one may alias another: the launch passed overlapping arrays.
// CHECK-LABEL: func @may_alias
// CHECK:      isa.copy_ub_to_gm
// CHECK-NEXT: isa.set_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: isa.wait_flag
// CHECK-NEXT: isa.copy_gm_to_ub
func.func @may_alias(%x: !gm {isa.may_alias}, %y: !gm {isa.may_alias}) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  isa.copy_ub_to_gm %x, %a, %c1, %n, %c0, %c0 : !gm, !ub
  isa.copy_gm_to_ub %b, %y, %c1, %n, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// In place: each iteration loads and stores its own part, clipped or not, so iterations overlap.
// CHECK-LABEL: func @in_place
// CHECK-NOT: to = #isa.pipe<MTE2>
// CHECK:     isa.set_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NOT: from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<MTE2>
// CHECK:     return
func.func @in_place(%x: !gm, %start: i32, %total: i64, %n: i32) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %c1024 = arith.constant 1024 : i32
  %c4096 = arith.constant 4096 : i64
  %len = arith.constant 1024 : i64
  %pad = arith.constant 0.0 : f32
  %r = isa.alloc 4096 {address = 0 : i64, slots = 2 : i64} : !ub
  %w = isa.alloc 4096 {address = 8192 : i64, slots = 2 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i32 {
    %iteration = arith.extsi %i : i32 to i64
    %a = isa.slot %r[%iteration] : !ub
    %b = isa.slot %w[%iteration] : !ub
    %e = arith.muli %i, %c1024 : i32
    %at = arith.addi %start, %e : i32
    %wide = arith.extsi %at : i32 to i64
    %o = arith.muli %wide, %four : i64
    %rest = arith.subi %total, %o : i64
    %bytes = arith.minsi %rest, %c4096 : i64
    %xi = isa.offset %x, %o : !gm
    isa.copy_gm_to_ub %a, %xi, %one, %bytes, %z, %z, %z, %z, %z, %pad : !ub, !gm, f32
    isa.exp %b, %a, %len : !ub, !ub
    isa.copy_ub_to_gm %xi, %b, %one, %bytes, %z, %z : !gm, !ub
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// If iterations may meet in memory, the next load waits for the store.
// CHECK-LABEL: func @shifted
// CHECK: isa.set_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK: scf.for
// CHECK: isa.wait_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK: isa.copy_gm_to_ub
// CHECK: isa.copy_ub_to_gm
// CHECK: isa.set_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<MTE2>}
func.func @shifted(%x: !gm, %n: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    %o = arith.muli %i, %c256 : i64
    %next = arith.addi %o, %c256 : i64
    %from = isa.offset %x, %o : !gm
    %to = isa.offset %x, %next : !gm
    isa.copy_gm_to_ub %a, %from, %c1, %c256, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.copy_ub_to_gm %to, %a, %c1, %c256, %c0, %c0 : !gm, !ub
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// Iterations of a parallel loop are independent, whatever their addresses.
// CHECK-LABEL: func @parallel
// CHECK-NOT: from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<MTE2>
// CHECK-NOT: isa.pipe_barrier {on = #isa.pipe<MTE3>}
// CHECK:     return
func.func @parallel(%x: !gm, %n: i64, %stride: i64) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    %o = arith.muli %i, %stride : i64
    %xi = isa.offset %x, %o : !gm
    isa.copy_gm_to_ub %a, %xi, %c1, %c256, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.exp %b, %a, %c1 : !ub, !ub
    isa.copy_ub_to_gm %xi, %b, %c1, %c256, %c0, %c0 : !gm, !ub
  } {tile.parallel}
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// Two stores to the same bytes keep their order ...
// CHECK-LABEL: func @store_twice
// CHECK:      isa.copy_ub_to_gm
// CHECK-NEXT: isa.pipe_barrier {on = #isa.pipe<MTE3>}
// CHECK-NEXT: isa.copy_ub_to_gm
// ... and equal atomics need none.
// CHECK:      isa.set_atomic
// CHECK-NEXT: isa.copy_ub_to_gm
// CHECK-NEXT: isa.copy_ub_to_gm
// CHECK-NEXT: isa.set_atomic
func.func @store_twice(%x: !gm, %y: !gm) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  isa.copy_ub_to_gm %x, %a, %c1, %n, %c0, %c0 : !gm, !ub
  isa.copy_ub_to_gm %x, %b, %c1, %n, %c0, %c0 : !gm, !ub
  isa.set_atomic {op = #isa.atomic_op<Add>}
  isa.copy_ub_to_gm %y, %a, %c1, %n, %c0, %c0 : !gm, !ub
  isa.copy_ub_to_gm %y, %b, %c1, %n, %c0, %c0 : !gm, !ub
  isa.set_atomic {op = #isa.atomic_op<None>}
  return
}

// -----

!gm = !isa.buffer<GM, i32>
!ub = !isa.buffer<UB, i32>

// A scalar access to global memory waits for the moves, and they for it.
// CHECK-LABEL: func @scalar_access
// CHECK:      isa.copy_ub_to_gm
// CHECK-NEXT: isa.set_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<S>}
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<S>}
// CHECK-NEXT: isa.get_value
// CHECK-NEXT: isa.set_value
// CHECK-NEXT: isa.set_flag %{{.*}} {from = #isa.pipe<S>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<S>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: isa.copy_gm_to_ub
func.func @scalar_access(%x: !gm) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %pad = arith.constant 0 : i32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  isa.copy_ub_to_gm %x, %a, %c1, %n, %c0, %c0 : !gm, !ub
  %v = isa.get_value %x : !gm -> i32
  isa.set_value %x, %v : !gm, i32
  isa.copy_gm_to_ub %b, %x, %c1, %n, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, i32
  return
}
