// RUN: tilesmith-opt %s --lower-to-isa=arch=C310 --cse | FileCheck %s
// RUN: tilesmith-opt %s "--lower-to-isa=arch=C310 options={vf_fusion=false}" --cse | FileCheck %s --check-prefix=ALONE

// Operations over the same elements join one function; a load between them passes; values used only inside never leave
// the registers.
// CHECK-LABEL: func @chain
// CHECK-COUNT-2: isa.copy_gm_to_ub
// CHECK:       isa.vf 1 x 256(
// CHECK:         %[[X:.*]] = isa.vf_load %{{.*}} full
// CHECK:         %[[E:.*]] = isa.vf_compute "exp"(%[[X]])
// CHECK:         %[[Y:.*]] = isa.vf_load %{{.*}} full
// CHECK:         %[[S:.*]] = isa.vf_compute "add"(%[[E]], %[[Y]])
// CHECK:         isa.vf_store %[[S]]
// CHECK-NOT:     isa.vf_store
// CHECK:       isa.copy_ub_to_gm
// ALONE-LABEL: func @chain
// ALONE:       isa.vf 1 x 256
// ALONE:       isa.vf 1 x 256
func.func @chain(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<512xf32>
  %x = tile.load %t[%c0], %z : !tile.tensor<512xf32>, f32 -> !tile.tile<256xf32, UB>
  %e = tile.unary exp %x : !tile.tile<256xf32, UB>
  %y = tile.load %t[%c256], %z : !tile.tensor<512xf32>, f32 -> !tile.tile<256xf32, UB>
  %s = tile.binary add %e, %y : !tile.tile<256xf32, UB>, !tile.tile<256xf32, UB> -> !tile.tile<256xf32, UB>
  tile.store %s, %t[%c0] : !tile.tile<256xf32, UB>, !tile.tensor<512xf32>
  return
}

// A reduction ends the row: what uses its result starts the next function, and reads it once per row.
// CHECK-LABEL: func @row_sum
// CHECK:       isa.vf 4 x 64(
// CHECK:         isa.vf_compute "mul"
// CHECK:         isa.vf_reduce sum
// CHECK:       isa.vf 4 x 64(
// CHECK-DAG:     isa.vf_load %{{.*}} element
// CHECK-DAG:     isa.vf_load %{{.*}} full {pitch = 256 : i64}
// CHECK:         isa.vf_compute "sub"
func.func @row_sum(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<4x64xf32>
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<4x64xf32>, f32 -> !tile.tile<4x64xf32, UB>
  %q = tile.binary mul %x, %x : !tile.tile<4x64xf32, UB>, !tile.tile<4x64xf32, UB> -> !tile.tile<4x64xf32, UB>
  %s = tile.reduce sum %q [1] : !tile.tile<4x64xf32, UB> -> !tile.tile<4x1xf32, UB>
  %w = tile.broadcast %s : !tile.tile<4x1xf32, UB> -> !tile.tile<4x64xf32, UB>
  %r = tile.binary sub %x, %w : !tile.tile<4x64xf32, UB>, !tile.tile<4x64xf32, UB> -> !tile.tile<4x64xf32, UB>
  tile.store %r, %t[%c0, %c0] : !tile.tile<4x64xf32, UB>, !tile.tensor<4x64xf32>
  return
}

