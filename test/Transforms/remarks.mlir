// RUN: tilesmith-opt %s --pipeline-loops --remarks-filter=pipeline-loops 2>&1 | FileCheck %s --check-prefix=RING
// RUN: tilesmith-opt %s --plan-memory=ub=8192 --remarks-filter=plan-memory 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: tilesmith-opt %s --plan-memory --synchronise --remarks-filter=synchronise 2>&1 | FileCheck %s --check-prefix=SYNC
// RUN: tilesmith-opt %s --plan-memory --synchronise 2>&1 | FileCheck %s --check-prefix=QUIET
// Passes say what they decided and why when they are asked, and only then.

// QUIET-NOT: remark

// RING-DAG: remarks.mlir:[[@LINE+19]]:{{.*}}: remark: [Passed] ring | Category:pipeline-loops | bytes=4096, slots=2
// RING-DAG: remarks.mlir:[[@LINE+19]]:{{.*}}: remark: [Missed] ring | Category:pipeline-loops | Reason="only one pipe touches it"
// RING-DAG: remark: [Analysis] loops | Category:pipeline-loops | loops=1, rings=1

// MEMORY-DAG: remark: [Analysis] memory | Category:plan-memory | buffers=2, bytes=8192, capacity=8192, memory=UB, sharing=0

// SYNC-DAG: remark: [Missed] barrier | Category:synchronise | Reason="the pipe does not keep its own order", pipe=V
// SYNC-DAG: remark: [Analysis] tokens | Category:synchronise | barriers=2, carried=1, dependencies=7, flags=2, rings-given-up=0, tokens=2

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>

func.func @streams(%x: !gm, %n: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c1024 = arith.constant 1024 : i64
  %c4096 = arith.constant 4096 : i64
  %pad = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 : i64 {
    %a = isa.alloc 4096 {source = "x"} : !ub
    %t = isa.alloc 4096 : !ub
    isa.copy_gm_to_ub %a, %x, %c1, %c4096, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.exp %t, %a, %c1024 : !ub, !ub
    isa.abs %t, %t, %c1024 : !ub, !ub
  }
  return
}
