// RUN: tilesmith-opt %s --split-input-file --verify-diagnostics

func.func @shapes(%x: !graph.tensor<4x8xf32>, %y: !graph.tensor<8x4xf32>) {
  // expected-error @+1 {{rhs has another shape than the result}}
  %0 = graph.binary add %x, %y : !graph.tensor<4x8xf32>, !graph.tensor<8x4xf32> -> !graph.tensor<4x8xf32>
  return
}

// -----

func.func @elements(%x: !graph.tensor<4x8xf32>, %f: f16) {
  // expected-error @+1 {{rhs must have element type 'f32', got 'f16'}}
  %0 = graph.binary add %x, %f : !graph.tensor<4x8xf32>, f16 -> !graph.tensor<4x8xf32>
  return
}

// -----

func.func @repeated(%x: !graph.tensor<4x2xf32>) {
  // expected-error @+1 {{repeats axes of size 1 only}}
  %0 = graph.expand %x : !graph.tensor<4x2xf32> -> !graph.tensor<4x8xf32>
  return
}

// -----

func.func @reduced(%x: !graph.tensor<4x8xf32>, %n: i32) {
  // expected-error @+1 {{the result is the operand with size 1 at axis 1}}
  %0 = graph.reduce sum %x 1 valid %n : !graph.tensor<4x8xf32> -> !graph.tensor<1x8xf32>
  return
}

// -----

func.func @inner(%a: !graph.tensor<4x8xf16>, %b: !graph.tensor<4x8xf16>, %n: i32) {
  // expected-error @+1 {{inner sizes differ}}
  %0 = graph.matmul %a, %b inner %n : !graph.tensor<4x8xf16>, !graph.tensor<4x8xf16> -> !graph.tensor<4x8xf32>
  return
}

// -----

func.func @extents(%x: !graph.tensor<4x8xf32>, %p: !tile.ptr<f32>, %n: i32) {
  %m = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<4x8xf32>
  // expected-error @+1 {{needs one valid extent for each axis}}
  graph.assemble %x, %m[%n, %n] valid [%n] : !graph.tensor<4x8xf32>, !tile.tensor<4x8xf32>
  return
}

// -----

// expected-error @+1 {{a tensor has 1 to 5 dimensions}}
func.func @rank(%x: !graph.tensor<1x2x3x4x5x6xf32>) {
  return
}
