// RUN: tilesmith-opt %s --lower-to-isa=arch=C220 --cse | FileCheck %s

// Each operation is one instruction over the whole tile; a value nobody else needs is overwritten in place, a loaded one
// is not.
// CHECK-LABEL: func @chain
// CHECK:       %[[X:.*]] = isa.alloc {{.*}}source = "load"
// CHECK:       %[[T:.*]] = isa.alloc
// CHECK-NOT:   isa.alloc
// CHECK:       isa.abs %[[T]], %[[X]],
// CHECK:       isa.exp %[[T]], %[[T]],
// CHECK:       isa.mul %[[T]], %[[T]], %[[X]],
func.func @chain(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<64xf32>
  %x = tile.load %t[%c0], %z : !tile.tensor<64xf32>, f32 -> !tile.tile<64xf32, UB>
  %a = tile.unary abs %x : !tile.tile<64xf32, UB>
  %e = tile.unary exp %a : !tile.tile<64xf32, UB>
  %m = tile.binary mul %e, %x : !tile.tile<64xf32, UB>, !tile.tile<64xf32, UB> -> !tile.tile<64xf32, UB>
  tile.store %m, %t[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  return
}

// Subtracting a scalar adds its negative; subtracting from one negates first; dividing by a power of two multiplies;
// other divisions by a scalar divide by one filled register.
// CHECK-LABEL: func @scalars
// CHECK:       %[[NEG:.*]] = arith.negf
// CHECK:       isa.adds %{{.*}}, %{{.*}}, %[[NEG]],
// CHECK:       isa.muls
// CHECK-NEXT:  isa.adds
// CHECK:       isa.muls
// CHECK:       isa.duplicate
// CHECK:       isa.div_r
func.func @scalars(%p: !tile.ptr<f32>, %s: f32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %four = arith.constant 4.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<64xf32>
  %x = tile.load %t[%c0], %z : !tile.tensor<64xf32>, f32 -> !tile.tile<64xf32, UB>
  %a = tile.binary sub %x, %s : !tile.tile<64xf32, UB>, f32 -> !tile.tile<64xf32, UB>
  %b = tile.binary sub %s, %a : f32, !tile.tile<64xf32, UB> -> !tile.tile<64xf32, UB>
  %c = tile.binary div %b, %four : !tile.tile<64xf32, UB>, f32 -> !tile.tile<64xf32, UB>
  %d = tile.binary div %c, %s : !tile.tile<64xf32, UB>, f32 -> !tile.tile<64xf32, UB>
  tile.store %d, %t[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  return
}

// i32 compares only for equality: a < b is the complement of max(a, b) == a. Selection sees i32 as f32.
// CHECK-LABEL: func @less
// CHECK:       isa.max
// CHECK:       isa.compare {{.*}} {mode = #isa.cmp_mode<EQ>}
// CHECK:       isa.not
// CHECK:       isa.select_r {{.*}} : <UB, f32>, <UB, i1>, <UB, f32>, <UB, f32>
func.func @less(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %t = tile.tensor %p, [] : !tile.ptr<i32> -> !tile.tensor<64xi32>
  %x = tile.load %t[%c0], %c0 : !tile.tensor<64xi32>, i32 -> !tile.tile<64xi32, UB>
  %m = tile.compare lt %x, %c0 : !tile.tile<64xi32, UB>, i32 -> !tile.tile<64xi1, UB>
  %r = tile.select %m, %x, %c0 : !tile.tile<64xi1, UB>, !tile.tile<64xi32, UB>, i32 -> !tile.tile<64xi32, UB>
  tile.store %r, %t[%c0] : !tile.tile<64xi32, UB>, !tile.tensor<64xi32>
  return
}

// Comparisons work on whole repeats: a shorter tile is copied into one that is filled up.
// CHECK-LABEL: func @compare_tail
// CHECK:       isa.duplicate
// CHECK:       isa.copy_r
// CHECK:       isa.compare_scalar
func.func @compare_tail(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<40xf32>
  %x = tile.load %t[%c0], %z : !tile.tensor<40xf32>, f32 -> !tile.tile<40xf32, UB>
  %m = tile.compare lt %x, %z : !tile.tile<40xf32, UB>, f32 -> !tile.tile<40xi1, UB>
  %r = tile.select %m, %x, %z : !tile.tile<40xi1, UB>, !tile.tile<40xf32, UB>, f32 -> !tile.tile<40xf32, UB>
  tile.store %r, %t[%c0] : !tile.tile<40xf32, UB>, !tile.tensor<40xf32>
  return
}

// A broadcast that only feeds arithmetic never becomes a tile: elements are repeated by block stride 0, rows by repeat
// stride 0.
// CHECK-LABEL: func @repeated
// CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : i64
// CHECK-DAG:   %[[C1:.*]] = arith.constant 1 : i64
// CHECK:       isa.brcb
// CHECK-NOT:   isa.copy_r
// CHECK:       isa.sub_r {{.*}}, %[[C1]], %[[C1]], %[[C0]], %{{[^,]*}}, %{{[^,]*}}, %[[C1]] :
// CHECK:       isa.mul_r {{.*}}, %[[C1]], %[[C1]], %[[C1]], %{{[^,]*}}, %{{[^,]*}}, %[[C0]] :
func.func @repeated(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %t = tile.tensor %p, [] : !tile.ptr<f32> -> !tile.tensor<8x64xf32>
  %x = tile.load %t[%c0, %c0], %z : !tile.tensor<8x64xf32>, f32 -> !tile.tile<8x64xf32, UB>
  %g = tile.load %t[%c0, %c0], %z : !tile.tensor<8x64xf32>, f32 -> !tile.tile<1x64xf32, UB>
  %m = tile.reduce max %x [1] : !tile.tile<8x64xf32, UB> -> !tile.tile<8x1xf32, UB>
  %w = tile.broadcast %m : !tile.tile<8x1xf32, UB> -> !tile.tile<8x64xf32, UB>
  %d = tile.binary sub %x, %w : !tile.tile<8x64xf32, UB>, !tile.tile<8x64xf32, UB> -> !tile.tile<8x64xf32, UB>
  %v = tile.broadcast %g : !tile.tile<1x64xf32, UB> -> !tile.tile<8x64xf32, UB>
  %r = tile.binary mul %d, %v : !tile.tile<8x64xf32, UB>, !tile.tile<8x64xf32, UB> -> !tile.tile<8x64xf32, UB>
  tile.store %r, %t[%c0, %c0] : !tile.tile<8x64xf32, UB>, !tile.tensor<8x64xf32>
  return
}

// Integers of 64 bits are computed by the scalar unit, and bits are collected in words of 16.
// CHECK-LABEL: func @wide
// CHECK:       scf.for
// CHECK:         isa.get_value
// CHECK:         arith.addi
// CHECK:         isa.set_value
// CHECK:       scf.for
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           arith.cmpi ult
// CHECK:         isa.set_value {{.*}} : <UB, i16>, i16
func.func @wide(%p: !tile.ptr<ui64>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0 : i64
  %t = tile.tensor %p, [] : !tile.ptr<ui64> -> !tile.tensor<40xui64>
  %x = tile.load %t[%c0], %z : !tile.tensor<40xui64>, i64 -> !tile.tile<40xui64, UB>
  %s = tile.binary add %x, %x : !tile.tile<40xui64, UB>, !tile.tile<40xui64, UB> -> !tile.tile<40xui64, UB>
  %m = tile.compare lt %s, %x : !tile.tile<40xui64, UB>, !tile.tile<40xui64, UB> -> !tile.tile<40xi1, UB>
  %r = tile.select %m, %s, %x : !tile.tile<40xi1, UB>, !tile.tile<40xui64, UB>, !tile.tile<40xui64, UB> -> !tile.tile<40xui64, UB>
  tile.store %r, %t[%c0] : !tile.tile<40xui64, UB>, !tile.tensor<40xui64>
  return
}

// Of an odd number of bytes the last one is the scalar unit's: nothing has written the byte after it.
// CHECK-LABEL: func @odd_bytes
// CHECK-DAG:   %[[HALVES:.*]] = arith.constant 3 : i64
// CHECK:       isa.and %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[HALVES]] : <UB, i16>
// CHECK:       arith.andi {{.*}} : i8
func.func @odd_bytes(%p: !tile.ptr<i8>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0 : i8
  %t = tile.tensor %p, [] : !tile.ptr<i8> -> !tile.tensor<7xi8>
  %x = tile.load %t[%c0], %z : !tile.tensor<7xi8>, i8 -> !tile.tile<7xi8, UB>
  %r = tile.binary and %x, %x : !tile.tile<7xi8, UB>, !tile.tile<7xi8, UB> -> !tile.tile<7xi8, UB>
  tile.store %r, %t[%c0] : !tile.tile<7xi8, UB>, !tile.tensor<7xi8>
  return
}