// A full reduction used only by tiles is read from its tile; no scalar is fetched.
// CHECK-LABEL: func @no_scalar
// CHECK-NOT:   isa.get_value
// CHECK:       isa.vf_load %{{.*}} one
func.func @no_scalar(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<64xf32>
  %x = tile.load %t[%c0], %z : !tile.tensor<64xf32>, f32 -> !tile.tile<64xf32, UB>
  %m = tile.reduce max %x [0] : !tile.tile<64xf32, UB> -> !tile.tile<1xf32, UB>
  %s = tile.extract %m : !tile.tile<1xf32, UB> -> f32
  %r = tile.binary sub %x, %s : !tile.tile<64xf32, UB>, f32 -> !tile.tile<64xf32, UB>
  tile.store %r, %t[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  return
}

// A row repeated over rows is walked as a row; constants are registers, run-time scalars arguments.
// CHECK-LABEL: func @row
// CHECK:       isa.vf 8 x 32(%{{.*}}, %{{.*}}, %arg1, %{{.*}})
// CHECK-DAG:     isa.vf_load %{{.*}} row
// CHECK-DAG:     isa.vf_constant 2.000000e+00 : f32
// CHECK-DAG:     isa.vf_scalar
func.func @row(%p: !tile.ptr<f32>, %s: f32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<8x32xf32>
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<8x32xf32>, f32 -> !tile.tile<8x32xf32, UB>
  %g = tile.load %t[%c0, %c0], %z : !tile.tensor<8x32xf32>, f32 -> !tile.tile<1x32xf32, UB>
  %w = tile.broadcast %g : !tile.tile<1x32xf32, UB> -> !tile.tile<8x32xf32, UB>
  %a = tile.binary mul %x, %w : !tile.tile<8x32xf32, UB>, !tile.tile<8x32xf32, UB> -> !tile.tile<8x32xf32, UB>
  %b = tile.binary mul %a, %two : !tile.tile<8x32xf32, UB>, f32 -> !tile.tile<8x32xf32, UB>
  %c = tile.binary add %b, %s : !tile.tile<8x32xf32, UB>, f32 -> !tile.tile<8x32xf32, UB>
  tile.store %c, %t[%c0, %c0] : !tile.tile<8x32xf32, UB>, !tile.tensor<8x32xf32>
  return
}

// A row repeated before a loop is repeated again inside it, in registers: only the row itself stays in UB.
// CHECK-LABEL: func @repeated_at_uses
// CHECK-NOT:   isa.vf
// CHECK:       scf.for
// CHECK:         isa.vf 4 x 64
// CHECK:           isa.vf_load %{{.*}} row
func.func @repeated_at_uses(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<4x64xf32>
  %g = tile.load %t[%c0, %c0], %z : !tile.tensor<4x64xf32>, f32 -> !tile.tile<1x64xf32, UB>
  %w = tile.broadcast %g : !tile.tile<1x64xf32, UB> -> !tile.tile<4x64xf32, UB>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tile.load %t[%c0, %c0], %z : !tile.tensor<4x64xf32>, f32 -> !tile.tile<4x64xf32, UB>
    %r = tile.binary mul %x, %w : !tile.tile<4x64xf32, UB>, !tile.tile<4x64xf32, UB> -> !tile.tile<4x64xf32, UB>
    tile.store %r, %t[%c0, %c0] : !tile.tile<4x64xf32, UB>, !tile.tensor<4x64xf32>
  }
  return
}

// Short rows whose length is a power of two are one long row: a register holds several, each of which is reduced.
// CHECK-LABEL: func @short_rows
// CHECK:       isa.vf 1 x 192(
// CHECK:         isa.vf_reduce sum %{{.*}}, %{{.*}} {width = 16 : i64}
func.func @short_rows(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<12x16xf32>
  %y = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<12xf32>
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<12x16xf32>, f32 -> !tile.tile<12x16xf32, UB>
  %s = tile.reduce sum %x [1] : !tile.tile<12x16xf32, UB> -> !tile.tile<12xf32, UB>
  tile.store %s, %y[%c0] : !tile.tile<12xf32, UB>, !tile.tensor<12xf32>
  return
}

// What repeats along rows has one value for each: they stay rows.
// CHECK-LABEL: func @short_rows_with_values
// CHECK:       isa.vf 12 x 16(
// CHECK:         isa.vf_reduce sum %{{[^{]*$}}
func.func @short_rows_with_values(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<12x16xf32>
  %v = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<12x1xf32>
  %y = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<12xf32>
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<12x16xf32>, f32 -> !tile.tile<12x16xf32, UB>
  %w = tile.load %v[%c0, %c0], %z : !tile.tensor<12x1xf32>, f32 -> !tile.tile<12x1xf32, UB>
  %b = tile.broadcast %w : !tile.tile<12x1xf32, UB> -> !tile.tile<12x16xf32, UB>
  %m = tile.binary mul %x, %b : !tile.tile<12x16xf32, UB>, !tile.tile<12x16xf32, UB> -> !tile.tile<12x16xf32, UB>
  %s = tile.reduce sum %m [1] : !tile.tile<12x16xf32, UB> -> !tile.tile<12xf32, UB>
  tile.store %s, %y[%c0] : !tile.tile<12xf32, UB>, !tile.tensor<12xf32>
  return
}
