// RUN: tilesmith-opt %s --canonicalize | FileCheck %s

!half = !isa.buffer<UB, f16>
!word = !isa.buffer<UB, i32>

// CHECK-LABEL: func @offset_by_nothing
// CHECK-NEXT: return %arg0
func.func @offset_by_nothing(%b: !half) -> !half {
  %c0 = arith.constant 0 : i64
  %o = isa.offset %b, %c0 : !half
  return %o : !half
}

// CHECK-LABEL: func @offset_of_offset
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg1, %arg2 : i64
// CHECK-NEXT: %[[AT:.*]] = isa.offset %arg0, %[[SUM]]
// CHECK-NEXT: return %[[AT]]
func.func @offset_of_offset(%b: !half, %x: i64, %y: i64) -> !half {
  %o = isa.offset %b, %x : !half
  %p = isa.offset %o, %y : !half
  return %p : !half
}

// CHECK-LABEL: func @offset_and_back
// CHECK-NEXT: return %arg0
func.func @offset_and_back(%b: !half) -> !half {
  %c64 = arith.constant 64 : i64
  %back = arith.constant -64 : i64
  %o = isa.offset %b, %c64 : !half
  %p = isa.offset %o, %back : !half
  return %p : !half
}

// CHECK-LABEL: func @view_of_its_type
// CHECK-NEXT: return %arg0
func.func @view_of_its_type(%b: !half) -> !half {
  %v = isa.view %b : !half -> !half
  return %v : !half
}

// CHECK-LABEL: func @view_of_view
// CHECK-NEXT: isa.view %arg0 : <UB, f16> -> <UB, f32>
// CHECK-NEXT: return
func.func @view_of_view(%b: !half) -> !isa.buffer<UB, f32> {
  %v = isa.view %b : !half -> !word
  %w = isa.view %v : !word -> !isa.buffer<UB, f32>
  return %w : !isa.buffer<UB, f32>
}

// CHECK-LABEL: func @view_there_and_back
// CHECK-NEXT: return %arg0
func.func @view_there_and_back(%b: !half) -> !half {
  %v = isa.view %b : !half -> !word
  %w = isa.view %v : !word -> !half
  return %w : !half
}

// A ring of one slot is a buffer; of two it is not.
// CHECK-LABEL: func @slots
// CHECK-NEXT: %[[ONE:.*]] = isa.alloc 64 :
// CHECK-NEXT: %[[TWO:.*]] = isa.alloc 64 {slots = 2 : i64}
// CHECK-NEXT: %[[SLOT:.*]] = isa.slot %[[TWO]][%arg0]
// CHECK-NEXT: return %[[ONE]], %[[SLOT]]
func.func @slots(%i: i64) -> (!half, !half) {
  %one = isa.alloc 64 : !half
  %two = isa.alloc 64 {slots = 2 : i64} : !half
  %a = isa.slot %one[%i] : !half
  %b = isa.slot %two[%i] : !half
  return %a, %b : !half, !half
}
