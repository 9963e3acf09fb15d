// RUN: tilesmith-opt %s --lower-to-isa="arch=C220" --split-input-file | FileCheck %s

// Scalars go out as they are, tiles element by element; the kernel knows the text and the types.
// CHECK-LABEL: func @line
// CHECK-SAME: isa.prints = {{\[\[}}"n = {} {}", "int32", "float32[4]"]]
// CHECK: isa.device_print %c0_i64, %c0_i64, %c0_i64, %arg0 : i32
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %c4_i64
// CHECK: %[[V:.*]] = isa.get_value
// CHECK: isa.device_print %c0_i64, %c1_i64, %[[I]], %[[V]] : f32
func.func @line(%n: i32) attributes {tile.kernel} {
  %v = arith.constant 1.0 : f32
  %x = tile.splat %v : f32 -> !tile.tile<4xf32, UB>
  tile.print "n = {} {}"(%n, %x) ["int32", "float32"] : i32, !tile.tile<4xf32, UB>
  return
}

// -----

// Of a large tile only the outer elements are read.
// CHECK-LABEL: func @large
// CHECK: scf.for %{{.*}} = %c0_i64 to %c3_i64
// CHECK: scf.for %{{.*}} = %c1997_i64 to %c2000_i64
// CHECK-NOT: scf.for
func.func @large() attributes {tile.kernel} {
  %v = arith.constant 1.0 : f32
  %x = tile.splat %v : f32 -> !tile.tile<2000xf32, UB>
  tile.print "{}"(%x) ["float32"] : !tile.tile<2000xf32, UB>
  return
}

// -----

// A line without values is one call.
// CHECK-LABEL: func @text
// CHECK: isa.device_print %c0_i64, %c0_i64, %c0_i64, %c0_i64 : i64
func.func @text() attributes {tile.kernel} {
  tile.print "hello"() []
  return
}
