// RUN: not tilesmith-opt %s --plan-memory="platform=Ascend950PR_9599 ub=253952 l0c=4096" --split-input-file 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
// What does not fit is explained in the words of the kernel's author.

//      CHECK:some/where/softmax.py:18:39: error: tile of shape [4, 100000] does not fit into UB
//      CHECK:some/where/softmax.py:18:39: note: live in UB here (Ascend950PR_9599 has 253952 bytes):
// CHECK-NEXT:        rows      [4, 100000] float16   800000 bytes   softmax.py:18
// CHECK-NEXT:        rows_f32  [4, 100000] float32  1600000 bytes   softmax.py:19
// CHECK-NEXT:some/where/softmax.py:18:39: note: help: one row needs 600000 bytes; stream the row in chunks of at most 40960 columns (see kernels/rms_norm.py, split-row variant)
func.func @row_too_long() {
  %n = arith.constant 400000 : i64
  %rows = isa.alloc 800000 {source = "rows", shape = "[4, 100000] float16"} : !isa.buffer<UB, f16> loc("some/where/softmax.py":18:39)
  %wide = isa.alloc 1600000 {source = "rows_f32", shape = "[4, 100000] float32"} : !isa.buffer<UB, f32> loc("some/where/softmax.py":19:20)
  isa.cast %wide, %rows, %n {round = #isa.round_mode<None>} : !isa.buffer<UB, f32>, !isa.buffer<UB, f16>
  return
}

// -----

// The way out is the smallest change that fits: fewer rows, if a row fits.
//      CHECK:kernel.py:7:9: error: tile of shape [64, 2048] does not fit into UB
//      CHECK:kernel.py:7:9: note: live in UB here (Ascend950PR_9599 has 253952 bytes):
// CHECK-NEXT:        rows  [64, 2048] float32  524288 bytes   kernel.py:7
// CHECK-NEXT:kernel.py:7:9: note: help: one row needs 8192 bytes; use tiles of at most 31 rows
func.func @too_many_rows() {
  %n = arith.constant 1024 : i64
  %rows = isa.alloc 524288 {source = "rows", shape = "[64, 2048] float32"} : !isa.buffer<UB, f32> loc("kernel.py":7:9)
  isa.exp %rows, %rows, %n : !isa.buffer<UB, f32>, !isa.buffer<UB, f32>
  return
}

// -----

// A tile of one dimension shrinks by elements. The blame lies with the buffer that makes the sum too large.
//      CHECK:kernel.py:8:9: error: tile of shape [40000] does not fit into UB
//      CHECK:kernel.py:8:9: note: live in UB here (Ascend950PR_9599 has 253952 bytes):
// CHECK-NEXT:        x  [40000] float32  160000 bytes   kernel.py:7
// CHECK-NEXT:        y  [40000] float32  160000 bytes   kernel.py:8
// CHECK-NEXT:kernel.py:8:9: note: help: one element needs 8 bytes; use tiles of at most 30720 elements
func.func @too_many_elements() {
  %n = arith.constant 40000 : i64
  %x = isa.alloc 160000 {source = "x", shape = "[40000] float32"} : !isa.buffer<UB, f32> loc("kernel.py":7:9)
  %y = isa.alloc 160000 {source = "y", shape = "[40000] float32"} : !isa.buffer<UB, f32> loc("kernel.py":8:9)
  isa.exp %y, %x, %n : !isa.buffer<UB, f32>, !isa.buffer<UB, f32>
  return
}

// -----

// Without shapes there are still the numbers.
//      CHECK:kernel.py:3:5: error: buffer of 8192 bytes does not fit into L0C
//      CHECK:kernel.py:3:5: note: live in L0C here (Ascend950PR_9599 has 4096 bytes):
// CHECK-NEXT:        temporary  float32  8192 bytes   kernel.py:3
// CHECK-NEXT:kernel.py:3:5: note: help: together they need 8192 bytes, 4096 more than L0C has; use smaller tiles
func.func @no_shape() {
  %x = isa.alloc 8192 : !isa.buffer<L0C, f32> loc("kernel.py":3:5)
  return
}
