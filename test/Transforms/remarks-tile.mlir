// RUN: tilesmith-opt %s --tile-to-isa=arch=C310 --remarks-filter='.*' 2>&1 | FileCheck %s
// The passes on tiles count what they rewrite, and say where a vector function ends and why.

// CHECK: remark: [Analysis] functions | Category:inline-device-functions | inlined=0, kernels=1
// CHECK: remarks-tile.mlir:[[@LINE+13]]:{{.*}}: remark: [Passed] unroll | Category:unroll-loops | factor=2, rest=true
// CHECK: remark: [Analysis] operations | Category:expand-math | expanded=3
// CHECK: remark: [Analysis] operations | Category:legalise-dtypes | casts=0, rewritten=0
// CHECK: remark: [Analysis] tiles | Category:place | loads=3, products=0
// CHECK: remarks-tile.mlir:[[@LINE+11]]:{{.*}}: remark: [Missed] vector-function | Category:lower-to-isa | Reason="an operand is complete only after the row"
// CHECK: remarks-tile.mlir:[[@LINE+10]]:{{.*}}: remark: [Passed] vector-function | Category:lower-to-isa | arguments=3, cols=64, operations=2, rows=4, stores=2

func.func @kernel(%x: !tile.ptr<f16>, %out: !tile.ptr<f16>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f16
  %xt = tile.tensor %x, [%n] : !tile.ptr<f16> -> !tile.tensor<?x64xf16>
  %ot = tile.tensor %out, [%n] : !tile.ptr<f16> -> !tile.tensor<?x64xf16>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %t = tile.load %xt[%i, %c0], %zero : !tile.tensor<?x64xf16>, f16 -> !tile.tile<4x64xf16, UB>
    %p = tile.softmax %t : !tile.tile<4x64xf16, UB>
    tile.store %p, %ot[%i, %c0] : !tile.tile<4x64xf16, UB>, !tile.tensor<?x64xf16>
  } {tile.unroll_factor = 2 : i64}
  return
}
