// RUN: tilesmith-opt %s --split-input-file --verify-diagnostics

func.func @memory(%x: !isa.buffer<GM, f32>, %n: i64) {
  // expected-error @+1 {{operand 'dst' cannot live in GM}}
  isa.add %x, %x, %x, %n : !isa.buffer<GM, f32>, !isa.buffer<GM, f32>, !isa.buffer<GM, f32>
  return
}

// -----

func.func @dtype(%x: !isa.buffer<UB, bf16>, %n: i64) attributes {isa.arch = "C220"} {
  // expected-error @+1 {{does not take 'bf16' on C220}}
  isa.add %x, %x, %x, %n : !isa.buffer<UB, bf16>, !isa.buffer<UB, bf16>, !isa.buffer<UB, bf16>
  return
}

// -----

func.func @arch(%x: !isa.buffer<UB, f32>, %n: i64) attributes {isa.arch = "C220"} {
  // expected-error @+1 {{does not take 'f32' on C220}}
  isa.neg %x, %x, %n : !isa.buffer<UB, f32>, !isa.buffer<UB, f32>
  return
}

// -----

func.func @size() {
  // expected-error @+1 {{needs a positive size and at least one slot}}
  %0 = isa.alloc 0 : !isa.buffer<UB, f32>
  return
}

// -----

func.func @mirror(%x: !isa.buffer<UB, f32>) {
  // expected-error @+1 {{the block's arguments must mirror the call's}}
  isa.vf 1 x 64(%x) : !isa.buffer<UB, f32> {
  ^bb0(%s: f32):
    %0 = isa.vf_scalar %s : f32 -> !isa.reg<f32>
  }
  return
}

// -----

func.func @unknown(%x: !isa.buffer<UB, f32>) {
  isa.vf 1 x 64(%x) : !isa.buffer<UB, f32> {
  ^bb0(%b: !isa.buffer<UB, f32>):
    %0 = isa.vf_load %b full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    // expected-error @+1 {{no instruction 'frobnicate' in the table}}
    %1 = isa.vf_compute "frobnicate"(%0) : (!isa.reg<f32>) -> !isa.reg<f32>
  }
  return
}

// -----

func.func @not_in_registers(%x: !isa.buffer<UB, f32>) {
  isa.vf 1 x 64(%x) : !isa.buffer<UB, f32> {
  ^bb0(%b: !isa.buffer<UB, f32>):
    %0 = isa.vf_load %b full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    // expected-error @+1 {{'add_relu' is not an instruction on registers}}
    %1 = isa.vf_compute "add_relu"(%0, %0) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
  }
  return
}

// -----

// Types of the table that no instruction takes are refused by their names, also those that share a byte.
func.func @fp8(%x: !isa.buffer<UB, f8E4M3FN>) attributes {isa.kernel, isa.arch = "C310"} {
  %c64 = arith.constant 64 : i64
  // expected-error @+1 {{does not take 'f8E4M3FN' on C310}}
  isa.abs %x, %x, %c64 : <UB, f8E4M3FN>, <UB, f8E4M3FN>
  return
}

// -----

func.func @no_such_walk(%x: !isa.buffer<UB, f32>) {
  isa.vf 1 x 64(%x) : !isa.buffer<UB, f32> {
  ^bb0(%b: !isa.buffer<UB, f32>):
    // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'walk' [full, row, element, one, bits, group]}}
    %0 = isa.vf_load %b diagonal : !isa.buffer<UB, f32> -> !isa.reg<f32>
  }
  return
}

// -----

func.func @int4(%x: !isa.buffer<UB, i4>) attributes {isa.kernel, isa.arch = "C310"} {
  %c64 = arith.constant 64 : i64
  // expected-error @+1 {{does not take 'i4' on C310}}
  isa.abs %x, %x, %c64 : <UB, i4>, <UB, i4>
  return
}

// -----

func.func @no_such_reduction(%x: !isa.buffer<UB, f32>) {
  isa.vf 1 x 64(%x) : !isa.buffer<UB, f32> {
  ^bb0(%b: !isa.buffer<UB, f32>):
    %0 = isa.vf_load %b full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'kind' [sum, max, min]}}
    isa.vf_reduce product %0, %b : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  return
}

// -----

func.func @groups_of_three(%x: !isa.buffer<UB, f32>) {
  isa.vf 1 x 63(%x) : !isa.buffer<UB, f32> {
  ^bb0(%b: !isa.buffer<UB, f32>):
    %0 = isa.vf_load %b full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    // expected-error @+1 {{reduces 2, 4, 8, 16 or 32 columns at a time, not 3}}
    isa.vf_reduce sum %0, %b {width = 3 : i64} : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  return
}

// -----

func.func @groups_of_several_rows(%x: !isa.buffer<UB, f32>) {
  isa.vf 2 x 64(%x) : !isa.buffer<UB, f32> {
  ^bb0(%b: !isa.buffer<UB, f32>):
    %0 = isa.vf_load %b full : !isa.buffer<UB, f32> -> !isa.reg<f32>
    // expected-error @+1 {{needs one row of a multiple of 8 columns}}
    isa.vf_reduce sum %0, %b {width = 8 : i64} : !isa.reg<f32>, !isa.buffer<UB, f32>
  }
  return
}
