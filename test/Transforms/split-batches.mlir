// RUN: tilesmith-opt %s --split-batches --split-input-file | FileCheck %s

// What was loaded as a whole is loaded matrix by matrix, where it was; the results are stored one by one, through relu and a cast.
// CHECK-LABEL: func @loads
// CHECK:       %[[A0:.*]] = tile.load %{{.*}}[%c0_i32, %c0_i32, %c0_i32]{{.*}} -> <1x16x32xf16, UB>
// CHECK:       %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:       %[[A1:.*]] = tile.load %{{.*}}[%[[ONE]], %c0_i32, %c0_i32]{{.*}} -> <1x16x32xf16, UB>
// CHECK-NOT:   2x16x32
// CHECK-DAG:   tile.matmul {{.*}} : <16x32xf16, UB>, <32x16xf16, UB> -> <16x16xf32, L0C>
// CHECK-NOT:   tile.concat
// CHECK-COUNT-2: tile.store {{.*}}1x16x16xf16
func.func @loads(%x: !tile.ptr<f16>, %z: !tile.ptr<f16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f16
  %ta = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<2x16x32xf16>
  %tb = tile.tensor %x, [] : !tile.ptr<f16> -> !tile.tensor<32x16xf16>
  %tc = tile.tensor %z, [] : !tile.ptr<f16> -> !tile.tensor<2x16x16xf16>
  %a = tile.load %ta[%c0, %c0, %c0], %zero : !tile.tensor<2x16x32xf16>, f16 -> !tile.tile<2x16x32xf16, UB>
  %b = tile.load %tb[%c0, %c0], %zero : !tile.tensor<32x16xf16>, f16 -> !tile.tile<32x16xf16, UB>
  %c = tile.matmul %a, %b : !tile.tile<2x16x32xf16, UB>, !tile.tile<32x16xf16, UB> -> !tile.tile<2x16x16xf32, L0C>
  %r = tile.unary relu %c : !tile.tile<2x16x16xf32, L0C>
  %h = tile.cast %r : !tile.tile<2x16x16xf32, L0C> -> !tile.tile<2x16x16xf16, L0C>
  tile.store %h, %tc[%c0, %c0, %c0] : !tile.tile<2x16x16xf16, L0C>, !tile.tensor<2x16x16xf16>
  return
}

// -----

// What was computed is copied matrix by matrix, transposes become those of each; where something else reads the results they are joined.
// CHECK-LABEL: func @computed
// CHECK-DAG:   tile.copy {{.*}}2x3x16x16xf16, UB{{.*}} -> {{.*}}1x1x16x16xf16, UB
// CHECK-COUNT-6: tile.transpose {{.*}} [1, 0]
// CHECK:       %[[JOINED:.*]] = tile.concat
// CHECK:       %[[ALL:.*]] = tile.reshape %[[JOINED]] : {{.*}}6x16x16xf32, UB{{.*}} -> {{.*}}2x3x16x16xf32, UB
// CHECK:       tile.unary exp %[[ALL]]
func.func @computed(%x: !tile.tile<2x3x16x16xf16, UB>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %tc = tile.tensor %z, [] : !tile.ptr<f32> -> !tile.tensor<2x3x16x16xf32>
  %y = tile.unary exp %x : !tile.tile<2x3x16x16xf16, UB>
  %t = tile.transpose %y [0, 1, 3, 2] : !tile.tile<2x3x16x16xf16, UB> -> !tile.tile<2x3x16x16xf16, UB>
  %c = tile.matmul %y, %t : !tile.tile<2x3x16x16xf16, UB>, !tile.tile<2x3x16x16xf16, UB> -> !tile.tile<2x3x16x16xf32, L0C>
  %e = tile.unary exp %c : !tile.tile<2x3x16x16xf32, L0C>
  tile.store %e, %tc[%c0, %c0, %c0, %c0] : !tile.tile<2x3x16x16xf32, L0C>, !tile.tensor<2x3x16x16xf32>
  return
}
