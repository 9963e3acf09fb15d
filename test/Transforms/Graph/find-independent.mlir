// RUN: tilesmith-opt %s --find-independent | FileCheck %s

// Iterations that write rows of their own are independent; those that overlap are not, and neither are those that read
// what another one writes.
func.func @rows(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c256 = arith.constant 256 : i32
  %a = tile.tensor %p, [%n] : !tile.ptr<f32> -> !tile.tensor<?x256xf32>
  %b = tile.tensor %q, [%n] : !tile.ptr<f32> -> !tile.tensor<?x256xf32>
  // CHECK-LABEL: func @rows
  // CHECK: scf.for
  // CHECK: } {graph.independent}
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %c32 : i32
    %x = graph.view %a[%row, %c0] : !tile.tensor<?x256xf32> -> !graph.tensor<32x256xf32>
    graph.assemble %x, %b[%row, %c0] valid [%c32, %c256] : !graph.tensor<32x256xf32>, !tile.tensor<?x256xf32>
  }
  // CHECK: scf.for
  // CHECK-NOT: independent
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %c16 : i32
    %x = graph.view %a[%row, %c0] : !tile.tensor<?x256xf32> -> !graph.tensor<32x256xf32>
    graph.assemble %x, %b[%row, %c0] valid [%c32, %c256] : !graph.tensor<32x256xf32>, !tile.tensor<?x256xf32>
  }
  // CHECK-NOT: independent
  // CHECK: return
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %c32 : i32
    %before = arith.subi %row, %c32 : i32
    %x = graph.view %b[%before, %c0] : !tile.tensor<?x256xf32> -> !graph.tensor<32x256xf32>
    graph.assemble %x, %b[%row, %c0] valid [%c32, %c256] : !graph.tensor<32x256xf32>, !tile.tensor<?x256xf32>
  }
  return
}
