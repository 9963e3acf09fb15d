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

// -----

func.func @strides(%x: !tile.ptr<f32>, %i: i32) {
  // expected-error @+1 {{needs one stride for each of 2 dimensions, got 1}}
  %t = tile.tensor %x, [] strides [%i] : !tile.ptr<f32> -> !tile.tensor<8x8xf32>
  return
}

// -----

func.func @axes(%x: !tile.tile<4x8xf32, UB>) {
  // expected-error @+1 {{axes are not an order of the operand's 2 axes}}
  %0 = tile.transpose %x [1, 1] : !tile.tile<4x8xf32, UB> -> !tile.tile<8x8xf32, UB>
  return
}

// -----

func.func @turned(%x: !tile.tile<4x8xf32, UB>) {
  // expected-error @+1 {{result shape does not follow from the axes}}
  %0 = tile.transpose %x [1, 0] : !tile.tile<4x8xf32, UB> -> !tile.tile<4x8xf32, UB>
  return
}

// -----

func.func @positions(%x: !tile.tile<64xf32, UB>, %i: !tile.tile<8xi16, UB>) {
  // expected-error @+1 {{positions are i32, not 'i16'}}
  %0 = tile.gather %x[%i] : !tile.tile<64xf32, UB>, !tile.tile<8xi16, UB> -> !tile.tile<8xf32, UB>
  return
}

// -----

func.func @sort(%x: !tile.tile<4x64xi32, UB>) {
  // expected-error @+1 {{sorts f16 or f32, not 'i32'}}
  %v, %i = tile.sort %x : !tile.tile<4x64xi32, UB> -> !tile.tile<4x8xi32, UB>, !tile.tile<4x8xi32, UB>
  return
}

// -----

func.func @count() {
  // expected-error @+1 {{counts in i32 or f32, not in 'f16'}}
  %0 = tile.arange : !tile.tile<64xf16, UB>
  return
}

// -----

func.func @rows(%t: !tile.tensor<8x64xf32>, %i: !tile.tile<4xi32, UB>, %c: i32, %z: f32) {
  // expected-error @+1 {{has 4 row numbers for 8 rows}}
  %0 = tile.gather_rows %t[%i, %c], %z : !tile.tensor<8x64xf32>, !tile.tile<4xi32, UB>, f32 -> !tile.tile<8x64xf32, UB>
  return
}

// -----

func.func @turn(%x: !tile.tile<16x32xf16, UB>, %o: i32) {
  // expected-error @+1 {{turns matrices on the way from L1 to L0A or L0B only}}
  %0 = tile.copy %x[%o, %o] transposed : !tile.tile<16x32xf16, UB> -> !tile.tile<32x16xf16, UB>
  return
}
