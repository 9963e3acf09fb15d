// RUN: tilesmith-opt %s --unroll-loops | FileCheck %s

// A loop runs its factor of bodies per trip and a loop of single trips does the rest; the factor is consumed, other
// attributes stay on both.
// CHECK-LABEL: func @twice
// CHECK:       scf.for
// CHECK-COUNT-2: tile.set
// CHECK:       } {tile.parallel}
// CHECK:       scf.for
// CHECK-COUNT-1: tile.set
// CHECK:       } {tile.parallel}
// CHECK-NOT:   unroll_factor
func.func @twice(%x: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = tile.tensor %x, [%n] : !tile.ptr<i32> -> !tile.tensor<?xi32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    tile.set %i, %t[%i] : i32, !tile.tensor<?xi32>
  } {tile.unroll_factor = 2 : i64, tile.parallel}
  return
}

// A loop whose end may lie before its start runs zero times, not the remainder of a negative count.
// CHECK-LABEL: func @backwards
// CHECK-SAME:  %[[START:arg1]]: i32, %[[END:arg2]]: i32)
// CHECK:       %[[LIMIT:.*]] = arith.maxsi %[[END]], %[[START]]
// CHECK:       arith.subi %[[LIMIT]], %[[START]]
// CHECK:       scf.for {{.*}} = %[[START]] to
// CHECK:       scf.for {{.*}} to %[[LIMIT]]
func.func @backwards(%x: !tile.ptr<i32>, %start: i32, %end: i32) attributes {tile.kernel} {
  %c2 = arith.constant 2 : i32
  %t = tile.tensor %x, [] : !tile.ptr<i32> -> !tile.tensor<6xi32>
  scf.for %i = %start to %end step %c2 : i32 {
    tile.set %i, %t[%i] : i32, !tile.tensor<6xi32>
  } {tile.unroll_factor = 2 : i64}
  return
}

// Nested factors multiply: two outer bodies with three inner ones each.
// CHECK-LABEL: func @nested
// CHECK:       scf.for
// CHECK:       scf.for
// CHECK-COUNT-3: tile.set
// CHECK:       scf.for
// CHECK-COUNT-3: tile.set
func.func @nested(%x: !tile.ptr<i32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c6 = arith.constant 6 : i32
  %t = tile.tensor %x, [] : !tile.ptr<i32> -> !tile.tensor<6xi32>
  scf.for %i = %c0 to %c6 step %c1 : i32 {
    scf.for %j = %c0 to %c6 step %c1 : i32 {
      tile.set %i, %t[%j] : i32, !tile.tensor<6xi32>
    } {tile.unroll_factor = 3 : i64}
  } {tile.unroll_factor = 2 : i64}
  return
}
