// RUN: tilesmith-reduce %s --reduce-kernel='test=%S/Inputs/still.sh test-arg=vf_compute' -o %t
// RUN: tilesmith-opt %t | FileCheck %s
// RUN: tilesmith-reduce %s --reduce-kernel='test=%S/Inputs/still.sh test-arg=isa.copy_ub_to_gm' -o %t.move
// RUN: tilesmith-opt %t.move | FileCheck %s --check-prefix=MOVE

!gm = !isa.buffer<GM, f32>
!ub = !isa.buffer<UB, f32>
!reg = !isa.reg<f32>

// The body of a vector function shrinks to constants, its arguments go but one, and so does everything around it.
// CHECK:      func.func @kernel(
// CHECK-NOT:  scf
// CHECK:      isa.vf 1 x 1024(%{{[^,]*}}) :
// CHECK-NEXT:   ^bb0
// CHECK-NEXT:     isa.vf_constant
// CHECK-NEXT:     isa.vf_constant
// CHECK-NEXT:     isa.vf_compute
// CHECK-NEXT:   }
// CHECK-NEXT:   return

// A move keeps its buffers: a ring becomes a buffer, a branch or a loop around the move goes.
// MOVE:      func.func @kernel(%[[X:.*]]: !isa.buffer<GM, f32>)
// MOVE-NOT:  scf
// MOVE-NOT:  slots
// MOVE:      isa.copy_ub_to_gm %[[X]],
// MOVE-NEXT: return
func.func @kernel(%x: !gm, %out: !gm, %n: i64, %s: f32) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4096 = arith.constant 4096 : i64
  %pad = arith.constant 0.0 : f32
  %ring = isa.alloc 4096 {slots = 2 : i64} : !ub
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %c0) -> (i64) : i64 {
    %a = isa.slot %ring[%i] : !ub
    %bytes = arith.muli %i, %c4096 : i64
    %from = isa.offset %x, %bytes : !gm
    isa.copy_gm_to_ub %a, %from, %c1, %c4096, %c0, %c0, %c0, %c0, %c0, %pad : !ub, !gm, f32
    isa.vf 1 x 1024(%a, %s) : !ub, f32 {
    ^bb0(%b: !ub, %scale: f32):
      %0 = isa.vf_load %b full {pitch = 4096 : i64} : !ub -> !reg
      %1 = isa.vf_scalar %scale : f32 -> !reg
      %2 = isa.vf_compute "mul"(%0, %1) : (!reg, !reg) -> !reg
      %3 = isa.vf_compute "exp"(%2) : (!reg) -> !reg
      isa.vf_store %3, %b full {pitch = 4096 : i64} : !reg, !ub
    }
    %first = arith.cmpi eq, %carried, %c0 : i64
    scf.if %first {
      %to = isa.offset %out, %bytes : !gm
      isa.copy_ub_to_gm %to, %a, %c1, %c4096, %c0, %c0 : !gm, !ub
    } else {
      isa.copy_ub_to_gm %out, %a, %c1, %c4096, %c0, %c0 : !gm, !ub
    }
    %next = arith.addi %carried, %c1 : i64
    scf.yield %next : i64
  }
  isa.pipe_barrier {on = #isa.pipe<ALL>}
  return
}
