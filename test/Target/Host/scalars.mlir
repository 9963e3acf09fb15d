// RUN: tilesmith-opt %s --lower-isa-to-llvm --split-input-file | FileCheck %s
// Scalar code cannot trap, and cannot run for ever unseen.

// CHECK-LABEL: llvm.func @ts_kernel_divide
func.func @divide(%x: !isa.buffer<GM, i32>, %a: i32, %b: i32) attributes {isa.kernel, isa.arch = "C220"} {
  // CHECK: %[[ZERO:.*]] = llvm.icmp "eq"
  // CHECK: %[[OVERFLOW:.*]] = llvm.and
  // CHECK: %[[BAD:.*]] = llvm.or %[[ZERO]], %[[OVERFLOW]]
  // CHECK: llvm.cond_br %[[BAD]]
  // CHECK: llvm.call @tsm_scalar_fault
  // CHECK: %[[SAFE:.*]] = llvm.select %[[BAD]]
  // CHECK: %[[Q:.*]] = llvm.sdiv %{{.*}}, %[[SAFE]]
  // CHECK: llvm.select %[[BAD]], %{{.*}}, %[[Q]]
  %q = arith.divsi %a, %b : i32
  isa.set_value %x, %q : !isa.buffer<GM, i32>, i32
  return
}

// -----

// A constant divisor needs no guard.
// CHECK-LABEL: llvm.func @ts_kernel_by_eight
// CHECK-NOT: tsm_scalar_fault
func.func @by_eight(%x: !isa.buffer<GM, i64>, %a: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %eight = arith.constant 8 : i64
  %q = arith.ceildivsi %a, %eight : i64
  %two = arith.constant 2 : i64
  %s = arith.shli %q, %two : i64
  isa.set_value %x, %s : !isa.buffer<GM, i64>, i64
  return
}

// -----

// CHECK-LABEL: llvm.func @ts_kernel_shift_and_cast
func.func @shift_and_cast(%x: !isa.buffer<GM, i32>, %a: i32, %f: f32) attributes {isa.kernel, isa.arch = "C220"} {
  // CHECK: llvm.call_intrinsic "llvm.fptosi.sat.i32.f32"
  %i = arith.fptosi %f : f32 to i32
  // CHECK: %[[BAD:.*]] = llvm.icmp "uge"
  // CHECK: llvm.call @tsm_scalar_fault
  // CHECK: llvm.shl
  // CHECK: llvm.select %[[BAD]]
  %s = arith.shli %a, %i : i32
  isa.set_value %x, %s : !isa.buffer<GM, i32>, i32
  return
}

// -----

// A while loop leaves when the Machine says so; buffers may be carried around it.
// CHECK-LABEL: llvm.func @ts_kernel_spin
func.func @spin(%x: !isa.buffer<GM, i32>, %n: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %four = arith.constant 4 : i64
  %zero = arith.constant 0 : i32
  // CHECK: llvm.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %{{.*}} : i64, i64)
  // CHECK: ^[[HEAD]](
  // CHECK: %[[MORE:.*]] = llvm.icmp "sgt"
  // CHECK: %[[GOES:.*]] = llvm.zext %[[MORE]] : i1 to i64
  // CHECK: %[[TICK:.*]] = llvm.call @tsm_tick(%{{.*}}, %{{.*}}, %[[GOES]])
  // CHECK: %[[GO:.*]] = llvm.icmp "ne" %[[TICK]]
  // CHECK: llvm.cond_br %[[GO]]
  %r:2 = scf.while (%p = %x, %i = %n) : (!isa.buffer<GM, i32>, i64) -> (!isa.buffer<GM, i32>, i64) {
    %more = arith.cmpi sgt, %i, %four : i64
    scf.condition(%more) %p, %i : !isa.buffer<GM, i32>, i64
  } do {
  ^bb0(%p: !isa.buffer<GM, i32>, %i: i64):
    isa.set_value %p, %zero : !isa.buffer<GM, i32>, i32
    %q = isa.offset %p, %four : !isa.buffer<GM, i32>
    %j = arith.subi %i, %four : i64
    scf.yield %q, %j : !isa.buffer<GM, i32>, i64
  }
  return
}

// -----

// A loop whose step is not known to be positive: below 1 it makes no trip.
// CHECK-LABEL: llvm.func @ts_kernel_step
func.func @step(%x: !isa.buffer<GM, i64>, %n: i64, %by: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %zero = arith.constant 0 : i64
  // CHECK: %[[BAD:.*]] = llvm.icmp "slt"
  // CHECK: llvm.call @tsm_scalar_fault
  // CHECK: llvm.select %[[BAD]]
  // CHECK: llvm.select %[[BAD]]
  scf.for %i = %zero to %n step %by : i64 {
    isa.set_value %x, %i : !isa.buffer<GM, i64>, i64
  }
  return
}

// -----

// bf16 is computed in f32 and rounded by integers, never by an instruction the host may lack or that drops subnormals.
// CHECK-LABEL: llvm.func @ts_kernel_bf16
// CHECK-NOT: llvm.fadd {{.*}} : bf16
// CHECK: llvm.fadd {{.*}} : f32
// CHECK-NOT: llvm.fptrunc
// CHECK: llvm.return
func.func @bf16(%x: !isa.buffer<GM, bf16>, %a: bf16, %b: bf16) attributes {isa.kernel, isa.arch = "C220"} {
  %sum = arith.addf %a, %b : bf16
  isa.set_value %x, %sum : !isa.buffer<GM, bf16>, bf16
  return
}
