// RUN: tilesmith-opt %s --distribute --split-input-file | FileCheck %s

// An independent loop is dealt to the cores.
// CHECK-LABEL: func @dealt
// CHECK-DAG: %[[CORE:.*]] = tile.block_idx
// CHECK-DAG: %[[CORES:.*]] = tile.block_num
// CHECK: scf.for %{{.*}} = %[[CORE]] to %{{.*}} step %[[CORES]]
func.func @dealt(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f = arith.constant 1.0 : f32
  %a = tile.tensor %p, [%n] : !tile.ptr<f32> -> !tile.tensor<?xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    tile.set %f, %a[%i] : f32, !tile.tensor<?xf32>
  } {graph.independent}
  return
}

// -----

// A loop that reads what another one wrote: the first core does both.
// CHECK-LABEL: func @after
// CHECK: scf.if
// CHECK: scf.for
// CHECK: scf.for
func.func @after(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f = arith.constant 1.0 : f32
  %a = tile.tensor %p, [%n] : !tile.ptr<f32> -> !tile.tensor<?xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    tile.set %f, %a[%i] : f32, !tile.tensor<?xf32>
  } {graph.independent}
  scf.for %i = %c0 to %n step %c1 : i32 {
    %v = tile.get %a[%i] : !tile.tensor<?xf32> -> f32
    tile.set %v, %a[%i] : f32, !tile.tensor<?xf32>
  } {graph.independent}
  return
}
