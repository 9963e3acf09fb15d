// RUN: tilesmith-opt %s --place=arch=C220 --lower-to-isa=arch=C220 --cse | FileCheck %s --check-prefixes=CHECK,C220
// RUN: tilesmith-opt %s --place=arch=C310 --lower-to-isa=arch=C310 --cse | FileCheck %s --check-prefixes=CHECK,C310

// GM to L1 in NZ, L1 to L0 with the architecture's loads; the first product of a loop overwrites, later ones add; relu
// and the cast happen on the way out, clipped to the tensor.
// CHECK-LABEL: func @product
// CHECK-DAG:   %[[FIRST:.*]] = arith.constant 1 : i64
// CHECK-DAG:   %[[LATER:.*]] = arith.constant 0 : i64
// CHECK:       %[[ACC:.*]] = isa.alloc 4096 {{.*}} : <L0C, f32>
// CHECK:       scf.for {{.*}} iter_args(%[[FRESH:.*]] = %[[FIRST]]) -> (i64)
// CHECK:         isa.copy_gm_to_l1_nz
// C220:          isa.load_data_2d
// C310:          isa.load_data_2d_v2
// CHECK:         isa.copy_gm_to_l1_nz
// C220:          isa.load_data_2d
// C310:          isa.load_data_2d_v2
// CHECK:         isa.mmad %[[ACC]], {{.*}}, %[[FRESH]] :
// CHECK:         scf.yield %[[LATER]] : i64
// CHECK:       isa.fixpipe_to_gm %{{.*}}, %[[ACC]], {{.*}} {quant = #isa.quant_mode<F322F16>}
func.func @product(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %m: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %z = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [%m] : !tile.ptr<f16> -> !tile.tensor<?x128xf16>
  %tb = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<128x32xf16>
  %tc = tile.tensor %y, [%m] : !tile.ptr<f16> -> !tile.tensor<?x32xf16>
  %start = tile.zeros_acc : !tile.tile<32x32xf32, L0C>
  %sum = scf.for %k = %c0 to %c128 step %c32 iter_args(%p = %start) -> (!tile.tile<32x32xf32, L0C>) : i32 {
    %a = tile.load %ta[%c0, %k], %z : !tile.tensor<?x128xf16>, f16 -> !tile.tile<32x32xf16, L0A>
    %b = tile.load %tb[%k, %c0], %z : !tile.tensor<128x32xf16>, f16 -> !tile.tile<32x32xf16, L0B>
    %q = tile.matmul %a, %b, %p : !tile.tile<32x32xf32, L0C> : !tile.tile<32x32xf16, L0A>, !tile.tile<32x32xf16, L0B> -> !tile.tile<32x32xf32, L0C>
    scf.yield %q : !tile.tile<32x32xf32, L0C>
  }
  %r = tile.unary relu %sum : !tile.tile<32x32xf32, L0C>
  %h = tile.cast %r : !tile.tile<32x32xf32, L0C> -> !tile.tile<32x32xf16, L0C>
  tile.store %h, %tc[%c0, %c0] : !tile.tile<32x32xf16, L0C>, !tile.tensor<?x32xf16>
  return
}

// A matrix that does not fill its fractals is zeroed in L1 first; f32 is turned by its own load on C220.
// CHECK-LABEL: func @tail
// CHECK:       isa.fill_l1
// CHECK:       isa.copy_gm_to_l1_nz
// C220:        isa.load_data_transpose
func.func @tail(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %ta = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<20x12xf32>
  %tb = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<12x16xf32>
  %tc = tile.tensor %y, [] : !tile.ptr<f32> -> !tile.tensor<20x16xf32>
  %a = tile.load %ta[%c0, %c0], %z : !tile.tensor<20x12xf32>, f32 -> !tile.tile<20x12xf32, L0A>
  %b = tile.load %tb[%c0, %c0], %z : !tile.tensor<12x16xf32>, f32 -> !tile.tile<12x16xf32, L0B>
  %p = tile.matmul %a, %b : !tile.tile<20x12xf32, L0A>, !tile.tile<12x16xf32, L0B> -> !tile.tile<20x16xf32, L0C>
  tile.store %p, %tc[%c0, %c0] : !tile.tile<20x16xf32, L0C>, !tile.tensor<20x16xf32>
  return
}

// A matrix that starts before its tensor is filled, and the part inside starts as many rows of 32 bytes further on. Rows
// longer than one copy takes on C220 travel one by one. Leading dimensions choose the matrix.
// CHECK-LABEL: func @clipped
// CHECK-DAG:   %[[ROWS:.*]] = arith.constant 160 : i64
// CHECK-DAG:   %[[LEFT:.*]] = arith.constant 11 : i64
// CHECK:       isa.fill_l1 %[[L1:[^,]*]],
// CHECK:       %[[AT:.*]] = isa.offset %[[L1]], %[[ROWS]]
// CHECK:       isa.copy_gm_to_l1_nz %[[AT]], %{{[^,]*}}, %{{[^,]*}}, %[[LEFT]],
// C220:        scf.for
// C220:          isa.copy_gm_to_l1_nz
// C310-NOT:    scf.for
// C310:        isa.copy_gm_to_l1_nz
func.func @clipped(%x: !tile.ptr<f16>, %y: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %before = arith.constant -5 : i32
  %z = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<3x32x16xf16>
  %tb = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<16x70000xf16>
  %tc = tile.tensor %y, [] : !tile.ptr<f32> -> !tile.tensor<16x16xf32>
  %a3 = tile.load %ta[%c1, %before, %c0], %z : !tile.tensor<3x32x16xf16>, f16 -> !tile.tile<1x16x16xf16, UB>
  %a = tile.reshape %a3 : !tile.tile<1x16x16xf16, UB> -> !tile.tile<16x16xf16, UB>
  %b = tile.load %tb[%c0, %c0], %z : !tile.tensor<16x70000xf16>, f16 -> !tile.tile<16x16xf16, L0B>
  %p = tile.matmul %a, %b : !tile.tile<16x16xf16, UB>, !tile.tile<16x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
  tile.store %p, %tc[%c0, %c0] : !tile.tile<16x16xf32, L0C>, !tile.tensor<16x16xf32>
  return
}
