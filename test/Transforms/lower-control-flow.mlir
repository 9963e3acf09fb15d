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

// -----

// A loop changes a carried tile group by group: rows are read where they lie, and the new ones are computed there.
// CHECK-LABEL: func @groups
// CHECK:       %[[ALL:.*]] = isa.alloc 8192 {shape = "[32, 64] float32"} :
// CHECK:       isa.duplicate %[[ALL]]
// CHECK:       scf.for
// CHECK:         %[[ROWS:.*]] = isa.offset %[[ALL]],
// CHECK:         isa.exp %[[ROWS]], %[[ROWS]],
// CHECK-NOT:     isa.copy_r
// CHECK:       }
// CHECK:       isa.copy_ub_to_gm %{{.*}}, %[[ALL]]
func.func @groups(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %one = arith.constant 1.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<32x64xf32>
  %ones = tile.splat %one : f32 -> !tile.tile<32x64xf32, UB>
  %all = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %ones) -> (!tile.tile<32x64xf32, UB>) : i32 {
    %row = arith.muli %i, %c8 : i32
    %part = tile.copy %a[%row, %c0] : !tile.tile<32x64xf32, UB> -> !tile.tile<8x64xf32, UB>
    %e = tile.unary exp %part : !tile.tile<8x64xf32, UB>
    %next = tile.insert %e, %a[%row] : !tile.tile<8x64xf32, UB> -> !tile.tile<32x64xf32, UB>
    scf.yield %next : !tile.tile<32x64xf32, UB>
  }
  tile.store %all, %t[%c0, %c0] : !tile.tile<32x64xf32, UB>, !tile.tensor<32x64xf32>
  return
}

// -----

// Of a tile that something needs as it was, the rows go into a copy.
// CHECK-LABEL: func @keeps
// CHECK:       isa.copy_gm_to_ub %[[OLD:[0-9]+]],
// CHECK:       %[[NEW:.*]] = isa.alloc 8192
// CHECK:       isa.copy_r %[[NEW]], %[[OLD]]
// CHECK:       isa.copy_ub_to_gm %{{.*}}, %[[NEW]]
// CHECK:       isa.copy_ub_to_gm %{{.*}}, %[[OLD]]
func.func @keeps(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<32x64xf32>
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<32x64xf32>
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<32x64xf32>, f32 -> !tile.tile<32x64xf32, UB>
  %part = tile.splat %z : f32 -> !tile.tile<8x64xf32, UB>
  %y = tile.insert %part, %x[%c8] : !tile.tile<8x64xf32, UB> -> !tile.tile<32x64xf32, UB>
  tile.store %y, %u[%c0, %c0] : !tile.tile<32x64xf32, UB>, !tile.tensor<32x64xf32>
  tile.store %x, %u[%c0, %c0] : !tile.tile<32x64xf32, UB>, !tile.tensor<32x64xf32>
  return
}

// -----

// What a carried tile is computed from on the way to its new value lies where it is, too.
// CHECK-LABEL: func @scaled
// CHECK:       %[[ACC:.*]] = isa.alloc 256 {shape = "[64] float32"} :
// CHECK:       isa.duplicate %[[ACC]]
// CHECK:       scf.for
// CHECK-NEXT:    isa.muls %[[ACC]], %[[ACC]],
// CHECK-NEXT:    isa.add %[[ACC]], %[[ACC]],
// CHECK-NEXT:  }
func.func @scaled(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %h = arith.constant 0.5 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<64xf32>
  %x = tile.load %t[%c0], %z : !tile.tensor<64xf32>, f32 -> !tile.tile<64xf32, UB>
  %zeros = tile.splat %z : f32 -> !tile.tile<64xf32, UB>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zeros) -> (!tile.tile<64xf32, UB>) : i32 {
    %b = tile.binary mul %a, %h : !tile.tile<64xf32, UB>, f32 -> <64xf32, UB>
    %c = tile.binary add %b, %x : !tile.tile<64xf32, UB>, !tile.tile<64xf32, UB> -> !tile.tile<64xf32, UB>
    scf.yield %c : !tile.tile<64xf32, UB>
  }
  tile.store %s, %t[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  return
}

// -----

// Also where the loop changes the carried tile group by group.
// CHECK-LABEL: func @scaled_groups
// CHECK:       %[[ALL:.*]] = isa.alloc 8192 {shape = "[32, 64] float32"} :
// CHECK-NOT:   isa.alloc
// CHECK:       scf.for
// CHECK:         %[[ROWS:.*]] = isa.offset %[[ALL]],
// CHECK:         isa.muls %[[ROWS]], %[[ROWS]],
// CHECK-NEXT:    isa.adds %[[ROWS]], %[[ROWS]],
// CHECK-NEXT:  }
func.func @scaled_groups(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %one = arith.constant 1.0 : f32
  %h = arith.constant 0.5 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<32x64xf32>
  %ones = tile.splat %one : f32 -> !tile.tile<32x64xf32, UB>
  %all = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %ones) -> (!tile.tile<32x64xf32, UB>) : i32 {
    %row = arith.muli %i, %c8 : i32
    %part = tile.copy %a[%row, %c0] : !tile.tile<32x64xf32, UB> -> !tile.tile<8x64xf32, UB>
    %b = tile.binary mul %part, %h : !tile.tile<8x64xf32, UB>, f32 -> <8x64xf32, UB>
    %e = tile.binary add %b, %one : !tile.tile<8x64xf32, UB>, f32 -> <8x64xf32, UB>
    %next = tile.insert %e, %a[%row] : !tile.tile<8x64xf32, UB> -> !tile.tile<32x64xf32, UB>
    scf.yield %next : !tile.tile<32x64xf32, UB>
  }
  tile.store %all, %t[%c0, %c0] : !tile.tile<32x64xf32, UB>, !tile.tensor<32x64xf32>
  return
}
