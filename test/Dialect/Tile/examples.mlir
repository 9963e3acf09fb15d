// RUN: tilesmith-opt %s | tilesmith-opt | FileCheck %s
// The examples of the ops' descriptions, which python/tests/test_dialects.py looks for here, are valid IR.

// CHECK-LABEL: func.func @memory
func.func @memory(%x: !tile.ptr<f16>, %y: !tile.tensor<64xf32>, %n: i32, %row: i32, %col: i32, %first: i32, %at: i32, %zero: f16,
                  %w: !tile.tile<64xf32, UB>, %v: !tile.tile<64xf16, UB>, %ids: !tile.tile<32xi32, UB>, %zero32: i32) {
  // CHECK: tile.tensor
  %t = tile.tensor %x, [%n] : !tile.ptr<f16> -> !tile.tensor<?x1024xf16>
  %u = tile.tensor %x + %first, [] : !tile.ptr<f16> -> !tile.tensor<64xf16>
  %l = tile.limit %t axis 1 to %n : !tile.tensor<?x1024xf16> -> !tile.tensor<?x?xf16>
  // CHECK: tile.tensor %{{.*}}, [%{{.*}}] strides[%{{.*}}, %{{.*}}]
  %s = tile.tensor %x, [%n] strides [%row, %col] : !tile.ptr<f16> -> !tile.tensor<?x1024xf16>
  %rows = tile.load %t[%row, %col], %zero : !tile.tensor<?x1024xf16>, f16 -> !tile.tile<4x1024xf16, UB>
  tile.store %rows, %t[%row, %col] : !tile.tile<4x1024xf16, UB>, !tile.tensor<?x1024xf16>
  tile.store %v, %u[%at] count %n : !tile.tile<64xf16, UB>, !tile.tensor<64xf16>
  tile.atomic add %w, %y[%at] : !tile.tile<64xf32, UB>, !tile.tensor<64xf32>
  %a = tile.lanes count %n : !tile.tile<64xi1, UB>
  %b = tile.lanes bits [3, 0] : !tile.tile<64xi1, UB>
  %e = tile.get %y[%at] : !tile.tensor<64xf32> -> f32
  tile.set %e, %y[%at] : f32, !tile.tensor<64xf32>
  %g = tile.gather_rows %t[%ids, %zero32], %zero : !tile.tensor<?x1024xf16>, !tile.tile<32xi32, UB>, f16 -> !tile.tile<32x1024xf16, UB>
  tile.scatter_rows %g, %t[%ids, %zero32] : !tile.tile<32x1024xf16, UB>, !tile.tensor<?x1024xf16>, !tile.tile<32xi32, UB>
  return
}

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%rows: !tile.tile<4x1024xf32, UB>, %x: !tile.tile<64xf32, UB>, %y: !tile.tile<64xf32, UB>,
                       %h: !tile.tile<64xf16, UB>, %scalar: f32, %n: i32, %ok: i1) {
  // CHECK: tile.unary exp
  %e = tile.unary exp %rows : !tile.tile<4x1024xf32, UB>
  %s = tile.binary add %x, %y : !tile.tile<64xf32, UB>, !tile.tile<64xf32, UB> -> !tile.tile<64xf32, UB>
  %m = tile.binary mul %x, %scalar : !tile.tile<64xf32, UB>, f32 -> !tile.tile<64xf32, UB>
  %c = tile.compare lt %x, %scalar : !tile.tile<64xf32, UB>, f32 -> !tile.tile<64xi1, UB>
  %d = tile.select %c, %x, %scalar : !tile.tile<64xi1, UB>, !tile.tile<64xf32, UB>, f32 -> !tile.tile<64xf32, UB>
  %w = tile.cast %h : !tile.tile<64xf16, UB> -> !tile.tile<64xf32, UB>
  tile.print "{} of {}"(%x, %n) ["float32", "int32"] : !tile.tile<64xf32, UB>, i32
  tile.assert %ok, "n is not positive"
  // CHECK: tile.keep
  tile.keep
  tile.probe "{}" depth 1 kind 0(%x, %n) : !tile.tile<64xf32, UB>, i32
  return
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: !tile.tile<4x64xf32, UB>, %y: !tile.tile<2x64xf32, UB>, %l: !tile.tile<64xf32, UB>, %one: !tile.tile<1xf32, UB>,
                  %h: !tile.tile<4x64xf16, UB>, %gamma: !tile.tile<64xf16, UB>, %eps: f32, %scalar: f32, %zero: i32, %col: i32) {
  // CHECK: tile.splat
  %z = tile.splat %scalar : f32 -> !tile.tile<4x64xf32, UB>
  %v = tile.extract %one : !tile.tile<1xf32, UB> -> f32
  %kept = tile.reduce max %x [1] : !tile.tile<4x64xf32, UB> -> !tile.tile<4x1xf32, UB>
  %all = tile.reduce sum %x [0, 1] : !tile.tile<4x64xf32, UB> -> !tile.tile<1xf32, UB>
  %b = tile.broadcast %kept : !tile.tile<4x1xf32, UB> -> !tile.tile<4x64xf32, UB>
  %f = tile.reshape %x : !tile.tile<4x64xf32, UB> -> !tile.tile<256xf32, UB>
  %i = tile.bitcast %l : !tile.tile<64xf32, UB> -> !tile.tile<128xi16, UB>
  %part = tile.copy %x[%zero, %col] : !tile.tile<4x64xf32, UB> -> !tile.tile<4x16xf32, UB>
  %c = tile.concat %y, %x : !tile.tile<2x64xf32, UB>, !tile.tile<4x64xf32, UB> -> !tile.tile<6x64xf32, UB>
  %p = tile.softmax %h : !tile.tile<4x64xf16, UB>
  %n = tile.rms_norm %h, %gamma, %eps : !tile.tile<4x64xf16, UB>, !tile.tile<64xf16, UB> -> !tile.tile<4x64xf16, UB>
  return
}

