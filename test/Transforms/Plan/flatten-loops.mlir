// RUN: tilesmith-opt %s --split-input-file --lower-to-isa=arch=C220 --cse --loop-invariant-code-motion --canonicalize --flatten-loops | FileCheck %s
// RUN: tilesmith-opt %s --split-input-file --lower-to-isa=arch=C310 --cse --loop-invariant-code-motion --canonicalize --flatten-loops=l0c=262144 | FileCheck %s --check-prefix=C310
// RUN: tilesmith-opt %s --split-input-file --lower-to-isa=arch=C310 --cse --loop-invariant-code-motion --canonicalize --flatten-loops=l0c=262144 --remarks-filter=flatten-loops 2>&1 | FileCheck %s --check-prefix=WHY

// One loop over all steps of all results. Both numbers come from its counter; the store stands under the last step of a
// result. Where the inner loop may have no trips, the outer one stays for that case, without products of tiles.
// CHECK-LABEL: func @nest
// CHECK:       scf.if
// CHECK:         %[[ALL:.*]] = arith.muli
// CHECK:         scf.for %[[T:.*]] = %{{.*}} to %[[ALL]]
// CHECK-DAG:       arith.divui %[[T]], %[[TRIPS:.*]] :
// CHECK-DAG:       %[[STEP:.*]] = arith.remui %[[T]], %{{.*}} :
// CHECK:           arith.cmpi eq, %[[STEP]], %c0_i64
// CHECK:           %[[LAST:[0-9]+]] = arith.cmpi eq, %[[STEP]]
// CHECK:           isa.mmad
// CHECK:           scf.if %[[LAST]] {
// CHECK-NEXT:        isa.fixpipe_to_gm
// CHECK:       } else {
// CHECK:         scf.for
// CHECK-NOT:       isa.copy_gm_to_l1_nz
// CHECK:           isa.fixpipe_to_gm
// On the 950, L0C holds two of these results, and they take turns.
// WHY:         L0C holds two results
// C310-LABEL:  func @nest
// C310:        scf.for
// C310:          scf.for
func.func @nest(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>, %n: i32, %k: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %depth = arith.constant 64 : i32
  %height = arith.constant 128 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<4096x4096xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<4096x4096xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %height : i32
    %init = tile.zeros_acc : !tile.tile<128x128xf32, L0C>
    %sum = scf.for %j = %c0 to %k step %c1 iter_args(%acc = %init) -> (!tile.tile<128x128xf32, L0C>) : i32 {
      %at = arith.muli %j, %depth : i32
      %a = tile.load %ta[%row, %at], %zero : !tile.tensor<4096x4096xf16>, f16 -> !tile.tile<128x64xf16, L1>
      %b = tile.load %ta[%at, %c0], %zero : !tile.tensor<4096x4096xf16>, f16 -> !tile.tile<64x128xf16, L1>
      %l = tile.copy %a[%c0, %c0] : !tile.tile<128x64xf16, L1> -> !tile.tile<128x64xf16, L0A>
      %r = tile.copy %b[%c0, %c0] : !tile.tile<64x128xf16, L1> -> !tile.tile<64x128xf16, L0B>
      %s = tile.matmul %l, %r, %acc : !tile.tile<128x128xf32, L0C> : !tile.tile<128x64xf16, L0A>, !tile.tile<64x128xf16, L0B> -> !tile.tile<128x128xf32, L0C>
      scf.yield %s : !tile.tile<128x128xf32, L0C>
    }
    tile.store %sum, %tc[%row, %c0] : !tile.tile<128x128xf32, L0C>, !tile.tensor<4096x4096xf32>
  }
  return
}

// -----

// An inner loop whose trips are known to be some needs no other case.
// CHECK-LABEL: func @some
// CHECK-NOT:   scf.if
// CHECK:       scf.for
// CHECK-NOT:   scf.for
// CHECK:       return
func.func @some(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>, %n: i32, %k: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %depth = arith.constant 64 : i32
  %height = arith.constant 128 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<4096x4096xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<4096x4096xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %height : i32
    %init = tile.zeros_acc : !tile.tile<128x128xf32, L0C>
    %sum = scf.for %j = %c0 to %c2 step %c1 iter_args(%acc = %init) -> (!tile.tile<128x128xf32, L0C>) : i32 {
      %at = arith.muli %j, %depth : i32
      %a = tile.load %ta[%row, %at], %zero : !tile.tensor<4096x4096xf16>, f16 -> !tile.tile<128x64xf16, L1>
      %b = tile.load %ta[%at, %c0], %zero : !tile.tensor<4096x4096xf16>, f16 -> !tile.tile<64x128xf16, L1>
      %l = tile.copy %a[%c0, %c0] : !tile.tile<128x64xf16, L1> -> !tile.tile<128x64xf16, L0A>
      %r = tile.copy %b[%c0, %c0] : !tile.tile<64x128xf16, L1> -> !tile.tile<64x128xf16, L0B>
      %s = tile.matmul %l, %r, %acc : !tile.tile<128x128xf32, L0C> : !tile.tile<128x64xf16, L0A>, !tile.tile<64x128xf16, L0B> -> !tile.tile<128x128xf32, L0C>
      scf.yield %s : !tile.tile<128x128xf32, L0C>
    }
    tile.store %sum, %tc[%row, %c0] : !tile.tile<128x128xf32, L0C>, !tile.tensor<4096x4096xf32>
  }
  return
}

// -----

// The trips differ from result to result: the loops stay two.
// WHY:         the trips of the inner loop differ from result to result
// CHECK-LABEL: func @differ
// CHECK:       scf.for
// CHECK:         scf.for
func.func @differ(%x: !tile.ptr<f16>, %z: !tile.ptr<f32>, %n: i32, %k: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %depth = arith.constant 64 : i32
  %height = arith.constant 256 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<4096x4096xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<4096x4096xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %height : i32
    %init = tile.zeros_acc : !tile.tile<256x256xf32, L0C>
    %sum = scf.for %j = %c0 to %i step %c1 iter_args(%acc = %init) -> (!tile.tile<256x256xf32, L0C>) : i32 {
      %at = arith.muli %j, %depth : i32
      %a = tile.load %ta[%row, %at], %zero : !tile.tensor<4096x4096xf16>, f16 -> !tile.tile<256x64xf16, L1>
      %b = tile.load %ta[%at, %c0], %zero : !tile.tensor<4096x4096xf16>, f16 -> !tile.tile<64x256xf16, L1>
      %l = tile.copy %a[%c0, %c0] : !tile.tile<256x64xf16, L1> -> !tile.tile<256x64xf16, L0A>
      %r = tile.copy %b[%c0, %c0] : !tile.tile<64x256xf16, L1> -> !tile.tile<64x256xf16, L0B>
      %s = tile.matmul %l, %r, %acc : !tile.tile<256x256xf32, L0C> : !tile.tile<256x64xf16, L0A>, !tile.tile<64x256xf16, L0B> -> !tile.tile<256x256xf32, L0C>
      scf.yield %s : !tile.tile<256x256xf32, L0C>
    }
    tile.store %sum, %tc[%row, %c0] : !tile.tile<256x256xf32, L0C>, !tile.tensor<4096x4096xf32>
  }
  return
}
