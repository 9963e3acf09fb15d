// RUN: tilesmith-opt %s --verify-synchronise --split-input-file --verify-diagnostics
// The replay finds what is missing.

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

func.func @no_wait(%x: !gm) attributes {isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %pad = arith.constant 0.0 : f32
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  // expected-note @+1 {{the other place}}
  isa.copy_gm_to_ub %a, %x, %c1, %c64, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  // expected-error @+1 {{V reads UB before MTE2 is known to have written it}}
  isa.exp %b, %a, %c64 : !ub, !ub
  return
}

// -----

!ub = !isa.buffer<UB, f32>

func.func @no_barrier() attributes {isa.arch = "C220"} {
  %c64 = arith.constant 64 : i64
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  %c = isa.alloc 256 {address = 512 : i64} : !ub
  // expected-note @+1 {{the other place}}
  isa.exp %b, %a, %c64 : !ub, !ub
  // expected-error @+1 {{V reads UB before V is known to have written it}}
  isa.exp %c, %b, %c64 : !ub, !ub
  return
}

// -----

func.func @set_twice() {
  %c0 = arith.constant 0 : i64
  // expected-note @+1 {{the other place}}
  isa.set_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  // expected-error @+1 {{flag 0 from MTE2 to V is set twice}}
  isa.set_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  return
}

// -----

// The second set may come before the first wait.
func.func @set_too_early() {
  %c0 = arith.constant 0 : i64
  // expected-note @+1 {{the other place}}
  isa.set_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  isa.wait_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  // expected-error @+1 {{flag 0 from MTE2 to V is set again before its wait is known to be over}}
  isa.set_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  isa.wait_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  return
}

// -----

func.func @no_set() {
  %c0 = arith.constant 0 : i64
  // expected-error @+1 {{flag 0 from MTE2 to V is waited for but not set}}
  isa.wait_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  return
}

// -----

// A branch that is not taken leaves the flag set.
// expected-note @+1 {{the other place}}
func.func @unpaired(%cond: i1) {
  %c0 = arith.constant 0 : i64
  // expected-error @+1 {{flag 0 from MTE2 to V is still set at the end}}
  isa.set_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  scf.if %cond {
    isa.wait_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  }
  return
}

// -----

func.func @no_event() {
  %c0 = arith.constant 0 : i64
  // expected-error @+1 {{flag 0 from V to MTE1 does not exist}}
  isa.set_flag %c0 {from = #isa.pipe<V>, to = #isa.pipe<MTE1>}
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// A padded move of unknown length fills its own buffer at most, not the beginning of the next one.
func.func @padded(%x: !gm {isa.noalias}, %y: !gm {isa.noalias}, %bytes: i64, %pad: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  %value = arith.constant 0.0 : f32
  %length = arith.minsi %bytes, %c256 : i64
  %a = isa.alloc 256 {address = 0 : i64} : !ub
  %b = isa.alloc 256 {address = 256 : i64} : !ub
  isa.copy_ub_to_gm %y, %b, %c1, %c256, %c0, %c0 : !gm, !ub
  isa.copy_gm_to_ub %a, %x, %c1, %length, %c0, %c0, %c1, %c0, %pad, %value : !ub, !gm, f32
  isa.pipe_barrier {on = #isa.pipe<ALL>}
  return
}
