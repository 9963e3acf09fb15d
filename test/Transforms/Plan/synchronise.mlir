// RUN: tilesmith-opt %s --synchronise --verify-synchronise --split-input-file | FileCheck %s

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// A dependency between two pipes is a flag: set after the producer, waited for before the consumer. A flag that covers a
// later producer of the same pipe covers the earlier ones too. The kernel ends with a barrier.
// CHECK-LABEL: func @straight
// CHECK:      isa.copy_gm_to_ub
// CHECK-NEXT: isa.copy_gm_to_ub
// CHECK-NEXT: isa.set_flag %[[ZERO:.*]] {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: isa.wait_flag %[[ZERO]] {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: isa.add
// CHECK-NEXT: isa.set_flag %[[ZERO]] {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE3>}
// CHECK-NEXT: isa.wait_flag %[[ZERO]] {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE3>}
// CHECK-NEXT: isa.copy_ub_to_gm
// CHECK-NEXT: isa.pipe_barrier {on = #isa.pipe<ALL>}
// CHECK-NEXT: return
func.func @straight(%x: !gm, %y: !gm, %out: !gm) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4096 = arith.constant 4096 : i64
  %n = arith.constant 1024 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 4096 {address = 0 : i64} : !ub
  %b = isa.alloc 4096 {address = 4096 : i64} : !ub
  %c = isa.alloc 4096 {address = 8192 : i64} : !ub
  isa.copy_gm_to_ub %a, %x, %c1, %c4096, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.copy_gm_to_ub %b, %y, %c1, %c4096, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  isa.add %c, %a, %b, %n : !ub, !ub, !ub
  isa.copy_ub_to_gm %out, %c, %c1, %c4096, %c0, %c0 : !gm, !ub
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// C220 needs a barrier between dependent vector instructions, and only between those.
// CHECK-LABEL: func @vector_chain
// CHECK:      isa.exp
// CHECK-NEXT: isa.abs
// CHECK-NEXT: isa.pipe_barrier {on = #isa.pipe<V>}
// CHECK-NEXT: isa.add
// CHECK-NEXT: isa.ln
// CHECK-NEXT: isa.pipe_barrier {on = #isa.pipe<ALL>}
func.func @vector_chain() attributes {isa.kernel, isa.arch = "C220"} {
  %n = arith.constant 64 : i64
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  %c = isa.alloc 256 {address = 512 : i64} : !ub
  %d = isa.alloc 256 {address = 768 : i64} : !ub
  isa.exp %a, %d, %n : !ub, !ub
  isa.abs %b, %d, %n : !ub, !ub
  isa.add %c, %a, %b, %n : !ub, !ub, !ub
  isa.ln %d, %b, %n : !ub, !ub
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// C310 keeps the order of vector instructions.
// CHECK-LABEL: func @vector_chain_c310
// CHECK-NOT: isa.pipe_barrier {on = #isa.pipe<V>}
func.func @vector_chain_c310() attributes {isa.kernel, isa.arch = "C310"} {
  %n = arith.constant 64 : i64
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  isa.exp %a, %a, %n : !ub, !ub
  isa.abs %a, %a, %n : !ub, !ub
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// Parts of one buffer that do not meet need no barrier, in straight code or when they step with a loop.
// CHECK-LABEL: func @parts
// CHECK-NOT: isa.pipe_barrier {on = #isa.pipe<V>}
// CHECK:     return
func.func @parts(%n: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %a = isa.alloc 4096 {address = 0 : i64} : !ub
  %b = isa.alloc 4096 {address = 4096 : i64} : !ub
  %a1 = isa.offset %a, %c256 : !ub
  isa.exp %a, %b, %c64 : !ub, !ub
  isa.exp %a1, %b, %c64 : !ub, !ub
  %c = isa.alloc 4096 {address = 8192 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    %o = arith.muli %i, %c256 : i64
    %ci = isa.offset %c, %o : !ub
    isa.exp %ci, %b, %c64 : !ub, !ub
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// What the next iteration overwrites is protected by a token primed before the loop and drained after it, so a loop that
// never runs balances. Different arguments are different memory: the store does not hold back the next load.
// CHECK-LABEL: func @single_buffer
// CHECK:      isa.set_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: isa.set_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: scf.for
// CHECK:        isa.wait_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT:   isa.copy_gm_to_ub
// CHECK-NEXT:   isa.set_flag %{{.*}} {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT:   isa.wait_flag %{{.*}} {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT:   isa.wait_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT:   isa.abs
// CHECK-NEXT:   isa.set_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE3>}
// CHECK-NEXT:   isa.set_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT:   isa.wait_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE3>}
// CHECK-NEXT:   isa.copy_ub_to_gm
// CHECK-NEXT:   isa.set_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: }
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: isa.pipe_barrier {on = #isa.pipe<ALL>}
func.func @single_buffer(%x: !gm, %out: !gm, %n: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4096 = arith.constant 4096 : i64
  %c1024 = arith.constant 1024 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 4096 {address = 0 : i64} : !ub
  %b = isa.alloc 4096 {address = 4096 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    %o = arith.muli %i, %c4096 : i64
    %xi = isa.offset %x, %o : !gm
    %oi = isa.offset %out, %o : !gm
    isa.copy_gm_to_ub %a, %xi, %c1, %c4096, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.abs %b, %a, %c1024 : !ub, !ub
    isa.copy_ub_to_gm %oi, %b, %c1, %c4096, %c0, %c0 : !gm, !ub
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// A ring has one flag per slot, and its id turns with the slot.
// CHECK-LABEL: func @ring
// CHECK-DAG:  %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG:  %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK:      isa.set_flag %[[ZERO]] {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: isa.set_flag %[[ONE]] {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: scf.for %[[I:.*]] = %c0
// CHECK-NEXT:   %[[ID:.*]] = arith.remui %[[I]], %c2
// CHECK:        isa.wait_flag %[[ID]] {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT:   isa.copy_gm_to_ub
// CHECK-NEXT:   isa.set_flag %[[ID]] {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT:   isa.wait_flag %[[ID]] {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT:   isa.exp
// CHECK-NEXT:   isa.set_flag %[[ID]] {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: }
// CHECK-NEXT: isa.wait_flag %[[ZERO]] {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: isa.wait_flag %[[ONE]] {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
func.func @ring(%x: !gm, %n: i64) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4096 = arith.constant 4096 : i64
  %c1024 = arith.constant 1024 : i64
  %pad = arith.constant 0.0 : f32
  %r = isa.alloc 4096 {address = 0 : i64, slots = 2 : i64} : !ub
  %t = isa.alloc 4096 {address = 8192 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    %a = isa.slot %r[%i] : !ub
    isa.copy_gm_to_ub %a, %x, %c1, %c4096, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.exp %t, %a, %c1024 : !ub, !ub
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// Set and wait sit in one region: what happens in a branch is waited for after the branch, whichever way it went.
// CHECK-LABEL: func @branch
// CHECK:      scf.if
// CHECK-NEXT:   isa.copy_gm_to_ub
// CHECK-NEXT: }
// CHECK-NEXT: isa.set_flag %{{.*}} {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: isa.exp
func.func @branch(%x: !gm, %cond: i1) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  scf.if %cond {
    isa.copy_gm_to_ub %a, %x, %c1, %n, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  }
  isa.exp %a, %a, %n : !ub, !ub
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// A load before a loop that may run zero times is waited for before the loop, once.
// CHECK-LABEL: func @zero_trip
// CHECK:      isa.copy_gm_to_ub
// CHECK-NEXT: isa.set_flag %{{.*}} {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: scf.for
// CHECK-NEXT:   isa.exp
// CHECK-NEXT: }
// CHECK-NEXT: isa.pipe_barrier
func.func @zero_trip(%x: !gm, %n: i64) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  isa.copy_gm_to_ub %a, %x, %c1, %n, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  scf.for %i = %c0 to %n step %c1 : i64 {
    isa.exp %b, %a, %n : !ub, !ub
  }
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// The scalar unit waits for what it reads. It issues for all pipes, so nothing behind it needs to wait again.
// CHECK-LABEL: func @scalar_read
// CHECK:      isa.exp
// CHECK-NEXT: isa.set_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<S>}
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<S>}
// CHECK-NEXT: isa.get_value
// CHECK-NEXT: isa.muls
// CHECK-NEXT: isa.pipe_barrier {on = #isa.pipe<ALL>}
func.func @scalar_read() attributes {isa.kernel, isa.arch = "C220"} {
  %n = arith.constant 64 : i64
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  isa.exp %a, %a, %n : !ub, !ub
  %v = isa.get_value %a : !ub -> f32
  isa.muls %b, %a, %v, %n : !ub, !ub, f32
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// A scalar store reaches the vector unit through a flag.
// CHECK-LABEL: func @scalar_write
// CHECK:      isa.set_value
// CHECK-NEXT: isa.set_flag %{{.*}} {from = #isa.pipe<S>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<S>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: isa.exp
func.func @scalar_write(%v: f32) attributes {isa.kernel, isa.arch = "C220"} {
  %n = arith.constant 64 : i64
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  isa.set_value %a, %v : !ub, f32
  isa.exp %a, %a, %n : !ub, !ub
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// Buffers that share bytes depend on each other like one buffer.
// CHECK-LABEL: func @shared_bytes
// CHECK:      isa.copy_ub_to_gm
// CHECK-NEXT: isa.set_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: isa.duplicate
func.func @shared_bytes(%x: !gm, %zero: f32) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 128 : i64} : !ub
  isa.copy_ub_to_gm %x, %a, %c1, %n, %c0, %c0 : !gm, !ub
  isa.duplicate %b, %zero, %n : !ub, f32
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// A vector function reads and writes on pipe V what its loads and stores name.
// CHECK-LABEL: func @vector_function
// CHECK:      isa.set_value
// CHECK-NEXT: isa.set_flag %{{.*}} {from = #isa.pipe<S>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<S>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: isa.vf
// CHECK:      isa.set_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<S>}
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<S>}
// CHECK-NEXT: isa.get_value
func.func @vector_function(%v: f32) attributes {isa.kernel, isa.arch = "C310"} {
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  isa.set_value %a, %v : !ub, f32
  isa.vf 1 x 64(%a, %b) : !ub, !ub {
  ^bb0(%x: !ub, %y: !ub):
    %0 = isa.vf_load %x full : !ub -> !isa.reg<f32>
    isa.vf_reduce sum %0, %y : !isa.reg<f32>, !ub
  }
  %s = isa.get_value %b : !ub -> f32
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// A kernel that holds flags or barriers was synchronised by its author.
// CHECK-LABEL: func @by_hand
// CHECK-NEXT:  arith.constant
// CHECK-NEXT:  isa.alloc
// CHECK-NEXT:  isa.exp
// CHECK-NEXT:  isa.pipe_barrier {on = #isa.pipe<V>}
// CHECK-NEXT:  isa.exp
// CHECK-NEXT:  return
func.func @by_hand() attributes {isa.kernel, isa.arch = "C220"} {
  %n = arith.constant 64 : i64
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  isa.exp %a, %a, %n : !ub, !ub
  isa.pipe_barrier {on = #isa.pipe<V>}
  isa.exp %a, %a, %n : !ub, !ub
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// Columns of 64 elements of rows that are 512 bytes apart: what is done with one column keeps out of the other, and
// needs no barrier. A third instruction, whose rows are as long as both, does.
// CHECK-LABEL: func @columns
// CHECK:       isa.sub_r
// CHECK-NOT:   isa.pipe_barrier
// CHECK:       isa.sub_r
// CHECK:       isa.pipe_barrier {on = #isa.pipe<V>}
// CHECK:       isa.exp
func.func @columns() attributes {isa.kernel, isa.arch = "C220"} {
  %a = isa.alloc 8192 {address = 0 : i64} : !ub
  %b = isa.alloc 512 {address = 8192 : i64} : !ub
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c16 = arith.constant 16 : i64
  %c64 = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %n = arith.constant 2048 : i64
  %second = isa.offset %a, %c256 : !ub
  isa.sub_r %a, %a, %b, %c64, %c16, %c1, %c1, %c0, %c16, %c16, %c1 : !ub, !ub, !ub
  isa.sub_r %second, %second, %b, %c64, %c16, %c1, %c1, %c0, %c16, %c16, %c1 : !ub, !ub, !ub
  isa.exp %a, %a, %n : !ub, !ub
  return
}
