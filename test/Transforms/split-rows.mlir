// RUN: tilesmith-opt %s --split-rows --split-input-file | FileCheck %s
// Two vector cores share tiles by rows; what both have, the first one stores.

// CHECK-LABEL: func.func @rows
// CHECK-SAME: isa.vector_cores = 2
// CHECK: %[[SUB:.*]] = arith.remui
// CHECK: %[[X:.*]] = tile.receive from 0 {axis = 0 : i64} : <8x16xf32, UB>
// CHECK: %[[MAX:.*]] = tile.reduce max %[[X]] [1] : <8x16xf32, UB> -> <8x1xf32, UB>
// CHECK: %[[ROW:.*]] = tile.load {{.*}} -> <16xf32, UB>
// CHECK: tile.broadcast %[[ROW]] : <16xf32, UB> -> <8x16xf32, UB>
// CHECK: tile.broadcast %[[MAX]] : <8x1xf32, UB> -> <8x16xf32, UB>
// CHECK: %[[OFF:.*]] = arith.muli %[[SUB]]
// CHECK: arith.addi %{{.*}}, %[[OFF]]
// CHECK: tile.store {{.*}} : <8x16xf32, UB>
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[SUB]]
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: tile.store %[[ROW]]
func.func @rows(%q: !tile.ptr<f32>, %b: !tile.ptr<f32>, %o: !tile.ptr<f32>, %c: !tile.ptr<f32>) attributes {tile.kernel, isa.core = "AIV", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %pad = arith.constant 0.0 : f32
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %v = tile.tensor %b, [] : !tile.ptr<f32> -> !tile.tensor<16xf32>
  %w = tile.tensor %o, [] : !tile.ptr<f32> -> !tile.tensor<16xf32>
  %x = tile.receive from 0 : !tile.tile<16x16xf32, UB>
  %max = tile.reduce max %x [1] : !tile.tile<16x16xf32, UB> -> !tile.tile<16x1xf32, UB>
  %row = tile.load %v[%c0], %pad : !tile.tensor<16xf32>, f32 -> !tile.tile<16xf32, UB>
  %rows = tile.broadcast %row : !tile.tile<16xf32, UB> -> !tile.tile<16x16xf32, UB>
  %cols = tile.broadcast %max : !tile.tile<16x1xf32, UB> -> !tile.tile<16x16xf32, UB>
  %y = tile.binary add %rows, %cols : !tile.tile<16x16xf32, UB>, !tile.tile<16x16xf32, UB> -> !tile.tile<16x16xf32, UB>
  %z = tile.binary add %y, %x : !tile.tile<16x16xf32, UB>, !tile.tile<16x16xf32, UB> -> !tile.tile<16x16xf32, UB>
  tile.store %z, %u[%c0, %c0] : !tile.tile<16x16xf32, UB>, !tile.tensor<16x16xf32>
  tile.store %row, %w[%c0] : !tile.tile<16xf32, UB>, !tile.tensor<16xf32>
  return
}

// -----

// A sum over rows needs all of them: columns are shared instead.
// CHECK-LABEL: func.func @columns
// CHECK: tile.receive from 0 {axis = 1 : i64} : <15x8xf32, UB>
// CHECK: tile.reduce sum {{.*}} [0] : <15x8xf32, UB> -> <8xf32, UB>
func.func @columns(%q: !tile.ptr<f32>) attributes {tile.kernel, isa.core = "AIV", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16xf32>
  %x = tile.receive from 0 : !tile.tile<15x16xf32, UB>
  %s = tile.reduce sum %x [0] : !tile.tile<15x16xf32, UB> -> !tile.tile<16xf32, UB>
  tile.store %s, %u[%c0] : !tile.tile<16xf32, UB>, !tile.tensor<16xf32>
  return
}

// -----

// One core could read what the other one writes: the block keeps one vector core.
// CHECK-LABEL: func.func @shared
// CHECK-SAME: isa.vector_cores = 1
// CHECK: tile.receive from 0 : <16x16xf32, UB>
func.func @shared(%q: !tile.ptr<f32>) attributes {tile.kernel, isa.core = "AIV", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %pad = arith.constant 0.0 : f32
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %x = tile.receive from 0 : !tile.tile<16x16xf32, UB>
  %old = tile.load %u[%c0, %c0], %pad : !tile.tensor<16x16xf32>, f32 -> !tile.tile<16x16xf32, UB>
  %y = tile.binary add %x, %old : !tile.tile<16x16xf32, UB>, !tile.tile<16x16xf32, UB> -> !tile.tile<16x16xf32, UB>
  tile.store %y, %u[%c0, %c0] : !tile.tile<16x16xf32, UB>, !tile.tensor<16x16xf32>
  return
}

// -----

// What both cores store at one place one of them would store at another: the block keeps one vector core.
// CHECK-LABEL: func.func @two_ways
// CHECK-SAME: isa.vector_cores = 1
func.func @two_ways(%q: !tile.ptr<f32>) attributes {tile.kernel, isa.core = "AIV", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %x = tile.receive from 0 : !tile.tile<16x16xf32, UB>
  %s = tile.reduce sum %x [0] : !tile.tile<16x16xf32, UB> -> !tile.tile<16xf32, UB>
  %all = tile.reduce sum %s [0] : !tile.tile<16xf32, UB> -> !tile.tile<1xf32, UB>
  %e = tile.extract %all : !tile.tile<1xf32, UB> -> f32
  %first = tile.splat %e : f32 -> !tile.tile<8x16xf32, UB>
  %y = tile.unary abs %x : !tile.tile<16x16xf32, UB>
  tile.store %first, %u[%c0, %c0] : !tile.tile<8x16xf32, UB>, !tile.tensor<16x16xf32>
  tile.store %y, %u[%c0, %c0] : !tile.tile<16x16xf32, UB>, !tile.tensor<16x16xf32>
  return
}

// -----

// The same parts at every place: both cores have their share.
// CHECK-LABEL: func.func @one_way
// CHECK-SAME: isa.vector_cores = 2
func.func @one_way(%q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel, isa.core = "AIV", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %x = tile.receive from 0 : !tile.tile<16x16xf32, UB>
  %is = arith.cmpi sgt, %n, %c0 : i32
  scf.if %is {
    %y = tile.unary abs %x : !tile.tile<16x16xf32, UB>
    tile.store %y, %u[%c0, %c0] : !tile.tile<16x16xf32, UB>, !tile.tensor<16x16xf32>
  } else {
    tile.store %x, %u[%c0, %c0] : !tile.tile<16x16xf32, UB>, !tile.tensor<16x16xf32>
  }
  return
}
