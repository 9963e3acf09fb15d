// RUN: tilesmith-opt %s --check-written --split-input-file --verify-diagnostics | FileCheck %s

// What is written first may be read; loops and branches carry the tensor on.
// CHECK-LABEL: func @written
// CHECK-NOT:   graph.unwritten
func.func @written(%x: !graph.tensor<16x32xf32>, %c: i1, %n: i32) -> !graph.tensor<16x32xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %f = arith.constant 0.0 : f32
  %t = graph.full %f {graph.unwritten} : f32 -> !graph.tensor<16x32xf32>
  %w = graph.insert %x into %t[%c0, %c0] valid [%c16, %c32] : !graph.tensor<16x32xf32>, !graph.tensor<16x32xf32>
  %e = graph.unary exp %w : !graph.tensor<16x32xf32>
  %u = graph.full %f {graph.unwritten} : f32 -> !graph.tensor<16x32xf32>
  %b = scf.if %c -> !graph.tensor<16x32xf32> {
    scf.yield %e : !graph.tensor<16x32xf32>
  } else {
    scf.yield %u : !graph.tensor<16x32xf32>
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %b) -> (!graph.tensor<16x32xf32>) : i32 {
    %s = graph.binary add %a, %e : !graph.tensor<16x32xf32>, !graph.tensor<16x32xf32> -> !graph.tensor<16x32xf32>
    scf.yield %s : !graph.tensor<16x32xf32>
  }
  return %r : !graph.tensor<16x32xf32>
}

// -----

func.func @unwritten() -> !graph.tensor<16x32xf32> {
  %f = arith.constant 0.0 : f32
  %t = graph.full %f {graph.unwritten} : f32 -> !graph.tensor<16x32xf32> // expected-note {{made here}}
  %e = graph.unary exp %t : !graph.tensor<16x32xf32> // expected-error {{a tensor is read before anything is written into it}}
  %g = graph.unary exp %t : !graph.tensor<16x32xf32>
  return %e : !graph.tensor<16x32xf32>
}