// CHECK-LABEL: func.func @positions
func.func @positions(%x: !tile.tile<4x64xf32, UB>, %y: !tile.tile<4x64xf16, UB>, %i: !tile.tile<16xi32, UB>, %v: !tile.tile<16xf32, UB>) {
  // CHECK: tile.arange
  %n = tile.arange : !tile.tile<4x64xi32, UB>
  %t = tile.transpose %y [1, 0] : !tile.tile<4x64xf16, UB> -> !tile.tile<64x4xf16, UB>
  %g = tile.gather %x[%i] : !tile.tile<4x64xf32, UB>, !tile.tile<16xi32, UB> -> !tile.tile<16xf32, UB>
  // CHECK: tile.gather {{.*}} inside
  %h = tile.gather %x[%i] inside : !tile.tile<4x64xf32, UB>, !tile.tile<16xi32, UB> -> !tile.tile<16xf32, UB>
  %s = tile.scatter %v, %x[%i] : !tile.tile<16xf32, UB>, !tile.tile<4x64xf32, UB>, !tile.tile<16xi32, UB> -> !tile.tile<4x64xf32, UB>
  %c = tile.cumsum %x 0 : !tile.tile<4x64xf32, UB>
  %o, %p = tile.sort %x : !tile.tile<4x64xf32, UB> -> !tile.tile<4x8xf32, UB>, !tile.tile<4x8xi32, UB>
  %a = tile.arg max %x 1 : !tile.tile<4x64xf32, UB> -> !tile.tile<4x1xi32, UB>
  return
}

// CHECK-LABEL: func.func @matrix
func.func @matrix(%a: !tile.tile<16x32xf16, L0A>, %b: !tile.tile<32x16xf16, L0B>, %k: i32, %w: !tile.tile<32x64xf16, L1>) {
  %zero = arith.constant 0 : i32
  %t = tile.copy %w[%zero, %zero] transposed : !tile.tile<32x64xf16, L1> -> !tile.tile<64x32xf16, L0B>
  // CHECK: tile.zeros_acc
  %acc = tile.zeros_acc : !tile.tile<16x16xf32, L0C>
  %r = tile.matmul %a, %b : !tile.tile<16x32xf16, L0A>, !tile.tile<32x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
  %s = tile.matmul %a, %b, %r : !tile.tile<16x16xf32, L0C> inner %k : !tile.tile<16x32xf16, L0A>, !tile.tile<32x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
  %i = tile.block_idx
  %n = tile.block_num
  // CHECK: tile.send {{.*}} to 0
  tile.send %acc to 0 : !tile.tile<16x16xf32, L0C>
  %x = tile.receive from 0 : !tile.tile<16x16xf32, UB>
  return
}

// CHECK-LABEL: func.func @parts
func.func @parts(%part: !tile.tile<16x64xf32, UB>, %x: !tile.tile<128x64xf32, UB>, %row: i32) {
  // CHECK: tile.insert
  %all = tile.insert %part, %x[%row] : !tile.tile<16x64xf32, UB> -> !tile.tile<128x64xf32, UB>
  return
}
