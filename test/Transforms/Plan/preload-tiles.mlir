// RUN: tilesmith-opt %s --split-input-file --split-products=arch=C220 --lower-to-isa=arch=C220 --cse --loop-invariant-code-motion --canonicalize --preload-tiles | FileCheck %s
// RUN: tilesmith-opt %s --split-input-file --split-products=arch=C220 --lower-to-isa=arch=C220 --cse --loop-invariant-code-motion --canonicalize --preload-tiles=l1=300000 | FileCheck %s --check-prefix=SMALL
// RUN: tilesmith-opt %s --split-input-file --split-products=arch=C220 --lower-to-isa=arch=C220 --cse --loop-invariant-code-motion --canonicalize --preload-tiles --remarks-filter=preload-tiles 2>&1 | FileCheck %s --check-prefix=WHY

// Loads are one iteration ahead: each tile is there twice, and the loads of the next iteration come before the copies of
// this one. Two iterations are written out; an odd last one has work and no loads.
// CHECK-LABEL: func @ahead
// CHECK-DAG:   %[[A0:.*]] = isa.alloc 65536 {shape = "[128, 256] float16"
// CHECK-DAG:   %[[A1:.*]] = isa.alloc 65536 {shape = "[128, 256] float16"
// CHECK-DAG:   %[[B0:.*]] = isa.alloc 131072
// CHECK-DAG:   %[[B1:.*]] = isa.alloc 131072
// CHECK:       isa.copy_gm_to_l1_nz %[[FIRSTA:[0-9]+]],
// CHECK:       isa.copy_gm_to_l1_nz %[[FIRSTB:[0-9]+]],
// CHECK:       scf.for
// CHECK:         isa.copy_gm_to_l1_nz %[[OTHERA:[0-9]+]],
// CHECK:         isa.copy_gm_to_l1_nz %[[OTHERB:[0-9]+]],
// CHECK:         isa.load_data_2d {{.*}}, %[[FIRSTA]],
// CHECK:         scf.if
// CHECK:           isa.copy_gm_to_l1_nz %[[FIRSTA]],
// CHECK:           isa.copy_gm_to_l1_nz %[[FIRSTB]],
// CHECK:         isa.load_data_2d {{.*}}, %[[OTHERA]],
// CHECK:         scf.yield
// CHECK:       scf.if
// CHECK-NOT:     isa.copy_gm_to_l1_nz
// CHECK:         isa.load_data_2d {{.*}}, %[[FIRSTA]],
// CHECK:       isa.fixpipe_to_gm
// L1 has no room for two of all tiles: the one that is read longest has two, and the other is loaded behind its last
// reader of the iteration.
// SMALL-LABEL: func @ahead
// SMALL:       isa.copy_gm_to_l1_nz %[[A:[0-9]+]],
// SMALL:       isa.copy_gm_to_l1_nz %[[B:[0-9]+]],
// SMALL:       scf.for
// SMALL:         isa.load_data_2d
// SMALL:         isa.mmad
// SMALL:         isa.copy_gm_to_l1_nz
// SMALL:       isa.fixpipe_to_gm
func.func @ahead(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>, %n: i32, %k: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %depth = arith.constant 256 : i32
  %height = arith.constant 128 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<4096x4096xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<4096x4096xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %height : i32
    %init = tile.zeros_acc : !tile.tile<128x256xf32, L0C>
    %sum = scf.for %j = %c0 to %k step %c1 iter_args(%acc = %init) -> (!tile.tile<128x256xf32, L0C>) : i32 {
      %at = arith.muli %j, %depth : i32
      %a = tile.load %ta[%row, %at], %zero : !tile.tensor<4096x4096xf16>, f16 -> !tile.tile<128x256xf16, L1>
      %b = tile.load %ta[%at, %c0], %zero : !tile.tensor<4096x4096xf16>, f16 -> !tile.tile<256x256xf16, L1>
      %l = tile.copy %a[%c0, %c0] : !tile.tile<128x256xf16, L1> -> !tile.tile<128x256xf16, L0A>
      %r = tile.copy %b[%c0, %c0] : !tile.tile<256x256xf16, L1> -> !tile.tile<256x256xf16, L0B>
      %s = tile.matmul %l, %r, %acc : !tile.tile<128x256xf32, L0C> : !tile.tile<128x256xf16, L0A>, !tile.tile<256x256xf16, L0B> -> !tile.tile<128x256xf32, L0C>
      scf.yield %s : !tile.tile<128x256xf32, L0C>
    }
    tile.store %sum, %tc[%row, %c0] : !tile.tile<128x256xf32, L0C>, !tile.tensor<4096x4096xf32>
  }
  return
}

// -----

