// RUN: tilesmith-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(spill-tensors))' | FileCheck %s
// RUN: tilesmith-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(spill-tensors{products=true}))' | FileCheck %s --check-prefix=PRODUCTS

// A slice of a large tensor is a view of the workspace; what else uses the tensor keeps it.
// CHECK-LABEL: func.func @sliced
// CHECK: %[[BASE:.*]] = graph.workspace 524288 : <f32>
// CHECK: %[[MEMORY:.*]] = tile.tensor %[[BASE]]
// CHECK: %[[SUM:.*]] = graph.unary exp
// CHECK: graph.assemble %[[SUM]], %[[MEMORY]]
// CHECK: graph.view %[[MEMORY]]
// CHECK-NOT: graph.slice
// CHECK: graph.unary neg %[[SUM]]
// PRODUCTS-LABEL: func.func @sliced
// PRODUCTS-NOT: graph.workspace
func.func @sliced(%m: !tile.tensor<128x1024xf32>, %zero: i32) {
  %x = graph.view %m[%zero, %zero] : !tile.tensor<128x1024xf32> -> !graph.tensor<128x1024xf32>
  %e = graph.unary exp %x : !graph.tensor<128x1024xf32>
  %s = graph.slice %e[%zero, %zero] : !graph.tensor<128x1024xf32> -> !graph.tensor<128x64xf32>
  %n = graph.unary neg %e : !graph.tensor<128x1024xf32>
  return
}

// -----

// Tensors of a few tiles stay on the chip, and those that are loaded anyway are not stored first.
// CHECK-LABEL: func.func @small
// CHECK-NOT: graph.workspace
func.func @small(%m: !tile.tensor<128x1024xf32>, %zero: i32) {
  %x = graph.view %m[%zero, %zero] : !tile.tensor<128x1024xf32> -> !graph.tensor<64x64xf32>
  %e = graph.unary exp %x : !graph.tensor<64x64xf32>
  %s = graph.slice %e[%zero, %zero] : !graph.tensor<64x64xf32> -> !graph.tensor<8x64xf32>
  return
}

// -----

// What is multiplied goes through the workspace if it is large, when that is asked for.
// CHECK-LABEL: func.func @product
// CHECK-NOT: graph.workspace
// PRODUCTS-LABEL: func.func @product
// PRODUCTS: graph.workspace 262144 : <f16>
// PRODUCTS: graph.assemble
// PRODUCTS: %[[LEFT:[0-9]+]] = graph.view {{.*}} -> <128x1024xf16>
// PRODUCTS: graph.matmul %[[LEFT]],
func.func @product(%m: !tile.tensor<128x1024xf16>, %w: !tile.tensor<1024x64xf16>, %zero: i32, %n: i32) {
  %x = graph.view %m[%zero, %zero] : !tile.tensor<128x1024xf16> -> !graph.tensor<128x1024xf16>
  %e = graph.unary abs %x : !graph.tensor<128x1024xf16>
  %y = graph.view %w[%zero, %zero] : !tile.tensor<1024x64xf16> -> !graph.tensor<1024x64xf16>
  %p = graph.matmul %e, %y inner %n : !graph.tensor<128x1024xf16>, !graph.tensor<1024x64xf16> -> !graph.tensor<128x64xf32>
  return
}

// -----

// A slice that is large itself becomes a view, and is not spilled again.
// CHECK-LABEL: func.func @halves
// CHECK-COUNT-1: graph.workspace
// CHECK: graph.view %{{.*}} : <128x1024xf32> -> <128x512xf32>
// CHECK-NOT: graph.workspace
// CHECK: return
func.func @halves(%m: !tile.tensor<128x1024xf32>, %zero: i32, %half: i32) {
  %x = graph.view %m[%zero, %zero] : !tile.tensor<128x1024xf32> -> !graph.tensor<128x1024xf32>
  %e = graph.unary exp %x : !graph.tensor<128x1024xf32>
  %a = graph.slice %e[%zero, %zero] : !graph.tensor<128x1024xf32> -> !graph.tensor<128x512xf32>
  %b = graph.slice %e[%zero, %half] : !graph.tensor<128x1024xf32> -> !graph.tensor<128x512xf32>
  %s = graph.slice %a[%zero, %zero] : !graph.tensor<128x512xf32> -> !graph.tensor<8x512xf32>
  return
}
