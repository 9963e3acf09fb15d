// RUN: tilesmith-opt %s --pipeline-loops --split-input-file | FileCheck %s
// RUN: tilesmith-opt %s --pipeline-loops=slots=1 --split-input-file | FileCheck %s --check-prefix=ONE
// RUN: tilesmith-opt %s --pipeline-loops="options={ring_depth=1}" --split-input-file | FileCheck %s --check-prefix=ONE
// RUN: tilesmith-opt %s --pipeline-loops="options={ring_depth=4}" --split-input-file | FileCheck %s --check-prefix=DEEP

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// A buffer that a move fills and compute reads becomes a ring in front of the loop; one that only compute touches stays.
// CHECK-LABEL: func @streams
// CHECK:      %[[RING:.*]] = isa.alloc 4096 {slots = 2 : i64, source = "x"}
// CHECK-NEXT: scf.for %[[I:.*]] = %c0
// CHECK-NEXT:   isa.slot %[[RING]][%[[I]]]
// CHECK-NEXT:   isa.alloc 4096 :
// ONE-LABEL: func @streams
// ONE-NOT: isa.slot
// DEEP-LABEL: func @streams
// DEEP: isa.alloc 4096 {slots = 4 : i64, source = "x"}
func.func @streams(%x: !gm, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4096 = arith.constant 4096 : i64
  %pad = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 : i64 {
    %a = isa.alloc 4096 {source = "x"} : !ub
    %t = isa.alloc 4096 : !ub
    isa.copy_gm_to_ub %a, %x, %c1, %c4096, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.exp %t, %a, %c4096 : !ub, !ub
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// The iteration is counted from the lower bound in steps, and slots are whole blocks of the memory.
// CHECK-LABEL: func @counts
// CHECK: isa.alloc 64 {slots = 2 : i64}
// CHECK: scf.for %[[I:.*]] = %[[LB:.*]] to %{{.*}} step %[[STEP:.*]] : i32
// CHECK:   %[[D:.*]] = arith.subi %[[I]], %[[LB]] : i32
// CHECK:   %[[Q:.*]] = arith.divui %[[D]], %[[STEP]] : i32
// CHECK:   %[[N:.*]] = arith.extsi %[[Q]] : i32 to i64
// CHECK:   isa.slot %{{.*}}[%[[N]]]
func.func @counts(%out: !gm, %lb: i32, %n: i32, %step: i32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c40 = arith.constant 40 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %i = %lb to %n step %step : i32 {
    %a = isa.alloc 40 : !ub
    isa.duplicate %a, %zero, %c40 : !ub, f32
    isa.copy_ub_to_gm %out, %a, %c1, %c40, %c0, %c0 : !gm, !ub
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// In a nest the ring stands before the outermost loop and is counted by the innermost one around the buffer.
// CHECK-LABEL: func @nest
// CHECK:      isa.alloc 4096 {slots = 2 : i64}
// CHECK-NEXT: scf.for
// CHECK:        scf.for %[[J:.*]] = %c0
// CHECK:          isa.slot %{{.*}}[%[[J]]]
func.func @nest(%x: !gm, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4096 = arith.constant 4096 : i64
  %pad = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 : i64 {
    scf.for %j = %c0 to %n step %c1 : i64 {
      %a = isa.alloc 4096 : !ub
      isa.copy_gm_to_ub %a, %x, %c1, %c4096, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
      isa.exp %a, %a, %c4096 : !ub, !ub
    }
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// What lives across iterations is left alone: a buffer from outside, and one handed on by the loop itself.
// CHECK-LABEL: func @carried
// CHECK-NOT: isa.slot
func.func @carried(%x: !gm, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4096 = arith.constant 4096 : i64
  %pad = arith.constant 0.0 : f32
  %acc = isa.alloc 4096 : !ub
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %acc) -> (!ub) : i64 {
    %a = isa.alloc 4096 : !ub
    isa.copy_gm_to_ub %a, %x, %c1, %c4096, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.add %a, %a, %old, %c4096 : !ub, !ub, !ub
    scf.yield %a : !ub
  }
  isa.copy_ub_to_gm %x, %last, %c1, %c4096, %c0, %c0 : !gm, !ub
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// A loop that runs once has nothing to overlap with, and a ring has no more slots than its loop has iterations.
// CHECK-LABEL: func @short
// CHECK-NOT: isa.slot
func.func @short(%x: !gm, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4096 = arith.constant 4096 : i64
  %pad = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c1 step %c1 : i64 {
    %a = isa.alloc 4096 : !ub
    isa.copy_gm_to_ub %a, %x, %c1, %c4096, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.exp %a, %a, %c4096 : !ub, !ub
  }
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// A scalar read of a result does not make a ring: the scalar unit waits for it anyway.
// CHECK-LABEL: func @scalar
// CHECK-NOT: isa.slot
func.func @scalar(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 : i64 {
    %a = isa.alloc 32 : !ub
    isa.duplicate %a, %zero, %c1 : !ub, f32
    %v = isa.get_value %a : !ub -> f32
  }
  return
}
