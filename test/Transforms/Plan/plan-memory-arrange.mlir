// RUN: tilesmith-opt %s --plan-memory="ub=8192 bank-groups=16 bank-bytes=2048" | FileCheck %s
// RUN: tilesmith-opt %s --plan-memory="ub=8192 bank-groups=16" | FileCheck %s --check-prefix=NONE

!ub = !isa.buffer<UB, f32>

// Two sources half a turn apart: the result lies in another stretch of 2048 bytes than the one it would meet.
// CHECK-LABEL: func @results
// CHECK-DAG: isa.alloc 1024 {address = 3072 : i64, source = "a"}
// CHECK-DAG: isa.alloc 1024 {address = 4352 : i64, source = "b"}
// NONE-LABEL: func @results
// NONE-DAG: isa.alloc 1024 {address = 0 : i64, source = "a"}
// NONE-DAG: isa.alloc 1024 {address = 1280 : i64, source = "b"}
func.func @results() {
  %n = arith.constant 256 : i64
  %a = isa.alloc 1024 {source = "a"} : !ub
  isa.exp %a, %a, %n : !ub, !ub
  %b = isa.alloc 1024 {source = "b"} : !ub
  isa.exp %b, %b, %n : !ub, !ub
  isa.add %b, %a, %b, %n : !ub, !ub, !ub
  return
}
