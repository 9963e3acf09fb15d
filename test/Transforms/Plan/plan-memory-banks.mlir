// RUN: tilesmith-opt %s --plan-memory="ub=8192 bank-groups=16" --split-input-file | FileCheck %s
// RUN: tilesmith-opt %s --plan-memory="ub=8192" --split-input-file | FileCheck %s --check-prefix=NONE

!ub = !isa.buffer<UB, f32>

// Sources of one instruction start 256 bytes apart, counted in turns of 512. The small buffer does not matter.
// CHECK-LABEL: func @apart
// CHECK-DAG: isa.alloc 1024 {address = 0 : i64, source = "a"}
// CHECK-DAG: isa.alloc 32 {address = 1024 : i64, source = "small"}
// CHECK-DAG: isa.alloc 1024 {address = 1280 : i64, source = "b"}
// CHECK-DAG: isa.alloc 1024 {address = 2560 : i64, source = "c"}
// NONE-LABEL: func @apart
// NONE-DAG: isa.alloc 1024 {address = 1056 : i64, source = "b"}
func.func @apart() {
  %n = arith.constant 256 : i64
  %eight = arith.constant 8 : i64
  %a = isa.alloc 1024 {source = "a"} : !ub
  isa.exp %a, %a, %n : !ub, !ub
  %small = isa.alloc 32 {source = "small"} : !ub
  isa.exp %small, %small, %eight : !ub, !ub
  %b = isa.alloc 1024 {source = "b"} : !ub
  isa.add %b, %a, %b, %n : !ub, !ub, !ub
  %c = isa.alloc 1024 {source = "c"} : !ub
  isa.add %c, %c, %b, %n : !ub, !ub, !ub
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// A source that begins half a turn into its buffer: the buffers start alike. Slots of a ring are whole turns.
// CHECK-LABEL: func @offsets
// CHECK-DAG: isa.alloc 1536 {address = 0 : i64, slots = 2 : i64, source = "ring"}
// CHECK-DAG: isa.alloc 1280 {address = 3072 : i64, source = "b"}
func.func @offsets(%i: i64) {
  %n = arith.constant 256 : i64
  %half = arith.constant 256 : i64
  %ring = isa.alloc 1280 {slots = 2 : i64, source = "ring"} : !ub
  %a = isa.slot %ring[%i] : !ub
  %b = isa.alloc 1280 {source = "b"} : !ub
  %from = isa.offset %b, %half : !ub
  isa.add %a, %a, %from, %n : !ub, !ub, !ub
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// Three sources in a circle cannot all lie apart; the pair of the loop, which is read more often, does.
// CHECK-LABEL: func @circle
// CHECK-DAG: isa.alloc 1024 {address = 0 : i64, source = "a"}
// CHECK-DAG: isa.alloc 1024 {address = 1024 : i64, source = "b"}
// CHECK-DAG: isa.alloc 1024 {address = 2304 : i64, source = "c"}
func.func @circle(%m: i64) {
  %n = arith.constant 256 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = isa.alloc 1024 {source = "a"} : !ub
  %b = isa.alloc 1024 {source = "b"} : !ub
  %c = isa.alloc 1024 {source = "c"} : !ub
  isa.add %a, %a, %b, %n : !ub, !ub, !ub
  scf.for %i = %c0 to %m step %c1 : i64 {
    isa.add %b, %b, %c, %n : !ub, !ub, !ub
    isa.add %c, %a, %c, %n : !ub, !ub, !ub
  }
  return
}

// -----

!ub = !isa.buffer<UB, f32>

// No buffer shares its bytes, and no kernel fails to fit, for the banks' sake.
// CHECK-LABEL: func @tight
// CHECK-DAG: isa.alloc 4096 {address = 0 : i64, source = "a"}
// CHECK-DAG: isa.alloc 4096 {address = 4096 : i64, source = "b"}
func.func @tight() {
  %n = arith.constant 1024 : i64
  %a = isa.alloc 4096 {source = "a"} : !ub
  %b = isa.alloc 4096 {source = "b"} : !ub
  isa.add %a, %a, %b, %n : !ub, !ub, !ub
  return
}
