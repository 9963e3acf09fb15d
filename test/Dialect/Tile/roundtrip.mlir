// RUN: tilesmith-opt %s | tilesmith-opt | FileCheck %s
// Every op prints what it parses.

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: !tile.ptr<f16>, %out: !tile.ptr<f16>, %n: i32, %alpha: f32) attributes {tile.kernel} {
  %zero = arith.constant 0.0 : f16
  %i = tile.block_idx
  // CHECK: tile.tensor %{{.*}}, [%{{.*}}] : {{.*}}<f16> -> {{.*}}<?xf16>
  %xt = tile.tensor %x, [%n] : !tile.ptr<f16> -> !tile.tensor<?xf16>
  %ot = tile.tensor %out + %i, [%n] : !tile.ptr<f16> -> !tile.tensor<?xf16>
  // CHECK: tile.load %{{.*}}[%{{.*}}], %{{.*}} : {{.*}}<?xf16>, f16 -> {{.*}}<1024xf16, UB>
  %t = tile.load %xt[%i], %zero : !tile.tensor<?xf16>, f16 -> !tile.tile<1024xf16, UB>
  %w = tile.cast %t : !tile.tile<1024xf16, UB> -> !tile.tile<1024xf32, UB>
  // CHECK: tile.unary exp %{{.*}} : {{.*}}<1024xf32, UB>
  %e = tile.unary exp %w : !tile.tile<1024xf32, UB>
  // CHECK: tile.binary mul %{{.*}}, %{{.*}} : !tile.tile<1024xf32, UB>, f32 -> {{.*}}<1024xf32, UB>
  %m = tile.binary mul %e, %alpha : !tile.tile<1024xf32, UB>, f32 -> !tile.tile<1024xf32, UB>
  %c = tile.compare lt %m, %alpha : !tile.tile<1024xf32, UB>, f32 -> !tile.tile<1024xi1, UB>
  %s = tile.select %c, %m, %alpha : !tile.tile<1024xi1, UB>, !tile.tile<1024xf32, UB>, f32 -> !tile.tile<1024xf32, UB>
  // CHECK: tile.reduce sum %{{.*}} [0] : {{.*}}<1024xf32, UB> -> {{.*}}<1xf32, UB>
  %r = tile.reduce sum %s [0] : !tile.tile<1024xf32, UB> -> !tile.tile<1xf32, UB>
  %b = tile.broadcast %r : !tile.tile<1xf32, UB> -> !tile.tile<1024xf32, UB>
  %h = tile.cast %b : !tile.tile<1024xf32, UB> -> !tile.tile<1024xf16, UB>
  tile.store %h, %ot[%i] : !tile.tile<1024xf16, UB>, !tile.tensor<?xf16>
  return
}

// CHECK-LABEL: func.func @matrix
func.func @matrix(%a: !tile.tile<16x32xf16, L0A>, %b: !tile.tile<32x16xf16, L0B>) -> !tile.tile<16x16xf32, L0C> {
  // CHECK: tile.zeros_acc : {{.*}}<16x16xf32, L0C>
  %acc = tile.zeros_acc : !tile.tile<16x16xf32, L0C>
  // CHECK: tile.matmul %{{.*}}, %{{.*}}, %{{.*}} : {{.*}}<16x16xf32, L0C> : {{.*}}<16x32xf16, L0A>, {{.*}}<32x16xf16, L0B> -> {{.*}}<16x16xf32, L0C>
  %r = tile.matmul %a, %b, %acc : !tile.tile<16x16xf32, L0C> : !tile.tile<16x32xf16, L0A>, !tile.tile<32x16xf16, L0B> -> !tile.tile<16x16xf32, L0C>
  return %r : !tile.tile<16x16xf32, L0C>
}

// CHECK-LABEL: func.func @choices
func.func @choices(%x: !tile.tile<64xf32, UB>, %t: !tile.tensor<?xf32>, %n: i32) {
  // CHECK: tile.lanes count %{{.*}} : {{.*}}<64xi1, UB>
  %a = tile.lanes count %n : !tile.tile<64xi1, UB>
  // CHECK: tile.lanes bits [3, 0] : {{.*}}<64xi1, UB>
  %b = tile.lanes bits [3, 0] : !tile.tile<64xi1, UB>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}] count %{{.*}} bits [3, 0] :
  tile.store %x, %t[%n] count %n bits [3, 0] : !tile.tile<64xf32, UB>, !tile.tensor<?xf32>
  // CHECK: tile.atomic add %{{.*}}, %{{.*}}[%{{.*}}] count %{{.*}} :
  tile.atomic add %x, %t[%n] count %n : !tile.tile<64xf32, UB>, !tile.tensor<?xf32>
  // CHECK: tile.print "{} {}"(%{{.*}}, %{{.*}}) ["float32", "int32"] : !tile.tile<64xf32, UB>, i32
  tile.print "{} {}"(%x, %n) ["float32", "int32"] : !tile.tile<64xf32, UB>, i32
  // CHECK: tile.print "text"() []
  tile.print "text"() []
  return
}
