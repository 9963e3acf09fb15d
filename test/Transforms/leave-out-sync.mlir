// RUN: tilesmith-opt %s --leave-out-sync="options={without_sync=0}" | FileCheck %s --check-prefix=TOKEN
// RUN: tilesmith-opt %s --leave-out-sync="options={without_sync=1}" | FileCheck %s --check-prefix=BARRIER
// RUN: not tilesmith-opt %s --leave-out-sync="options={without_sync=2}" 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: tilesmith-opt %s --leave-out-sync | FileCheck %s --check-prefix=ALL
// RUN: not tilesmith-opt %s --leave-out-sync="options={without_sync=-1}" 2>&1 | FileCheck %s --check-prefix=WRONG

// A token goes with all its ends; a barrier goes alone; the error counts.
// TOKEN-NOT: isa.set_flag
// TOKEN-NOT: isa.wait_flag
// TOKEN: isa.pipe_barrier
// BARRIER: isa.set_flag
// BARRIER: isa.wait_flag
// BARRIER-NOT: isa.pipe_barrier

// ALL: isa.set_flag
// ALL: isa.pipe_barrier
// ALL: isa.wait_flag
// WRONG: without_sync is a number from 0 to 2147483647
// COUNT: error: there is no synchronisation 2: this kernel has 2
func.func @kernel() {
  %c0 = arith.constant 0 : i64
  isa.set_flag %c0 {from = #isa.pipe<MTE2>, isa.token = 7 : i64, to = #isa.pipe<V>}
  isa.pipe_barrier {on = #isa.pipe<V>}
  isa.wait_flag %c0 {from = #isa.pipe<MTE2>, isa.token = 7 : i64, to = #isa.pipe<V>}
  return
}
