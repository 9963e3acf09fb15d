// RUN: tilesmith-opt %s --split-input-file --verify-diagnostics

func.func @shapes(%a: !tile.tile<64xf32, UB>, %b: !tile.tile<32xf32, UB>) {
  // expected-error @+1 {{rhs has another shape than the result}}
  %0 = tile.binary add %a, %b : !tile.tile<64xf32, UB>, !tile.tile<32xf32, UB> -> !tile.tile<64xf32, UB>
  return
}

// -----

func.func @types(%a: !tile.tile<64xf32, UB>, %s: f16) {
  // expected-error @+1 {{rhs must have element type 'f32', got 'f16'}}
  %0 = tile.binary add %a, %s : !tile.tile<64xf32, UB>, f16 -> !tile.tile<64xf32, UB>
  return
}

// -----

// expected-error @+1 {{unknown memory 'DRAM'}}
func.func @memory(%a: !tile.tile<64xf32, DRAM>) {
  return
}

// -----

// expected-error @+1 {{a tile lives on the chip, not in GM}}
func.func @global(%a: !tile.tile<64xf32, GM>) {
  return
}

// -----

func.func @offsets(%x: !tile.ptr<f32>, %i: i32, %z: f32) {
  %t = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<8x8xf32>
  // expected-error @+1 {{needs 2 offsets, got 1}}
  %0 = tile.load %t[%i], %z : !tile.tensor<8x8xf32>, f32 -> !tile.tile<8x8xf32, UB>
  return
}

// -----

func.func @axes(%a: !tile.tile<4x8xf32, UB>) {
  // expected-error @+1 {{axis 2 is outside a tile of rank 2}}
  %0 = tile.reduce sum %a [2] : !tile.tile<4x8xf32, UB> -> !tile.tile<4x8xf32, UB>
  return
}

// -----

func.func @matmul(%a: !tile.tile<16x32xf16, L0A>, %b: !tile.tile<16x16xf16, L0B>) {
  // expected-error @+1 {{shapes do not multiply}}
  %0 = tile.matmul %a, %b : !tile.tile<16x32xf16, L0A>, !tile.tile<16x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
  return
}

// -----

func.func @unsigned_scalar(%a: !tile.tile<8xui8, UB>, %s: i16) {
  // expected-error @+1 {{rhs must have element type 'i8', got 'i16'}}
  %0 = tile.binary add %a, %s : !tile.tile<8xui8, UB>, i16 -> !tile.tile<8xui8, UB>
  return
}

// -----

func.func @bitcast(%a: !tile.tile<8xui8, UB>) {
  // expected-error @+1 {{changes the number of bytes}}
  %0 = tile.bitcast %a : !tile.tile<8xui8, UB> -> !tile.tile<8xi16, UB>
  return
}
