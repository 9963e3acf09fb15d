// RUN: tilesmith-opt %s --chunk-tiles=ub=4096 | FileCheck %s
// A received tile that UB does not hold goes through in groups of rows. The wait stays before the loop, and the slot is
// given back behind it.

// CHECK-LABEL: func.func @large
// CHECK: isa.cross_core_wait
// CHECK-NOT: isa.cross_core_set
// CHECK: scf.for %[[PART:.*]] =
// CHECK: arith.muli %[[PART]]
// CHECK: tile.load {{.*}} -> <8x32xf32, UB>
// CHECK: tile.unary exp {{.*}} : <8x32xf32, UB>
// CHECK: tile.store {{.*}} : <8x32xf32, UB>
// CHECK: }
// CHECK-NEXT: isa.cross_core_set
func.func @large(%q: !tile.ptr<f32>, %w: !tile.ptr<f32> {isa.channel = 8192 : i64, isa.noalias}) attributes {tile.kernel, isa.core = "AIV", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %mode = arith.constant 2 : i64
  %flag = arith.constant 0 : i64
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<32x32xf32>
  %t = tile.tensor %w, [] : !tile.ptr<f32> -> !tile.tensor<32x32xf32>
  isa.cross_core_wait %mode, %flag {on = #isa.pipe<MTE2>}
  %x = tile.load %t[%c0, %c0], %zero : !tile.tensor<32x32xf32>, f32 -> !tile.tile<32x32xf32, UB>
  isa.cross_core_set %mode, %flag {from = #isa.pipe<MTE2>}
  %e = tile.unary exp %x : !tile.tile<32x32xf32, UB>
  tile.store %e, %u[%c0, %c0] : !tile.tile<32x32xf32, UB>, !tile.tensor<32x32xf32>
  return
}

// Operations on tiles that stay whole come together on the 950: both waits before them, the sets behind.
// CHECK-LABEL: func.func @together
// CHECK-COUNT-2: isa.cross_core_wait
// CHECK-COUNT-2: tile.load
// CHECK: tile.store
// CHECK-COUNT-2: isa.cross_core_set
func.func @together(%q: !tile.ptr<f32>, %v: !tile.ptr<f32> {isa.channel = 1024 : i64, isa.noalias}, %w: !tile.ptr<f32> {isa.channel = 1024 : i64, isa.noalias}) attributes {tile.kernel, isa.arch = "C310", isa.core = "AIV", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %mode = arith.constant 2 : i64
  %full = arith.constant 0 : i64
  %empty = arith.constant 1 : i64
  %otherfull = arith.constant 2 : i64
  %otherempty = arith.constant 3 : i64
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<8x16xf32>
  %s = tile.tensor %v, [] : !tile.ptr<f32> -> !tile.tensor<8x16xf32>
  %t = tile.tensor %w, [] : !tile.ptr<f32> -> !tile.tensor<8x16xf32>
  isa.cross_core_wait %mode, %full {on = #isa.pipe<MTE2>}
  %x = tile.load %s[%c0, %c0], %zero : !tile.tensor<8x16xf32>, f32 -> !tile.tile<8x16xf32, UB>
  isa.cross_core_set %mode, %empty {from = #isa.pipe<MTE2>}
  isa.cross_core_wait %mode, %otherfull {on = #isa.pipe<MTE2>}
  %y = tile.load %t[%c0, %c0], %zero : !tile.tensor<8x16xf32>, f32 -> !tile.tile<8x16xf32, UB>
  isa.cross_core_set %mode, %otherempty {from = #isa.pipe<MTE2>}
  %e = tile.binary add %x, %y : !tile.tile<8x16xf32, UB>, !tile.tile<8x16xf32, UB> -> !tile.tile<8x16xf32, UB>
  tile.store %e, %u[%c0, %c0] : !tile.tile<8x16xf32, UB>, !tile.tensor<8x16xf32>
  return
}

// Not where channels share their flags: the second tile may wait for the slot that the first one gives back.
// CHECK-LABEL: func.func @shared_flags
// CHECK: isa.cross_core_wait
// CHECK: tile.load
// CHECK: isa.cross_core_set
// CHECK: isa.cross_core_wait
// CHECK: tile.load
// CHECK: isa.cross_core_set
// CHECK: tile.binary
func.func @shared_flags(%q: !tile.ptr<f32>, %v: !tile.ptr<f32> {isa.channel = 1024 : i64, isa.noalias}, %w: !tile.ptr<f32> {isa.channel = 1024 : i64, isa.noalias}) attributes {tile.kernel, isa.arch = "C310", isa.core = "AIV", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %mode = arith.constant 2 : i64
  %full = arith.constant 0 : i64
  %empty = arith.constant 1 : i64
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<8x16xf32>
  %s = tile.tensor %v, [] : !tile.ptr<f32> -> !tile.tensor<8x16xf32>
  %t = tile.tensor %w, [] : !tile.ptr<f32> -> !tile.tensor<8x16xf32>
  isa.cross_core_wait %mode, %full {on = #isa.pipe<MTE2>}
  %x = tile.load %s[%c0, %c0], %zero : !tile.tensor<8x16xf32>, f32 -> !tile.tile<8x16xf32, UB>
  isa.cross_core_set %mode, %empty {from = #isa.pipe<MTE2>}
  isa.cross_core_wait %mode, %full {on = #isa.pipe<MTE2>}
  %y = tile.load %t[%c0, %c0], %zero : !tile.tensor<8x16xf32>, f32 -> !tile.tile<8x16xf32, UB>
  isa.cross_core_set %mode, %empty {from = #isa.pipe<MTE2>}
  %e = tile.binary add %x, %y : !tile.tile<8x16xf32, UB>, !tile.tile<8x16xf32, UB> -> !tile.tile<8x16xf32, UB>
  tile.store %e, %u[%c0, %c0] : !tile.tile<8x16xf32, UB>, !tile.tensor<8x16xf32>
  return
}
