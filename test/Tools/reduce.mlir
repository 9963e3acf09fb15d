// RUN: tilesmith-reduce %s --reduce-kernel='test=%S/Inputs/still.sh test-arg=tile.reduce' -o %t
// RUN: tilesmith-opt %t | FileCheck %s
// RUN: tilesmith-reduce %s --reduce-kernel='test=%S/Inputs/still.sh test-arg=isa.slot,--tile-to-isa=arch=C220' -o %t.pass
// RUN: tilesmith-opt %t.pass | FileCheck %s --check-prefix=PASS
// RUN: not tilesmith-reduce %s --reduce-kernel='test=%S/Inputs/still.sh test-arg=tile.matmul' -o %t.nothing 2>&1 | FileCheck %s --check-prefix=NOTHING

// A tester that looks for one op leaves the op and what it cannot be without: no loop, no load, no parameter.
// CHECK:      func.func @rms_norm_split_kernel()
// CHECK-NEXT:   arith.constant
// CHECK-NEXT:   tile.splat
// CHECK-NEXT:   tile.reduce
// CHECK-NEXT:   return

// One that looks for a ring in the output of passes keeps a loop of two trips and a store in it.
// PASS:         tile.tensor
// PASS-COUNT-3: arith.constant
// PASS-NEXT:    scf.for
// PASS-COUNT-2: arith.constant
// PASS-NEXT:    tile.splat
// PASS-NEXT:    tile.store
// PASS-NEXT:    }
// PASS-NEXT:    return

// NOTHING: error: the tester '{{.*}}still.sh' exits with 0: nothing here is interesting

module {
  func.func @rms_norm_split_kernel(%arg0: !tile.ptr<f32> {isa.noalias}, %arg1: !tile.ptr<f32> {isa.noalias}, %arg2: !tile.ptr<f32> {isa.noalias}, %arg3: i32, %arg4: i32, %arg5: f32) attributes {tile.kernel} {
    %0 = tile.tensor %arg0, [%arg3, %arg4] : <f32> -> <?x?xf32>
    %1 = tile.tensor %arg2, [%arg3, %arg4] : <f32> -> <?x?xf32>
    %2 = tile.tensor %arg1, [%arg4] : <f32> -> <1x?xf32>
    %c4095_i32 = arith.constant 4095 : i32
    %3 = arith.addi %arg4, %c4095_i32 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %4 = arith.divsi %3, %c4096_i32 : i32
    %5 = tile.block_idx
    %6 = tile.block_num
    scf.for %arg6 = %5 to %arg3 step %6  : i32 {
      %cst = arith.constant 0.000000e+00 : f32
      %7 = tile.splat %cst : f32 -> <1x4096xf32, UB>
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %8 = scf.for %arg7 = %c0_i32 to %4 step %c1_i32 iter_args(%arg8 = %7) -> (!tile.tile<1x4096xf32, UB>)  : i32 {
        %c4096_i32_3 = arith.constant 4096 : i32
        %18 = arith.muli %arg7, %c4096_i32_3 : i32
        %cst_4 = arith.constant 0.000000e+00 : f32
        %19 = tile.load %0[%arg6, %18], %cst_4 : <?x?xf32>, f32 -> <1x4096xf32, UB>
        %20 = tile.binary mul %19, %19 : !tile.tile<1x4096xf32, UB>, !tile.tile<1x4096xf32, UB> -> <1x4096xf32, UB>
        %21 = tile.binary add %arg8, %20 : !tile.tile<1x4096xf32, UB>, !tile.tile<1x4096xf32, UB> -> <1x4096xf32, UB>
        scf.yield %21 : !tile.tile<1x4096xf32, UB>
      }
      %9 = tile.reduce sum %8 [0, 1] : <1x4096xf32, UB> -> <1xf32, UB>
      %10 = tile.extract %9 : <1xf32, UB> -> f32
      %11 = arith.sitofp %arg4 : i32 to f32
      %12 = arith.divf %10, %11 : f32
      %13 = arith.addf %12, %arg5 : f32
      %14 = tile.splat %13 : f32 -> <1xf32, UB>
      %15 = tile.unary sqrt %14 : <1xf32, UB>
      %16 = tile.extract %15 : <1xf32, UB> -> f32
      %cst_0 = arith.constant 1.000000e+00 : f32
      %17 = arith.divf %cst_0, %16 : f32
      %c0_i32_1 = arith.constant 0 : i32
      %c1_i32_2 = arith.constant 1 : i32
      scf.for %arg7 = %c0_i32_1 to %4 step %c1_i32_2  : i32 {
        %c4096_i32_3 = arith.constant 4096 : i32
        %18 = arith.muli %arg7, %c4096_i32_3 : i32
        %cst_4 = arith.constant 0.000000e+00 : f32
        %19 = tile.load %0[%arg6, %18], %cst_4 : <?x?xf32>, f32 -> <1x4096xf32, UB>
        %c0_i32_5 = arith.constant 0 : i32
        %c4096_i32_6 = arith.constant 4096 : i32
        %20 = arith.muli %arg7, %c4096_i32_6 : i32
        %cst_7 = arith.constant 0.000000e+00 : f32
        %21 = tile.load %2[%c0_i32_5, %20], %cst_7 : <1x?xf32>, f32 -> <1x4096xf32, UB>
        %22 = tile.binary mul %19, %17 : !tile.tile<1x4096xf32, UB>, f32 -> <1x4096xf32, UB>
        %23 = tile.binary mul %22, %21 : !tile.tile<1x4096xf32, UB>, !tile.tile<1x4096xf32, UB> -> <1x4096xf32, UB>
        %c4096_i32_8 = arith.constant 4096 : i32
        %24 = arith.muli %arg7, %c4096_i32_8 : i32
        tile.store %23, %1[%arg6, %24] : <1x4096xf32, UB>, <?x?xf32>
      }
    }
    return
  }
}
