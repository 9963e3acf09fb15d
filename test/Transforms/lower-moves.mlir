// RUN: tilesmith-opt %s --lower-to-isa=arch=C220 --cse | FileCheck %s

// A tile known to lie inside its tensor needs no test: one copy, and full rows travel as one block.
// CHECK-LABEL: func @whole
// CHECK-SAME:  %{{.*}}: !isa.buffer<GM, f32>
// CHECK-NOT:   scf.if
// CHECK-DAG:   %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG:   %[[BYTES:.*]] = arith.constant 1024 : i64
// CHECK:       isa.copy_gm_to_ub %{{.*}}, %{{.*}}, %[[ONE]], %[[BYTES]],
// CHECK:       isa.copy_ub_to_gm %{{.*}}, %{{.*}}, %[[ONE]], %[[BYTES]],
func.func @whole(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<8x64xf32>
  %a = tile.load %t[%c4, %c0], %z : !tile.tensor<8x64xf32>, f32 -> !tile.tile<4x64xf32, UB>
  tile.store %a, %t[%c0, %c0] : !tile.tile<4x64xf32, UB>, !tile.tensor<8x64xf32>
  return
}

// A loop whose tiles are all inside needs no test either.
// CHECK-LABEL: func @inside_loop
// CHECK-NOT:   scf.if
// CHECK:       return
func.func @inside_loop(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c64 = arith.constant 64 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<512xf32>
  scf.for %i = %c0 to %c8 step %c1 : i32 {
    %o = arith.muli %i, %c64 : i32
    %a = tile.load %t[%o], %z : !tile.tensor<512xf32>, f32 -> !tile.tile<64xf32, UB>
    tile.store %a, %t[%o] : !tile.tile<64xf32, UB>, !tile.tensor<512xf32>
  }
  return
}

// A tile that can be partial: the test decides between fill and clipped copy, and the plain copy. The store is clipped
// without a test.
// CHECK-LABEL: func @partial
// CHECK:       %[[PART:.*]] = arith.cmpi slt
// CHECK:       scf.if %[[PART]] {
// CHECK-NEXT:    isa.duplicate
// CHECK:         isa.copy_gm_to_ub
// CHECK:       } else {
// CHECK-NOT:     isa.duplicate
// CHECK:         isa.copy_gm_to_ub
// CHECK:       }
// CHECK-NOT:   scf.if
// CHECK:       isa.copy_ub_to_gm
func.func @partial(%x: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c64 = arith.constant 64 : i32
  %z = arith.constant 0.0 : f32
  %i = tile.block_idx
  %o = arith.muli %i, %c64 : i32
  %t = tile.tensor %x, [%n] : !tile.ptr<f32> -> !tile.tensor<?xf32>
  %a = tile.load %t[%o], %z : !tile.tensor<?xf32>, f32 -> !tile.tile<64xf32, UB>
  tile.store %a, %t[%o] : !tile.tile<64xf32, UB>, !tile.tensor<?xf32>
  return
}

// An 8-bit tile is filled through 16-bit elements.
// CHECK-LABEL: func @fill_bytes
// CHECK:       isa.view %{{.*}} : <UB, i8> -> <UB, i16>
// CHECK:       isa.duplicate %{{.*}} : <UB, i16>, i16
func.func @fill_bytes(%x: !tile.ptr<i8>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0 : i8
  %t = tile.tensor %x, [%n] : !tile.ptr<i8> -> !tile.tensor<?xi8>
  %a = tile.load %t[%c0], %z : !tile.tensor<?xi8>, i8 -> !tile.tile<64xi8, UB>
  tile.store %a, %t[%c0] : !tile.tile<64xi8, UB>, !tile.tensor<?xi8>
  return
}

// Setting one element outside the tensor does nothing; getting one is left to the Machine.
// CHECK-LABEL: func @elements
// CHECK:       isa.get_value
// CHECK:       scf.if
// CHECK-NEXT:    isa.set_value
func.func @elements(%x: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %i = tile.block_idx
  %t = tile.tensor %x, [%n] : !tile.ptr<f32> -> !tile.tensor<?xf32>
  %v = tile.get %t[%i] : !tile.tensor<?xf32> -> f32
  tile.set %v, %t[%i] : f32, !tile.tensor<?xf32>
  return
}

// Atomics set the mode around their store.
// CHECK-LABEL: func @atomic
// CHECK:       isa.set_atomic {op = #isa.atomic_op<Add>}
// CHECK:       isa.copy_ub_to_gm
// CHECK:       isa.set_atomic {op = #isa.atomic_op<None>}
func.func @atomic(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %t = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<64xf32>
  %a = tile.splat %one : f32 -> !tile.tile<64xf32, UB>
  tile.atomic add %a, %t[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  return
}

// More rows than one move takes blocks are moved in pieces of 4095.
// CHECK-LABEL: func @many_rows
// CHECK-DAG:   %[[MOST:.*]] = arith.constant 4095 : i64
// CHECK-DAG:   %[[REST:.*]] = arith.constant 5 : i64
// CHECK:       isa.copy_gm_to_ub %{{.*}}, %{{.*}}, %[[MOST]],
// CHECK:       isa.copy_gm_to_ub %{{.*}}, %{{.*}}, %[[REST]],
func.func @many_rows(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<4100x16xf32>
  %a = tile.load %t[%c0, %c0], %z : !tile.tensor<4100x16xf32>, f32 -> !tile.tile<4100x8xf32, UB>
  tile.store %a, %t[%c0, %c0] : !tile.tile<4100x8xf32, UB>, !tile.tensor<4100x16xf32>
  return
}

// Only the launch knows whether rows of this length follow each other: then they are one piece, else a piece each.
// CHECK-LABEL: func @rows_of_a_launch
// CHECK-DAG:   %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG:   %[[ROW:.*]] = arith.constant 64 : i64
// CHECK-DAG:   %[[ALL:.*]] = arith.constant 512 : i64
// CHECK:         isa.copy_gm_to_ub
// CHECK:       } else {
// CHECK:         %[[JOIN:.*]] = arith.cmpi eq
// CHECK:         scf.if %[[JOIN]] {
// CHECK:           isa.copy_gm_to_ub %{{.*}}, %{{.*}}, %[[ONE]], %[[ALL]],
// CHECK:         } else {
// CHECK:           isa.copy_gm_to_ub %{{.*}}, %{{.*}}, %{{.*}}, %[[ROW]],
// CHECK:       scf.if
// CHECK-NEXT:    isa.copy_ub_to_gm %{{.*}}, %{{.*}}, %[[ONE]], %[[ALL]],
func.func @rows_of_a_launch(%x: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %x, [%n] : !tile.ptr<f32> -> !tile.tensor<8x?xf32>
  %a = tile.load %t[%c0, %c0], %z : !tile.tensor<8x?xf32>, f32 -> !tile.tile<8x16xf32, UB>
  tile.store %a, %t[%c0, %c0] : !tile.tile<8x16xf32, UB>, !tile.tensor<8x?xf32>
  return
}
