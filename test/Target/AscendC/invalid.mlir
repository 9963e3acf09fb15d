// RUN: tilesmith-opt %s --emit-ascendc --split-input-file --verify-diagnostics -o /dev/null
// What Ascend C cannot say is an error at the op, never wrong text.

func.func @event() attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  // expected-error @+1 {{'isa.set_flag' op names no event of the chip: V_FIX}}
  isa.set_flag %c0 {from = #isa.pipe<V>, to = #isa.pipe<FIX>}
  return
}

// -----

func.func @unplanned() attributes {isa.kernel, isa.arch = "C220"} {
  %c64 = arith.constant 64 : i64
  // expected-error @+1 {{'isa.alloc' op has no address; plan memory before emitting}}
  %x = isa.alloc 256 : <UB, f32>
  isa.exp %x, %x, %c64 : <UB, f32>, <UB, f32>
  return
}

// -----

func.func @double(%x: !isa.buffer<GM, f32>, %a: f32) attributes {isa.kernel, isa.arch = "C220"} {
  // expected-error @+1 {{'arith.extf' op cannot be written as Ascend C}}
  %wide = arith.extf %a : f32 to f64
  %b = arith.truncf %wide : f64 to f32
  isa.set_value %x, %b : !isa.buffer<GM, f32>, f32
  return
}

// -----

func.func @atomic() attributes {isa.kernel, isa.arch = "C220"} {
  // expected-error @+1 {{'isa.set_atomic' op has no store after it that says its element type}}
  isa.set_atomic {op = #isa.atomic_op<Add>}
  return
}

// -----

func.func @cast() attributes {isa.kernel, isa.arch = "C310"} {
  %x = isa.alloc 256 {address = 0 : i64} : <UB, i32>
  isa.vf 1 x 64(%x) : !isa.buffer<UB, i32> {
  ^bb0(%a: !isa.buffer<UB, i32>):
    %0 = isa.vf_load %a full : <UB, i32> -> <i32>
    // expected-error @+1 {{'isa.vf_compute' op no register instruction converts 'i32' to 'f16'}}
    %1 = isa.vf_compute "cast"(%0) {round = #isa.round_mode<Rint>} : (!isa.reg<i32>) -> !isa.reg<f16>
    isa.vf_store %0, %a full : <i32>, <UB, i32>
  }
  return
}

// -----

func.func @nan() attributes {isa.kernel, isa.arch = "C310"} {
  %x = isa.alloc 256 {address = 0 : i64} : <UB, f32>
  isa.vf 1 x 64(%x) : !isa.buffer<UB, f32> {
  ^bb0(%a: !isa.buffer<UB, f32>):
    // expected-error @+1 {{'isa.vf_constant' op a NaN with bits of its own cannot be written as Ascend C}}
    %0 = isa.vf_constant 0x7FC00001 : f32 : <f32>
    isa.vf_store %0, %a full : <f32>, <UB, f32>
  }
  return
}

// -----

func.func @bits() attributes {isa.kernel, isa.arch = "C310"} {
  %x = isa.alloc 256 {address = 0 : i64} : <UB, i1>
  isa.vf 3 x 40(%x) : !isa.buffer<UB, i1> {
  ^bb0(%a: !isa.buffer<UB, i1>):
    %0 = isa.vf_load %a bits : <UB, i1> -> <i1>
    %1 = isa.vf_compute "not"(%0) : (!isa.reg<i1>) -> !isa.reg<i1>
    // expected-error @+1 {{'isa.vf_store' op rows of 40 bits cannot be replaced where they are read: 64 are written at once}}
    isa.vf_store %1, %a bits : <i1>, <UB, i1>
  }
  return
}

// -----

func.func @odd() attributes {isa.kernel, isa.arch = "C310"} {
  %x = isa.alloc 256 {address = 0 : i64} : <UB, i1>
  isa.vf 3 x 50(%x) : !isa.buffer<UB, i1> {
  ^bb0(%a: !isa.buffer<UB, i1>):
    // expected-error @+1 {{'isa.vf_load' op rows of 50 bits do not start on whole bytes}}
    %0 = isa.vf_load %a bits : <UB, i1> -> <i1>
    isa.vf_store %0, %a bits : <i1>, <UB, i1>
  }
  return
}

// -----

func.func @too_large(%n: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %x = isa.alloc 256 {address = 0 : i64} : <UB, f32>
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c300 = arith.constant 300 : i64
  // expected-error @+1 {{'isa.exp_r' op needs 300 where Ascend C has a uint8_t}}
  isa.exp_r %x, %x, %c64, %n, %c1, %c1, %c300, %c1 : <UB, f32>, <UB, f32>
  return
}