// Few copies fit into the queue, and the scalar unit is at the loads in time.
// WHY:         its copies to L0 fit into the queue
// CHECK-LABEL: func @few
// CHECK:       scf.for
// CHECK:         scf.for
// CHECK-COUNT-4:   isa.copy_gm_to_l1_nz
// CHECK-NOT:       isa.copy_gm_to_l1_nz
func.func @few(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>, %n: i32, %k: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %depth = arith.constant 16 : i32
  %height = arith.constant 16 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<4096x4096xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<4096x4096xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %height : i32
    %init = tile.zeros_acc : !tile.tile<16x16xf32, L0C>
    %sum = scf.for %j = %c0 to %k step %c1 iter_args(%acc = %init) -> (!tile.tile<16x16xf32, L0C>) : i32 {
      %at = arith.muli %j, %depth : i32
      %a = tile.load %ta[%row, %at], %zero : !tile.tensor<4096x4096xf16>, f16 -> !tile.tile<16x16xf16, L1>
      %b = tile.load %ta[%at, %c0], %zero : !tile.tensor<4096x4096xf16>, f16 -> !tile.tile<16x16xf16, L1>
      %l = tile.copy %a[%c0, %c0] : !tile.tile<16x16xf16, L1> -> !tile.tile<16x16xf16, L0A>
      %r = tile.copy %b[%c0, %c0] : !tile.tile<16x16xf16, L1> -> !tile.tile<16x16xf16, L0B>
      %s = tile.matmul %l, %r, %acc : !tile.tile<16x16xf32, L0C> : !tile.tile<16x16xf16, L0A>, !tile.tile<16x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
      scf.yield %s : !tile.tile<16x16xf32, L0C>
    }
    tile.store %sum, %tc[%row, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<4096x4096xf32>
  }
  return
}

// -----

// What another core sends is loaded where the work comes to it. The other loads are there once, and the ones of the next
// iteration are issued before the wait for that core.
// CHECK-LABEL: func @waits
// CHECK-DAG:   %[[B:.*]] = isa.alloc 131072
// CHECK:       isa.copy_gm_to_l1_nz %[[B]],
// CHECK:       scf.for
// CHECK:         isa.load_data_2d {{.*}}, %[[B]],
// CHECK:         scf.if
// CHECK:           isa.copy_gm_to_l1_nz %[[B]],
// CHECK:         isa.cross_core_wait
// CHECK:         isa.copy_gm_to_l1_nz
// CHECK:         isa.cross_core_set
// CHECK-NOT:     isa.copy_gm_to_l1_nz
// CHECK:         return
func.func @waits(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>, %w: !tile.ptr<f16> {isa.channel = 131072 : i64, isa.noalias}, %k: i32) attributes {tile.kernel, isa.core = "AIC", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %depth = arith.constant 256 : i32
  %mode = arith.constant 0 : i64
  %full = arith.constant 0 : i64
  %empty = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<4096x4096xf16>
  %tw = tile.tensor %w, [] : !tile.ptr<f16> -> !tile.tensor<128x256xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<4096x4096xf32>
  scf.for %j = %c0 to %k step %c1 : i32 {
    %at = arith.muli %j, %depth : i32
    %b = tile.load %ta[%at, %c0], %zero : !tile.tensor<4096x4096xf16>, f16 -> !tile.tile<256x256xf16, L1>
    %l = tile.copy %b[%c0, %c0] : !tile.tile<256x256xf16, L1> -> !tile.tile<128x256xf16, L0A>
    %r = tile.copy %b[%c0, %c0] : !tile.tile<256x256xf16, L1> -> !tile.tile<256x128xf16, L0B>
    %s = tile.matmul %l, %r : !tile.tile<128x256xf16, L0A>, !tile.tile<256x128xf16, L0B> -> !tile.tile<128x128xf32, L0C>
    tile.store %s, %tc[%at, %c0] : !tile.tile<128x128xf32, L0C>, !tile.tensor<4096x4096xf32>
    isa.cross_core_wait %mode, %full {on = #isa.pipe<S>}
    %p = tile.load %tw[%c0, %c0], %zero : !tile.tensor<128x256xf16>, f16 -> !tile.tile<128x256xf16, L1>
    isa.cross_core_set %mode, %empty {from = #isa.pipe<MTE2>}
    %q = tile.copy %p[%c0, %c0] : !tile.tile<128x256xf16, L1> -> !tile.tile<128x128xf16, L0A>
    %v = tile.copy %p[%c0, %c0] : !tile.tile<128x256xf16, L1> -> !tile.tile<128x128xf16, L0B>
    %o = tile.matmul %q, %v : !tile.tile<128x128xf16, L0A>, !tile.tile<128x128xf16, L0B> -> !tile.tile<128x128xf32, L0C>
    tile.store %o, %tc[%at, %depth] : !tile.tile<128x128xf32, L0C>, !tile.tensor<4096x4096xf32>
  }
  return
}
