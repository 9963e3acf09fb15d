// RUN: tilesmith-opt %s --synchronise --verify-synchronise --split-input-file | FileCheck %s
// Nests, rings, accumulators and cube pipelines.

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// In a nest the token is primed before the outermost loop, so the next outer iteration's first load overlaps with the
// last compute of this one.
// CHECK-LABEL: func @nest
// CHECK:      isa.set_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: isa.set_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: scf.for
// CHECK-NEXT:   scf.for
// CHECK:          isa.wait_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT:     isa.copy_gm_to_ub
// CHECK:          isa.exp
// CHECK-NEXT:     isa.set_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
func.func @nest(%x: !gm, %n: i64) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %r = isa.alloc 256 {address = 0 : i64, slots = 2 : i64} : !ub
  %t = isa.alloc 256 {address = 512 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    scf.for %j = %c0 to %n step %c1 : i64 {
      %a = isa.slot %r[%j] : !ub
      isa.copy_gm_to_ub %a, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
      isa.exp %t, %a, %c64 : !ub, !ub
    }
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// An accumulator: each row's result is stored once, and the next row starts when the store has read it.
// CHECK-LABEL: func @accumulator
// CHECK:      isa.set_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<V>}
// CHECK:      scf.for
// CHECK:        isa.wait_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT:   isa.duplicate
// CHECK-NEXT:   scf.for
// CHECK:          isa.add
// CHECK:        isa.set_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE3>}
// CHECK:        isa.wait_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE3>}
// CHECK-NEXT:   isa.copy_ub_to_gm
// CHECK-NEXT:   isa.set_flag %{{.*}} {from = #isa.pipe<MTE3>,{{.*}} to = #isa.pipe<V>}
// CHECK-NEXT: }
func.func @accumulator(%x: !gm, %out: !gm, %n: i64) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %zero = arith.constant 0.0 : f32
  %r = isa.alloc 256 {address = 0 : i64, slots = 2 : i64} : !ub
  %acc = isa.alloc 256 {address = 512 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    isa.duplicate %acc, %zero, %c64 : !ub, f32
    scf.for %j = %c0 to %n step %c1 : i64 {
      %a = isa.slot %r[%j] : !ub
      isa.copy_gm_to_ub %a, %x, %c1, %c256, %c0, %c0, %c0, %c0, %c0, %zero : !ub, !gm, f32
      isa.add %acc, %acc, %a, %c64 : !ub, !ub, !ub
    }
    %o = arith.muli %i, %c256 : i64
    %oi = isa.offset %out, %o : !gm
    isa.copy_ub_to_gm %oi, %acc, %c1, %c256, %c0, %c0 : !gm, !ub
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// Buffers that change places through the loop's values depend on each other like one.
// CHECK-LABEL: func @swap
// CHECK: scf.for
// CHECK: isa.wait_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: isa.copy_gm_to_ub
func.func @swap(%x: !gm, %n: i64) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (!ub, !ub) : i64 {
    isa.copy_gm_to_ub %p, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.exp %q, %q, %c64 : !ub, !ub
    scf.yield %q, %p : !ub, !ub
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// Ends of a token in a branch inside a loop: both in the branch, primed outside the loop.
// CHECK-LABEL: func @branch_in_loop
// CHECK:      isa.set_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT: scf.for
// CHECK-NEXT:   scf.if
// CHECK-NEXT:     isa.wait_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT:     isa.copy_gm_to_ub
// CHECK:          isa.exp
// CHECK-NEXT:     isa.set_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: isa.wait_flag %{{.*}} {from = #isa.pipe<V>,{{.*}} to = #isa.pipe<MTE2>}
func.func @branch_in_loop(%x: !gm, %n: i64, %cond: i1) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    scf.if %cond {
      isa.copy_gm_to_ub %a, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
      isa.exp %a, %a, %c64 : !ub, !ub
    }
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// Two ways of a branch that meet only through the loop: no flag can be set in one and waited for in the other.
// CHECK-LABEL: func @either_or
// CHECK:      scf.if
// CHECK-NEXT:   isa.pipe_barrier {on = #isa.pipe<ALL>}
// CHECK-NEXT:   isa.copy_gm_to_ub
// CHECK-NEXT: } else {
// CHECK-NEXT:   isa.pipe_barrier {on = #isa.pipe<ALL>}
// CHECK-NEXT:   isa.exp
// CHECK-NEXT: }
func.func @either_or(%x: !gm, %n: i64, %cond: i1) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    scf.if %cond {
      isa.copy_gm_to_ub %a, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    } else {
      isa.exp %a, %a, %c64 : !ub, !ub
    }
  }
  return
}

// -----

!gm = !isa.buffer<GM, f16>
!gmf = !isa.buffer<GM, f32>
!l1 = !isa.buffer<L1, f16>
!l0a = !isa.buffer<L0A, f16>
!l0b = !isa.buffer<L0B, f16>
!l0c = !isa.buffer<L0C, f32>

// The cube: moves, loads, multiplications and write-out run side by side. Large multiplications into one accumulator
// keep their order themselves.
// Both loads begin as soon as their slots are empty, and one flag says that both are complete.
// CHECK-LABEL: func @matmul
// CHECK:      isa.wait_flag %[[T:.*]] {from = #isa.pipe<FIX>,{{.*}} to = #isa.pipe<M>}
// CHECK-NEXT: scf.for
// CHECK:        isa.wait_flag %[[K:.*]] {from = #isa.pipe<MTE1>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT:   isa.copy_gm_to_l1_nz
// CHECK-NEXT:   isa.wait_flag %{{.*}} {from = #isa.pipe<MTE1>,{{.*}} to = #isa.pipe<MTE2>}
// CHECK-NEXT:   isa.copy_gm_to_l1_nz
// CHECK-NEXT:   isa.set_flag %[[K]] {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<MTE1>}
// CHECK:        isa.wait_flag %[[K]] {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<MTE1>}
// CHECK-NEXT:   isa.wait_flag %[[K]] {from = #isa.pipe<M>,{{.*}} to = #isa.pipe<MTE1>}
// CHECK-NEXT:   isa.load_data_2d
// CHECK:        isa.load_data_2d
// CHECK:        isa.wait_flag %[[K]] {from = #isa.pipe<MTE1>,{{.*}} to = #isa.pipe<M>}
// CHECK-NEXT:   isa.mmad
// CHECK-NEXT:   isa.set_flag %[[K]] {from = #isa.pipe<M>,{{.*}} to = #isa.pipe<MTE1>}
// CHECK-NEXT: }
// CHECK-NEXT: isa.set_flag %[[T]] {from = #isa.pipe<M>,{{.*}} to = #isa.pipe<FIX>}
// CHECK:      isa.wait_flag %[[T]] {from = #isa.pipe<M>,{{.*}} to = #isa.pipe<FIX>}
// CHECK-NEXT: isa.fixpipe_to_gm
// CHECK-NEXT: isa.set_flag %[[T]] {from = #isa.pipe<FIX>,{{.*}} to = #isa.pipe<M>}
func.func @matmul(%a: !gm, %b: !gm, %c: !gmf, %n: i64, %k: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %c64 = arith.constant 64 : i64
  %c65536 = arith.constant 65536 : i64
  %c32 = arith.constant 32 : i64
  %ra = isa.alloc 16384 {address = 0 : i64, slots = 2 : i64} : !l1
  %rb = isa.alloc 16384 {address = 32768 : i64, slots = 2 : i64} : !l1
  %r0a = isa.alloc 16384 {address = 0 : i64, slots = 2 : i64} : !l0a
  %r0b = isa.alloc 16384 {address = 0 : i64, slots = 2 : i64} : !l0b
  %rc = isa.alloc 65536 {address = 0 : i64, slots = 2 : i64} : !l0c
  scf.for %t = %c0 to %n step %c1 : i64 {
    %acc = isa.slot %rc[%t] : !l0c
    scf.for %i = %c0 to %k step %c1 : i64 {
      %first = arith.cmpi eq, %i, %c0 : i64
      %init = arith.extui %first : i1 to i64
      %la = isa.slot %ra[%i] : !l1
      %lb = isa.slot %rb[%i] : !l1
      isa.copy_gm_to_l1_nz %la, %a, %c1, %c128, %c64, %c0, %c128, %c128, %c1, %c0 : !l1, !gm
      isa.copy_gm_to_l1_nz %lb, %b, %c1, %c64, %c128, %c0, %c128, %c64, %c1, %c0 : !l1, !gm
      %a0 = isa.slot %r0a[%i] : !l0a
      %b0 = isa.slot %r0b[%i] : !l0b
      isa.load_data_2d %a0, %la, %c0, %c32, %c1, %c0, %c0 : !l0a, !l1
      isa.load_data_2d %b0, %lb, %c0, %c32, %c1, %c0, %c0 : !l0b, !l1
      isa.mmad %acc, %a0, %b0, %c128, %c128, %c64, %c0, %init : !l0c, !l0a, !l0b
    }
    %o = arith.muli %t, %c65536 : i64
    %ct = isa.offset %c, %o : !gmf
    isa.fixpipe_to_gm %ct, %acc, %c128, %c128, %c128, %c128, %c0, %c0 {quant = #isa.quant_mode<NoQuant>} : !gmf, !l0c
  }
  return
}

// -----

!gm = !isa.buffer<GM, f16>
!l1 = !isa.buffer<L1, f16>
!l0a = !isa.buffer<L0A, f16>
!l0b = !isa.buffer<L0B, f16>
!l0c = !isa.buffer<L0C, f32>

// Loads keep their own flags where a product lies between what reads them: the first one does not wait for both.
// CHECK-LABEL: func @pieces
// CHECK:      isa.copy_gm_to_l1_nz
// CHECK:      isa.set_flag {{.*}} {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<MTE1>}
// CHECK:      isa.copy_gm_to_l1_nz
// CHECK:      isa.set_flag {{.*}} {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<MTE1>}
// CHECK:      isa.wait_flag {{.*}} {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<MTE1>}
// CHECK:      isa.mmad
// CHECK:      isa.wait_flag {{.*}} {from = #isa.pipe<MTE2>,{{.*}} to = #isa.pipe<MTE1>}
// CHECK:      isa.mmad
func.func @pieces(%a: !gm) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %c64 = arith.constant 64 : i64
  %c32 = arith.constant 32 : i64
  %l0 = isa.alloc 16384 {address = 0 : i64} : !l1
  %l1 = isa.alloc 16384 {address = 16384 : i64} : !l1
  %a0 = isa.alloc 16384 {address = 0 : i64} : !l0a
  %b0 = isa.alloc 16384 {address = 0 : i64} : !l0b
  %b1 = isa.alloc 16384 {address = 16384 : i64} : !l0b
  %acc = isa.alloc 65536 {address = 0 : i64} : !l0c
  isa.copy_gm_to_l1_nz %l0, %a, %c1, %c128, %c64, %c0, %c128, %c128, %c1, %c0 : !l1, !gm
  isa.copy_gm_to_l1_nz %l1, %a, %c1, %c64, %c128, %c0, %c128, %c64, %c1, %c0 : !l1, !gm
  isa.load_data_2d %a0, %l0, %c0, %c32, %c1, %c0, %c0 : !l0a, !l1
  isa.load_data_2d %b0, %l0, %c0, %c32, %c1, %c0, %c0 : !l0b, !l1
  isa.mmad %acc, %a0, %b0, %c128, %c128, %c64, %c0, %c1 : !l0c, !l0a, !l0b
  isa.load_data_2d %b1, %l1, %c0, %c32, %c1, %c0, %c0 : !l0b, !l1
  isa.mmad %acc, %a0, %b1, %c128, %c128, %c64, %c0, %c0 : !l0c, !l0a, !l0b
  return
}

// -----

!l0a = !isa.buffer<L0A, f16>
!l0b = !isa.buffer<L0B, f16>
!l0c = !isa.buffer<L0C, f32>

// Small ones do not: fewer than ten fractals.
// CHECK-LABEL: func @small_mmad
// CHECK:      isa.mmad
// CHECK-NEXT: isa.pipe_barrier {on = #isa.pipe<M>}
// CHECK-NEXT: isa.mmad
func.func @small_mmad() attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c48 = arith.constant 48 : i64
  %a = isa.alloc 4608 {address = 0 : i64} : !l0a
  %b = isa.alloc 4608 {address = 0 : i64} : !l0b
  %c = isa.alloc 9216 {address = 0 : i64} : !l0c
  isa.mmad %c, %a, %b, %c48, %c48, %c48, %c0, %c0 : !l0c, !l0a, !l0b
  isa.mmad %c, %a, %b, %c48, %c48, %c48, %c0, %c0 : !l0c, !l0a, !l0b
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// Work in both parts of a while loop: its condition may be the last to run, so only barriers fit between the parts.
// CHECK-LABEL: func @while
// CHECK:      scf.while
// CHECK:      } do {
// CHECK-NEXT:   isa.pipe_barrier {on = #isa.pipe<ALL>}
// CHECK-NEXT:   isa.exp
func.func @while(%x: !gm, %limit: f32) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  scf.while : () -> () {
    isa.set_value %a, %limit : !ub, f32
    %v = isa.get_value %a : !ub -> f32
    %more = arith.cmpf olt, %v, %limit : f32
    scf.condition(%more)
  } do {
    isa.exp %a, %a, %c64 : !ub, !ub
    scf.yield
  }
  return
}
