// RUN: tilesmith-opt %s --lower-to-isa=arch=C220 --cse --split-input-file --verify-diagnostics | FileCheck %s

// A sum is updated straight in the carried buffer: no copy in the loop, and the initial value's own buffer is carried.
// CHECK-LABEL: func @accumulate
// CHECK:       %[[ACC:.*]] = isa.alloc 256 {shape = "[64] float32"} :
// CHECK:       isa.duplicate %[[ACC]]
// CHECK:       scf.for
// CHECK:         isa.add %[[ACC]], %[[ACC]],
// CHECK-NOT:     isa.copy_r
// CHECK:       }
// CHECK:       isa.copy_ub_to_gm %{{.*}}, %[[ACC]]
func.func @accumulate(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<64xf32>
  %x = tile.load %t[%c0], %z : !tile.tensor<64xf32>, f32 -> !tile.tile<64xf32, UB>
  %zeros = tile.splat %z : f32 -> !tile.tile<64xf32, UB>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zeros) -> (!tile.tile<64xf32, UB>) : i32 {
    %b = tile.binary add %a, %x : !tile.tile<64xf32, UB>, !tile.tile<64xf32, UB> -> !tile.tile<64xf32, UB>
    scf.yield %b : !tile.tile<64xf32, UB>
  }
  tile.store %s, %t[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  return
}

// -----

// Swapped tiles: one is saved before it is overwritten.
// CHECK-LABEL: func @swap
// CHECK:       scf.for
// CHECK:         %[[SAVED:.*]] = isa.alloc
// CHECK:         isa.copy_r %[[SAVED]], %[[Q:[^,]*]],
// CHECK:         isa.copy_r %[[Q]], %[[P:[^,]*]],
// CHECK:         isa.copy_r %[[P]], %[[SAVED]],
func.func @swap(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<64xf32>
  %x = tile.load %t[%c0], %z : !tile.tensor<64xf32>, f32 -> !tile.tile<64xf32, UB>
  %y = tile.splat %z : f32 -> !tile.tile<64xf32, UB>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (!tile.tile<64xf32, UB>, !tile.tile<64xf32, UB>) : i32 {
    scf.yield %b, %a : !tile.tile<64xf32, UB>, !tile.tile<64xf32, UB>
  }
  tile.store %r#0, %t[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  tile.store %r#1, %t[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  return
}

// -----

// Both branches write the buffer of the result.
// CHECK-LABEL: func @branches
// CHECK:       %[[R:.*]] = isa.alloc 256 {shape = "[64] float32"} :
// CHECK:       scf.if
// CHECK:         isa.abs %[[R]],
// CHECK:       } else {
// CHECK:         isa.copy_r %[[R]],
// CHECK:       }
func.func @branches(%p: !tile.ptr<f32>, %c: i1) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<64xf32>
  %x = tile.load %t[%c0], %z : !tile.tensor<64xf32>, f32 -> !tile.tile<64xf32, UB>
  %r = scf.if %c -> (!tile.tile<64xf32, UB>) {
    %a = tile.unary abs %x : !tile.tile<64xf32, UB>
    scf.yield %a : !tile.tile<64xf32, UB>
  } else {
    scf.yield %x : !tile.tile<64xf32, UB>
  }
  tile.store %r, %t[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  return
}
