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

// A loop that reads single elements that another one wrote: the first core does both, because caches are a core's own.
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

// -----

// A loop that reads what another one wrote: both are dealt, and all cores wait in between. What both have in common is
// shared by the cores, and the kernel says that they wait.
// CHECK-LABEL: func @parts
// CHECK-SAME: asc.waits
// CHECK: graph.workspace 4096 {graph.shared}
// CHECK: %[[CORE:.*]] = tile.block_idx
// CHECK: scf.for %{{.*}} = %[[CORE]] to
// CHECK: asc.call "sync_all" place(%c1_i64{{.*}})
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK: return
func.func @parts(%x: !tile.tensor<16x64xf32>, %y: !tile.tensor<16x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %w = graph.workspace 4096 : !tile.ptr<f32>
  %m = tile.tensor %w, [] : !tile.ptr<f32> -> !tile.tensor<16x64xf32>
  scf.for %i = %c0 to %c16 step %c1 : i32 {
    %v = graph.view %x[%i, %c0] : !tile.tensor<16x64xf32> -> !graph.tensor<1x64xf32>
    graph.assemble %v, %m[%i, %c0] valid [%c1, %c64] : !graph.tensor<1x64xf32>, !tile.tensor<16x64xf32>
  } {graph.independent}
  scf.for %i = %c0 to %c16 step %c1 : i32 {
    %v = graph.view %m[%i, %c0] : !tile.tensor<16x64xf32> -> !graph.tensor<1x64xf32>
    graph.assemble %v, %y[%i, %c0] valid [%c1, %c64] : !graph.tensor<1x64xf32>, !tile.tensor<16x64xf32>
  } {graph.independent}
  return
}

// -----

// A loop in order is walked by all cores alike, with its own loops dealt; they wait at the end of an iteration. What is
// not a loop the first core does.
// CHECK-LABEL: func @walked
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %arg2 step %c1
// CHECK:   %[[CORE:.*]] = tile.block_idx
// CHECK:   scf.for %{{.*}} = %[[CORE]]
// CHECK:   }
// CHECK:   asc.call "sync_all"
// CHECK:   %[[IS:.*]] = arith.cmpi eq
// CHECK:   scf.if %[[IS]]
// CHECK:     graph.view
// CHECK:     graph.assemble
// CHECK:   }
// CHECK:   asc.call "sync_all"
// CHECK: }
func.func @walked(%x: !tile.tensor<16x64xf32>, %y: !tile.tensor<16x64xf32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  scf.for %t = %c0 to %n step %c1 : i32 {
    scf.for %i = %c0 to %c16 step %c1 : i32 {
      %v = graph.view %x[%i, %c0] : !tile.tensor<16x64xf32> -> !graph.tensor<1x64xf32>
      graph.assemble %v, %y[%i, %c0] valid [%c1, %c64] : !graph.tensor<1x64xf32>, !tile.tensor<16x64xf32>
    } {graph.independent}
    %r = graph.view %y[%t, %c0] : !tile.tensor<16x64xf32> -> !graph.tensor<1x64xf32>
    graph.assemble %r, %x[%t, %c0] valid [%c1, %c64] : !graph.tensor<1x64xf32>, !tile.tensor<16x64xf32>
  }
  return
}
