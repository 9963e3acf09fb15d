// RUN: tilesmith-opt %s --plan-memory="ub=8192 l1=4096 l0c=4096" --split-input-file | FileCheck %s

!ub = !isa.buffer<UB, f32>
!l0c = !isa.buffer<L0C, f32>

// As long as there is room every buffer has its own bytes, aligned as its memory asks, and all stand at the start.
// CHECK-LABEL: func @apart
// CHECK-NEXT: isa.alloc 100 {address = 0 : i64, source = "a"} : <UB
// CHECK-NEXT: isa.alloc 64 {address = 128 : i64, source = "b"} : <UB
// CHECK-NEXT: isa.alloc 64 {address = 0 : i64} : <L0C
// CHECK-NEXT: isa.alloc 64 {address = 1024 : i64} : <L0C
func.func @apart(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %a = isa.alloc 100 {source = "a"} : !ub
  isa.exp %a, %a, %c16 : !ub, !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    %b = isa.alloc 64 {source = "b"} : !ub
    isa.exp %b, %b, %c16 : !ub, !ub
    %c = isa.alloc 64 : !l0c
    %d = isa.alloc 64 : !l0c
  }
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// Under pressure the bytes that have been free longest are used again: d takes a's, which died before b's.
// CHECK-LABEL: func @oldest
// CHECK-DAG: isa.alloc 2048 {address = 0 : i64, source = "a"}
// CHECK-DAG: isa.alloc 2048 {address = 2048 : i64, source = "b"}
// CHECK-DAG: isa.alloc 4096 {address = 4096 : i64, source = "c"}
// CHECK-DAG: isa.alloc 2048 {address = 0 : i64, source = "d"}
func.func @oldest() {
  %n = arith.constant 512 : i64
  %a = isa.alloc 2048 {source = "a"} : !ub
  isa.exp %a, %a, %n : !ub, !ub
  %b = isa.alloc 2048 {source = "b"} : !ub
  isa.exp %b, %b, %n : !ub, !ub
  %c = isa.alloc 4096 {source = "c"} : !ub
  isa.exp %c, %c, %n : !ub, !ub
  %d = isa.alloc 2048 {source = "d"} : !ub
  isa.exp %d, %c, %n : !ub, !ub
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// A buffer filled before a loop and read in it lives through the whole loop; buffers of the body share around it.
// CHECK-LABEL: func @loops
// CHECK-DAG: isa.alloc 4096 {address = 0 : i64, source = "outside"}
// CHECK-DAG: isa.alloc 4096 {address = 4096 : i64, source = "first"}
// CHECK-DAG: isa.alloc 4096 {address = 4096 : i64, source = "second"}
func.func @loops(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %len = arith.constant 1024 : i64
  %outside = isa.alloc 4096 {source = "outside"} : !ub
  isa.exp %outside, %outside, %len : !ub, !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    %first = isa.alloc 4096 {source = "first"} : !ub
    isa.exp %first, %outside, %len : !ub, !ub
    isa.exp %first, %first, %len : !ub, !ub
    %second = isa.alloc 4096 {source = "second"} : !ub
    isa.exp %second, %second, %len : !ub, !ub
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// If sharing does not help, the largest ring gives up a slot; a ring of one slot is an ordinary buffer.
// CHECK-LABEL: func @fewer_slots
// CHECK-DAG: isa.alloc 2048 {address = {{.*}} : i64, slots = 2 : i64, source = "small"}
// CHECK-DAG: %[[LARGE:.*]] = isa.alloc 3072 {address = {{.*}} : i64, source = "large"}
// CHECK:     isa.copy_gm_to_ub %[[LARGE]]
func.func @fewer_slots(%x: !gm, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c512 = arith.constant 512 : i64
  %pad = arith.constant 0.0 : f32
  %small = isa.alloc 2048 {source = "small", slots = 2 : i64} : !ub
  %large = isa.alloc 3072 {source = "large", slots = 2 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    %s = isa.slot %small[%i] : !ub
    %l = isa.slot %large[%i] : !ub
    isa.copy_gm_to_ub %l, %x, %c1, %c512, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.exp %s, %l, %c512 : !ub, !ub
    isa.copy_ub_to_gm %x, %s, %c1, %c512, %c0, %c0 : !gm, !ub
  }
  return
}

// -----

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// Rings of loops that follow each other share, and keep their slots.
// CHECK-LABEL: func @loops
// CHECK-DAG: isa.alloc 3072 {address = 0 : i64, slots = 2 : i64, source = "first"}
// CHECK-DAG: isa.alloc 3072 {address = 0 : i64, slots = 2 : i64, source = "second"}
func.func @loops(%x: !gm, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c512 = arith.constant 512 : i64
  %pad = arith.constant 0.0 : f32
  %first = isa.alloc 3072 {source = "first", slots = 2 : i64} : !ub
  %second = isa.alloc 3072 {source = "second", slots = 2 : i64} : !ub
  scf.for %i = %c0 to %n step %c1 : i64 {
    %s = isa.slot %first[%i] : !ub
    isa.copy_gm_to_ub %s, %x, %c1, %c512, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.exp %s, %s, %c512 : !ub, !ub
    isa.copy_ub_to_gm %x, %s, %c1, %c512, %c0, %c0 : !gm, !ub
  }
  scf.for %i = %c0 to %n step %c1 : i64 {
    %s = isa.slot %second[%i] : !ub
    isa.copy_gm_to_ub %s, %x, %c1, %c512, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.exp %s, %s, %c512 : !ub, !ub
    isa.copy_ub_to_gm %x, %s, %c1, %c512, %c0, %c0 : !gm, !ub
  }
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// Addresses that came with the kernel stay.
// CHECK-LABEL: func @given
// CHECK: isa.alloc 64 {address = 1024 : i64}
func.func @given() {
  %a = isa.alloc 64 {address = 1024 : i64} : !ub
  return
}
