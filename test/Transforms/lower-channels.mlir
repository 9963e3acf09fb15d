// RUN: tilesmith-opt %s --lower-channels=arch=C220 --split-input-file | FileCheck %s
// RUN: tilesmith-opt %s --lower-channels=arch=C310 --split-input-file | FileCheck %s --check-prefix=WIDE
// RUN: tilesmith-opt %s --lower-channels="arch=C310 options={insert_sync=false}" --split-input-file | FileCheck %s --check-prefix=UNORDERED
// Channels are rings in the workspace with two counted flags.

// One who sends waits for an empty slot, stores, and says that it is full; at the end it takes back the slots. The slot
// follows the loop. Only the 950 can hold back a single pipe.
// CHECK-LABEL: func.func @cube
// CHECK-SAME: isa.channel = 2048 : i64
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[SLOT:.*]] = arith.remui
// CHECK: %[[FIRST:.*]] = arith.muli %[[SLOT]]
// CHECK: %[[T:.*]] = tile.tensor %{{.*}} + %[[FIRST]], [] : <f32> -> <16x16xf32>
// CHECK: isa.cross_core_wait %c0_i64{{.*}}, %c1_i64{{.*}} {on = #isa.pipe<S>}
// CHECK: tile.store %{{.*}}, %[[T]]
// CHECK: isa.cross_core_set %c2_i64{{.*}}, %c0_i64{{.*}} {from = #isa.pipe<FIX>}
// CHECK: }
// CHECK-COUNT-2: isa.cross_core_wait {{.*}} {on = #isa.pipe<S>}
// WIDE-LABEL: func.func @cube
// WIDE: isa.cross_core_wait %c2_i64{{.*}}, %c1_i64{{.*}} {on = #isa.pipe<FIX>}
// Where nothing orders the pipes of a core, a wait holds back the whole core there, too.
// UNORDERED-LABEL: func.func @cube
// UNORDERED: isa.cross_core_wait %c0_i64{{.*}}, %c1_i64{{.*}} {on = #isa.pipe<S>}
func.func @cube(%n: i32, %w: !tile.ptr<f32> {isa.channel = 0 : i64, isa.noalias}) attributes {tile.kernel, isa.core = "AIC", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %acc = tile.zeros_acc : !tile.tile<16x16xf32, L0C>
    tile.send %acc to 0 {argument = 1 : i64, flag = 0 : i64} : !tile.tile<16x16xf32, L0C>
  }
  return
}

// -----

// One who receives gives all slots away first. Of a tile two cores share each loads its part.
// CHECK-LABEL: func.func @vector
// CHECK-COUNT-2: isa.cross_core_set {{.*}} {from = #isa.pipe<MTE2>}
// CHECK: %[[SUB:.*]] = arith.remui
// CHECK: isa.cross_core_wait %c0_i64{{.*}}, %c0_i64{{.*}} {on = #isa.pipe<S>}
// CHECK: tile.load %{{.*}} -> <8x16xf32, UB>
// CHECK: isa.cross_core_set %c2_i64{{.*}}, %c1_i64{{.*}} {from = #isa.pipe<MTE2>}
// WIDE-LABEL: func.func @vector
// WIDE: isa.cross_core_wait %c2_i64{{.*}}, %c0_i64{{.*}} {on = #isa.pipe<MTE2>}
func.func @vector(%q: !tile.ptr<f32>, %w: !tile.ptr<f32> {isa.channel = 0 : i64, isa.noalias}) attributes {tile.kernel, isa.core = "AIV", isa.vector_cores = 2 : i64} {
  %c0 = arith.constant 0 : i32
  %u = tile.tensor %q, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %x = tile.receive from 0 {argument = 1 : i64, axis = 0 : i64, flag = 0 : i64} : !tile.tile<8x16xf32, UB>
  tile.store %x, %u[%c0, %c0] : !tile.tile<8x16xf32, UB>, !tile.tensor<16x16xf32>
  return
}

// -----

// In branches and inner loops the turn is carried, and a branch that is not taken hands it on.
// CHECK-LABEL: func.func @carried
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[TURN:.*]] = %{{.*}}) -> (i32)
// CHECK: %[[NEXT:.*]] = scf.if %{{.*}} -> (i32)
// CHECK: arith.remui %[[TURN]]
// CHECK: %[[ONE_ON:.*]] = arith.addi %[[TURN]]
// CHECK: scf.yield %[[ONE_ON]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[TURN]]
// CHECK: scf.yield %[[NEXT]]
func.func @carried(%n: i32, %w: !tile.ptr<f32> {isa.channel = 0 : i64, isa.noalias}) attributes {tile.kernel, isa.core = "AIC", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %is = arith.cmpi sgt, %i, %c1 : i32
    scf.if %is {
      %acc = tile.zeros_acc : !tile.tile<16x16xf32, L0C>
      tile.send %acc to 0 {argument = 1 : i64, flag = 0 : i64} : !tile.tile<16x16xf32, L0C>
    }
  }
  return
}

// -----

// A number crosses as a tile of one element, which the cube core reads on its scalar unit. What is known of the ring
// stands with the parameter.
// CHECK-LABEL: func.func @number
// CHECK-SAME: isa.ring = {bytes = 512 : i64, received = {{[0-9]+}} : i64, shape = "[1] int32", slots = 2 : i64}
// CHECK: isa.cross_core_set {{.*}} {from = #isa.pipe<MTE2>}
// CHECK: isa.cross_core_wait %{{.*}} {on = #isa.pipe<S>}
// CHECK: %[[NUMBER:.*]] = tile.get %{{.*}} : <1xi32> -> i32
// CHECK: isa.cross_core_set {{.*}} {from = #isa.pipe<S>}
// CHECK: tile.set %[[NUMBER]]
// WIDE-LABEL: func.func @number
// WIDE: isa.cross_core_wait %{{.*}} {on = #isa.pipe<S>}
func.func @number(%q: !tile.ptr<i32>, %w: !tile.ptr<i32> {isa.channel = 0 : i64, isa.noalias}) attributes {tile.kernel, isa.core = "AIC", isa.vector_cores = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %u = tile.tensor %q, [] : !tile.ptr<i32> -> !tile.tensor<16xi32>
  %x = tile.receive from 0 {argument = 1 : i64, flag = 0 : i64} : !tile.tile<1xi32, UB>
  %e = tile.extract %x : !tile.tile<1xi32, UB> -> i32
  tile.set %e, %u[%c0] : i32, !tile.tensor<16xi32>
  return
}
