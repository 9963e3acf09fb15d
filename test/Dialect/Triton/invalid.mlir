// RUN: tilesmith-opt %s --split-input-file --verify-diagnostics
func.func @narrow(%p: !tile.ptr<f32>, %o: !tile.tile<64xi16, UB>) {
  // expected-error @+1 {{needs an offset of i32 for each element}}
  %x = triton.load %p[%o] : !tile.ptr<f32>, !tile.tile<64xi16, UB> -> !tile.tile<64xf32, UB>
  return
}

// -----

func.func @element(%p: !tile.ptr<f16>, %o: !tile.tile<64xi32, UB>) {
  // expected-error @+1 {{element type 'f32' differs from the array's 'f16'}}
  %x = triton.load %p[%o] : !tile.ptr<f16>, !tile.tile<64xi32, UB> -> !tile.tile<64xf32, UB>
  return
}

// -----

func.func @other(%p: !tile.ptr<f32>, %o: !tile.tile<64xi32, UB>, %z: f32) {
  // expected-error @+1 {{`other` goes with a mask and has the type of the result or its elements}}
  %x = triton.load %p[%o] other %z : f32 : !tile.ptr<f32>, !tile.tile<64xi32, UB> -> !tile.tile<64xf32, UB>
  return
}

// -----

func.func @expected(%p: !tile.ptr<f32>, %o: !tile.tile<64xi32, UB>, %v: !tile.tile<64xf32, UB>) {
  // expected-error @+1 {{`expected` goes with cas, and only with it}}
  %x = triton.update cas %v, %p[%o] : !tile.tile<64xf32, UB>, !tile.ptr<f32>, !tile.tile<64xi32, UB> -> !tile.tile<64xf32, UB>
  return
}
