// RUN: tilesmith-opt %s --verify-cross-flags --split-input-file --verify-diagnostics
// What cannot be right between the cores of a block, with both places.

// A ring of two slots: primed, counted by a loop, drained. Nothing is wrong.
func.func @ring(%n: i32) attributes {isa.kernel, isa.arch = "C310", isa.kernel_type = "MixAic_1_2"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %two = arith.constant 2 : i64
  %full = arith.constant 0 : i64
  %empty = arith.constant 1 : i64
  %cube = isa.on_cube
  scf.if %cube {
    scf.for %i = %c0 to %n step %c1 : i32 {
      isa.cross_core_wait %two, %empty {on = #isa.pipe<FIX>}
      isa.cross_core_set %two, %full {from = #isa.pipe<FIX>}
    }
    isa.cross_core_wait %two, %empty {on = #isa.pipe<FIX>}
    isa.cross_core_wait %two, %empty {on = #isa.pipe<FIX>}
  } else {
    isa.cross_core_set %two, %empty {from = #isa.pipe<MTE2>}
    isa.cross_core_set %two, %empty {from = #isa.pipe<MTE2>}
    scf.for %i = %c0 to %n step %c1 : i32 {
      isa.cross_core_wait %two, %full {on = #isa.pipe<MTE2>}
      isa.cross_core_set %two, %empty {from = #isa.pipe<MTE2>}
    }
  }
  return
}

// -----

// Both halves count differently: the numbers, not the text, have to agree.
func.func @other_words(%n: i32, %x: !isa.buffer<GM, i32>) attributes {isa.kernel, isa.arch = "C220", isa.kernel_type = "MixAic_1_1"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %four = arith.constant 4 : i64
  %two = arith.constant 2 : i64
  %flag = arith.constant 0 : i64
  %cube = isa.on_cube
  scf.if %cube {
    %all = arith.muli %n, %c4 : i32
    scf.for %i = %c0 to %all step %c1 : i32 {
      %part = arith.remui %i, %c4 : i32
      %last = arith.subi %c4, %c1 : i32
      %is = arith.cmpi eq, %part, %last : i32
      scf.if %is {
        isa.cross_core_set %two, %flag {from = #isa.pipe<FIX>}
        isa.cross_core_wait %two, %flag {on = #isa.pipe<S>}
      }
    }
    %at = isa.offset %x, %four : !isa.buffer<GM, i32>
    %value = isa.get_value %at : !isa.buffer<GM, i32> -> i32
    %some = arith.cmpi sgt, %value, %c0 : i32
    scf.if %some {
      isa.cross_core_set %two, %flag {from = #isa.pipe<FIX>}
    }
  } else {
    %i = scf.while (%at = %c0) : (i32) -> i32 {
      %goes = arith.cmpi slt, %at, %n : i32
      scf.condition(%goes) %at : i32
    } do {
    ^bb0(%at: i32):
      isa.cross_core_wait %two, %flag {on = #isa.pipe<S>}
      isa.cross_core_set %two, %flag {from = #isa.pipe<MTE2>}
      %next = arith.addi %at, %c1 : i32
      scf.yield %next : i32
    }
    %at = isa.offset %x, %four : !isa.buffer<GM, i32>
    %value = isa.get_value %at : !isa.buffer<GM, i32> -> i32
    %none = arith.cmpi sle, %value, %c0 : i32
    scf.if %none {
    } else {
      isa.cross_core_wait %two, %flag {on = #isa.pipe<S>}
    }
  }
  return
}

// -----

// A wait too many.
// expected-note @+1 {{found in block 0 of 1}}
func.func @never_again() attributes {isa.kernel, isa.arch = "C220", isa.kernel_type = "MixAic_1_1"} {
  %two = arith.constant 2 : i64
  %flag = arith.constant 3 : i64
  %cube = isa.on_cube
  scf.if %cube {
    // expected-note @+1 {{the last set is here}}
    isa.cross_core_set %two, %flag {from = #isa.pipe<FIX>}
  } else {
    isa.cross_core_wait %two, %flag {on = #isa.pipe<S>}
    // expected-error @+1 {{cross-core deadlock: the vector core waits here for flag 3 for the 2nd time, and it is set once}}
    isa.cross_core_wait %two, %flag {on = #isa.pipe<S>}
  }
  return
}

// -----

// expected-note @+1 {{found in block 0 of 1}}
func.func @nobody() attributes {isa.kernel, isa.arch = "C220", isa.kernel_type = "MixAic_1_2"} {
  %two = arith.constant 2 : i64
  %flag = arith.constant 3 : i64
  %cube = isa.on_cube
  scf.if %cube {
    // expected-error @+1 {{cross-core deadlock: the cube core waits here for flag 3, which nothing sets}}
    isa.cross_core_wait %two, %flag {on = #isa.pipe<S>}
  }
  return
}

// -----

// Each waits for what the other does afterwards.
// expected-note @+1 {{found in block 0 of 1}}
func.func @circle() attributes {isa.kernel, isa.arch = "C310", isa.kernel_type = "MixAic_1_2"} {
  %two = arith.constant 2 : i64
  %a = arith.constant 0 : i64
  %b = arith.constant 1 : i64
  %cube = isa.on_cube
  scf.if %cube {
    // expected-error @+1 {{cross-core deadlock: the cube core waits here for flag 0, which the vector core 0 sets behind its wait for flag 1, and that is set no earlier}}
    isa.cross_core_wait %two, %a {on = #isa.pipe<FIX>}
    isa.cross_core_set %two, %b {from = #isa.pipe<FIX>}
  } else {
    // expected-note @+1 {{the vector core 0 waits here}}
    isa.cross_core_wait %two, %b {on = #isa.pipe<MTE3>}
    isa.cross_core_set %two, %a {from = #isa.pipe<MTE3>}
  }
  return
}

// -----

// A wait on a pipe holds that pipe alone: another one sets what the cube core waits for.
func.func @another_pipe() attributes {isa.kernel, isa.arch = "C310", isa.kernel_type = "MixAic_1_1"} {
  %two = arith.constant 2 : i64
  %a = arith.constant 0 : i64
  %b = arith.constant 1 : i64
  %cube = isa.on_cube
  scf.if %cube {
    isa.cross_core_wait %two, %a {on = #isa.pipe<FIX>}
    isa.cross_core_set %two, %b {from = #isa.pipe<FIX>}
  } else {
    isa.cross_core_wait %two, %b {on = #isa.pipe<MTE2>}
    isa.cross_core_set %two, %a {from = #isa.pipe<MTE3>}
  }
  return
}

// -----

// Unless a flag within the core makes the other pipe wait, too.
// expected-note @+1 {{found in block 0 of 1}}
func.func @through_a_core() attributes {isa.kernel, isa.arch = "C310", isa.kernel_type = "MixAic_1_1"} {
  %two = arith.constant 2 : i64
  %a = arith.constant 0 : i64
  %b = arith.constant 1 : i64
  %cube = isa.on_cube
  scf.if %cube {
    // expected-error @+1 {{cross-core deadlock: the cube core waits here for flag 0, which the vector core sets behind its wait for flag 1, and that is set no earlier}}
    isa.cross_core_wait %two, %a {on = #isa.pipe<FIX>}
    isa.cross_core_set %two, %b {from = #isa.pipe<FIX>}
  } else {
    // expected-note @+1 {{the vector core waits here}}
    isa.cross_core_wait %two, %b {on = #isa.pipe<MTE2>}
    isa.set_flag %a {from = #isa.pipe<MTE2>, to = #isa.pipe<MTE3>}
    isa.wait_flag %a {from = #isa.pipe<MTE2>, to = #isa.pipe<MTE3>}
    isa.cross_core_set %two, %a {from = #isa.pipe<MTE3>}
  }
  return
}

// -----

// Slots that are not taken back.
// expected-note @+1 {{found with argument 0 = 0, in block 0 of 1}}
func.func @not_drained(%n: i32) attributes {isa.kernel, isa.arch = "C220", isa.kernel_type = "MixAic_1_2"} {
  %two = arith.constant 2 : i64
  %flag = arith.constant 5 : i64
  %cube = isa.on_cube
  scf.if %cube {
    // expected-note @+1 {{the last wait for it is here}}
    isa.cross_core_wait %two, %flag {on = #isa.pipe<S>}
  } else {
    isa.cross_core_set %two, %flag {from = #isa.pipe<MTE2>}
    // expected-error @+1 {{cross-core flag 5 is set twice for the cube core, which waits for it once: what is left leaks into the next kernel}}
    isa.cross_core_set %two, %flag {from = #isa.pipe<MTE2>}
  }
  return
}

// -----

// A branch that one half takes and the other one does not, with some arguments.
// expected-note @+1 {{found with argument 0 = 0, argument 1 = 0, in block 0 of 1}}
func.func @branch(%n: i32, %m: i32) attributes {isa.kernel, isa.arch = "C220", isa.kernel_type = "MixAic_1_1"} {
  %two = arith.constant 2 : i64
  %flag = arith.constant 0 : i64
  %cube = isa.on_cube
  scf.if %cube {
    %is = arith.cmpi sge, %n, %m : i32
    scf.if %is {
      // expected-error @+1 {{cross-core flag 0 is set once for the vector core, which waits for it never}}
      isa.cross_core_set %two, %flag {from = #isa.pipe<FIX>}
    }
  } else {
    %is = arith.cmpi sgt, %n, %m : i32
    scf.if %is {
      isa.cross_core_wait %two, %flag {on = #isa.pipe<S>}
    }
  }
  return
}

// -----

// The cube core counts what both vector cores set.
// expected-note @+1 {{found in block 0 of 1}}
func.func @one_of_two() attributes {isa.kernel, isa.arch = "C220", isa.kernel_type = "MixAic_1_2"} {
  %two = arith.constant 2 : i64
  %flag = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %cube = isa.on_cube
  scf.if %cube {
    isa.cross_core_wait %two, %flag {on = #isa.pipe<S>}
  } else {
    // expected-note @+1 {{the last set of the other core is here}}
    isa.cross_core_set %two, %flag {from = #isa.pipe<MTE3>}
    %index = isa.block_idx : i64
    %sub = arith.remui %index, %two : i64
    %first = arith.cmpi eq, %sub, %zero : i64
    scf.if %first {
      // expected-error @+1 {{vector core 0 sets cross-core flag 0 1 more times than vector core 1; it counts when both have set it}}
      isa.cross_core_set %two, %flag {from = #isa.pipe<MTE3>}
    }
  }
  return
}

// -----

// Nothing keeps the sender back.
// expected-note @+1 {{found in block 0 of 1}}
func.func @overflow() attributes {isa.kernel, isa.arch = "C310", isa.kernel_type = "MixAic_1_1"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %two = arith.constant 2 : i64
  %flag = arith.constant 0 : i64
  %cube = isa.on_cube
  scf.if %cube {
    scf.for %i = %c0 to %c16 step %c1 : i32 {
      // expected-error @+1 {{cross-core flag 0 may be set 16 times ahead of the waits of the vector core; it counts to 15}}
      isa.cross_core_set %two, %flag {from = #isa.pipe<FIX>}
    }
  } else {
    scf.for %i = %c0 to %c16 step %c1 : i32 {
      // expected-note @+1 {{nothing keeps the set back until this wait}}
      isa.cross_core_wait %two, %flag {on = #isa.pipe<MTE2>}
    }
  }
  return
}

// -----

// Fifteen are counted, and with a way back any number of them in turn.
func.func @no_overflow() attributes {isa.kernel, isa.arch = "C310", isa.kernel_type = "MixAic_1_1"} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c15 = arith.constant 15 : i32
  %c40 = arith.constant 40 : i32
  %two = arith.constant 2 : i64
  %flag = arith.constant 0 : i64
  %back = arith.constant 1 : i64
  %cube = isa.on_cube
  scf.if %cube {
    scf.for %j = %c0 to %c40 step %c1 : i32 {
      scf.for %i = %c0 to %c15 step %c1 : i32 {
        isa.cross_core_set %two, %flag {from = #isa.pipe<FIX>}
      }
      isa.cross_core_wait %two, %back {on = #isa.pipe<FIX>}
    }
  } else {
    scf.for %j = %c0 to %c40 step %c1 : i32 {
      scf.for %i = %c0 to %c15 step %c1 : i32 {
        isa.cross_core_wait %two, %flag {on = #isa.pipe<MTE2>}
      }
      isa.cross_core_set %two, %back {from = #isa.pipe<MTE2>}
    }
  }
  return
}

// -----

// What a tile decides is not known: nothing is said.
func.func @unknown(%n: i32) attributes {isa.kernel, isa.arch = "C220", isa.kernel_type = "MixAic_1_1"} {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2 : i64
  %flag = arith.constant 0 : i64
  %cube = isa.on_cube
  scf.if %cube {
    isa.cross_core_set %two, %flag {from = #isa.pipe<FIX>}
  } else {
    %x = isa.alloc 64 {address = 0 : i64} : !isa.buffer<UB, f32>
    %value = isa.get_value %x : !isa.buffer<UB, f32> -> f32
    %is = arith.cmpf ogt, %value, %zero : f32
    scf.if %is {
      isa.cross_core_wait %two, %flag {on = #isa.pipe<S>}
    }
  }
  return
}

// -----

// The second vector core has flags of its own in mode 4.
// expected-note @+1 {{found in block 0 of 1}}
func.func @mode4() attributes {isa.kernel, isa.arch = "C310", isa.kernel_type = "MixAic_1_2"} {
  %four = arith.constant 4 : i64
  %a = arith.constant 1 : i64
  %b = arith.constant 17 : i64
  %cube = isa.on_cube
  scf.if %cube {
    isa.cross_core_set %four, %a {from = #isa.pipe<FIX>}
    isa.cross_core_wait %four, %a {on = #isa.pipe<FIX>}
    isa.cross_core_set %four, %b {from = #isa.pipe<FIX>}
  } else {
    isa.cross_core_wait %four, %a {on = #isa.pipe<MTE2>}
    // expected-error @+1 {{cross-core flag 17 of mode 4 is set once for the cube core, which waits for it never}}
    isa.cross_core_set %four, %a {from = #isa.pipe<MTE3>}
  }
  return
}
