// RUN: tilesmith-opt %s --plan-memory="ub=8192" | FileCheck %s --check-prefix=PRESSURE
// RUN: tilesmith-opt %s --plan-memory="ub=8192 options={reuse_ub=true}" | FileCheck %s --check-prefix=ALWAYS
// RUN: tilesmith-opt %s --plan-memory="ub=8192 options={reuse_ub=true reuse_ub_in_out=true}" | FileCheck %s --check-prefix=INOUT
// RUN: not tilesmith-opt %s --plan-memory="ub=3072 options={reuse_ub=false}" 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: not tilesmith-opt %s --plan-memory="ub=1024 options={reuse_ub=false}" 2>&1 | FileCheck %s --check-prefix=SMALLER
// Who may share bytes of UB, and from when on.

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

// There is room for all: nobody shares.
// PRESSURE-DAG: {address = 0 : i64, {{.*}}source = "x"}
// PRESSURE-DAG: {address = 1024 : i64, {{.*}}source = "a"}
// PRESSURE-DAG: {address = 2048 : i64, {{.*}}source = "b"}
// PRESSURE-DAG: {address = 3072 : i64, {{.*}}source = "c"}

// c takes the bytes of a, which is dead by then; x is loaded and keeps its own.
// ALWAYS-DAG: {address = 0 : i64, {{.*}}source = "x"}
// ALWAYS-DAG: {address = 1024 : i64, {{.*}}source = "a"}
// ALWAYS-DAG: {address = 2048 : i64, {{.*}}source = "b"}
// ALWAYS-DAG: {address = 1024 : i64, {{.*}}source = "c"}

// x shares, too: two buffers are live at a time, and two places are used.
// INOUT-DAG: {address = 0 : i64, {{.*}}source = "x"}
// INOUT-DAG: {address = 1024 : i64, {{.*}}source = "a"}
// INOUT-DAG: {address = 0 : i64, {{.*}}source = "b"}
// INOUT-DAG: {address = 1024 : i64, {{.*}}source = "c"}

// NEVER: kernel.py:5:9: error: tile of shape [256] does not fit into UB
// NEVER: note: live in UB here (the chip has 3072 bytes):
// NEVER-NEXT: x {{.*}} 1024 bytes
// NEVER-NEXT: a {{.*}} 1024 bytes
// NEVER-NEXT: b {{.*}} 1024 bytes
// NEVER-NEXT: c {{.*}} 1024 bytes
// NEVER: help: with reuse_ub=True it fits: buffers that are not needed at the same time then share bytes

// Where sharing does not help either, the way out are smaller tiles.
// SMALLER: help: one element needs 16 bytes; use tiles of at most 64 elements
func.func @chain(%p: !gm) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c1024 = arith.constant 1024 : i64
  %n = arith.constant 256 : i64
  %pad = arith.constant 0.0 : f32
  %x = isa.alloc 1024 {source = "x", shape = "[256] float32"} : !ub loc("kernel.py":2:9)
  isa.copy_gm_to_ub %x, %p, %c1, %c1024, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
  %a = isa.alloc 1024 {source = "a", shape = "[256] float32"} : !ub loc("kernel.py":3:9)
  isa.exp %a, %x, %n : !ub, !ub
  %b = isa.alloc 1024 {source = "b", shape = "[256] float32"} : !ub loc("kernel.py":4:9)
  isa.exp %b, %a, %n : !ub, !ub
  %c = isa.alloc 1024 {source = "c", shape = "[256] float32"} : !ub loc("kernel.py":5:9)
  isa.exp %c, %b, %n : !ub, !ub
  return
}
