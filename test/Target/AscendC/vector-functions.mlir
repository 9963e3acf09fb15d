// RUN: tilesmith-opt %s --emit-ascendc --split-input-file -o /dev/null | FileCheck %s --match-full-lines
// A vector function is one function in register form and one call.

// Half registers hold an element in every second lane; the tail of the row is masked.
func.func @half(%s: f16) attributes {isa.kernel, isa.arch = "C310"} {
  %x = isa.alloc 256 {address = 0 : i64, source = "x"} : <UB, f16>
  %y = isa.alloc 512 {address = 256 : i64, source = "y"} : <UB, f32>
  isa.vf 1 x 100(%x, %s, %y) : !isa.buffer<UB, f16>, f16, !isa.buffer<UB, f32> {
  ^bb0(%a: !isa.buffer<UB, f16>, %b: f16, %c: !isa.buffer<UB, f32>):
    %0 = isa.vf_load %a full : <UB, f16> -> <f16>
    %1 = isa.vf_scalar %b : f16 -> <f16>
    %2 = isa.vf_compute "mul"(%0, %1) : (!isa.reg<f16>, !isa.reg<f16>) -> !isa.reg<f16>
    %3 = isa.vf_compute "cast"(%2) {round = #isa.round_mode<None>} : (!isa.reg<f16>) -> !isa.reg<f32>
    %4 = isa.vf_constant 2.000000e+00 : f32 : <f32>
    %5 = isa.vf_compute "add"(%3, %4) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_store %5, %c full : <f32>, <UB, f32>
  }
  return
}
// CHECK:      namespace Reg = AscendC::Reg;
// CHECK-NEXT: constexpr Reg::CastTrait cast_zero_unknown_unknown = {Reg::RegLayout::ZERO, Reg::SatMode::UNKNOWN, Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::UNKNOWN};
// CHECK:      // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT: __simd_vf__ inline void half_vf0(__ubuf__ half *x, half p, __ubuf__ float *y) {
// CHECK-NEXT:   Reg::RegTensor<half> v;
// CHECK-NEXT:   Reg::RegTensor<half> v1;
// CHECK-NEXT:   Reg::RegTensor<half> v2;
// CHECK-NEXT:   Reg::RegTensor<float> v3;
// CHECK-NEXT:   Reg::RegTensor<float> v4;
// CHECK-NEXT:   Reg::RegTensor<float> v5;
// CHECK-NEXT:   Reg::MaskReg m;
// CHECK-NEXT:   Reg::Duplicate(v1, p);
// CHECK-NEXT:   Reg::Duplicate(v4, 0x1p1f);
// CHECK-NEXT:   uint32_t left = 100;
// CHECK-NEXT:   for (uint16_t i = 0; i < 2; ++i) {
// CHECK-NEXT:     m = Reg::UpdateMask<uint32_t>(left);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::LoadAlign<half, Reg::LoadDist::DIST_UNPACK_B16>(v, x + i * 64);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::Mul(v2, v, v1, m);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::Cast<float, half, cast_zero_unknown_unknown>(v3, v2, m);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::Add(v5, v3, v4, m);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::StoreAlign<float, Reg::StoreDist::DIST_NORM_B32>(y + i * 64, v5, m);
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void half1(half p) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::LocalTensor<half> x(AscendC::TPosition::VECCALC, 0, 128);
// CHECK-NEXT:   AscendC::LocalTensor<float> y(AscendC::TPosition::VECCALC, 256, 128);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   asc_vf_call<half_vf0>((__ubuf__ half *)x.GetPhyAddr(), p, (__ubuf__ float *)y.GetPhyAddr());
// CHECK-NEXT: }

// -----

// Broadcasts along rows and columns, a sum per row in the canonical order.
func.func @softmax_like() attributes {isa.kernel, isa.arch = "C310"} {
  %x = isa.alloc 2048 {address = 0 : i64, source = "x"} : <UB, f32>
  %top = isa.alloc 32 {address = 2048 : i64, source = "top"} : <UB, f32>
  %w = isa.alloc 512 {address = 2080 : i64, source = "w"} : <UB, f32>
  %total = isa.alloc 32 {address = 4096 : i64, source = "total"} : <UB, f32>
  isa.vf 4 x 128(%x, %top, %w, %total) : !isa.buffer<UB, f32>, !isa.buffer<UB, f32>, !isa.buffer<UB, f32>, !isa.buffer<UB, f32> {
  ^bb0(%a: !isa.buffer<UB, f32>, %b: !isa.buffer<UB, f32>, %c: !isa.buffer<UB, f32>, %d: !isa.buffer<UB, f32>):
    %0 = isa.vf_load %a full : <UB, f32> -> <f32>
    %1 = isa.vf_load %b element : <UB, f32> -> <f32>
    %2 = isa.vf_load %c row : <UB, f32> -> <f32>
    %3 = isa.vf_compute "sub"(%0, %1) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    %4 = isa.vf_compute "mul"(%3, %2) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    %5 = isa.vf_compute "exp"(%4) : (!isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_reduce sum %5, %d : <f32>, <UB, f32>
    isa.vf_store %5, %a full : <f32>, <UB, f32>
  }
  return
}
// CHECK:      namespace Reg = AscendC::Reg;
// CHECK:      // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT: __simd_vf__ inline void softmax_like_vf0(__ubuf__ float *x, __ubuf__ float *top, __ubuf__ float *w, __ubuf__ float *total) {
// CHECK-NEXT:   Reg::RegTensor<float> v;
// CHECK-NEXT:   Reg::RegTensor<float> v1;
// CHECK-NEXT:   Reg::RegTensor<float> v2;
// CHECK-NEXT:   Reg::RegTensor<float> v3;
// CHECK-NEXT:   Reg::RegTensor<float> v4;
// CHECK-NEXT:   Reg::RegTensor<float> v5;
// CHECK-NEXT:   Reg::RegTensor<float> sum;
// CHECK-NEXT:   Reg::MaskReg all = Reg::CreateMask<uint32_t>();
// CHECK-NEXT:   Reg::MaskReg m;
// CHECK-NEXT:   for (uint16_t r = 0; r < 4; ++r) {
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::LoadAlign<float, Reg::LoadDist::DIST_BRC_B32>(v1, top + r);
// CHECK-NEXT:     uint32_t left = 128;
// CHECK-NEXT:     Reg::Duplicate(sum, -0x0p+0f);
// CHECK-NEXT:     for (uint16_t i = 0; i < 2; ++i) {
// CHECK-NEXT:       m = Reg::UpdateMask<uint32_t>(left);
// CHECK-NEXT:       // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:       Reg::LoadAlign<float, Reg::LoadDist::DIST_NORM>(v, x + r * 128 + i * 64);
// CHECK-NEXT:       // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:       Reg::LoadAlign<float, Reg::LoadDist::DIST_NORM>(v2, w + i * 64);
// CHECK-NEXT:       // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:       Reg::Sub(v3, v, v1, m);
// CHECK-NEXT:       // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:       Reg::Mul(v4, v3, v2, m);
// CHECK-NEXT:       // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:       Reg::Exp(v5, v4, m);
// CHECK-NEXT:       // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:       Reg::Add<float, Reg::MaskMergeMode::MERGING>(sum, sum, v5, m);
// CHECK-NEXT:       // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:       Reg::StoreAlign<float, Reg::StoreDist::DIST_NORM_B32>(x + r * 128 + i * 64, v5, m);
// CHECK-NEXT:     }
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::Reduce<AscendC::ReduceType::SUM>(sum, sum, all);
// CHECK-NEXT:     Reg::StoreAlign<float, Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(total + r, sum, all);
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void softmax_like() {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::LocalTensor<float> x(AscendC::TPosition::VECCALC, 0, 512);
// CHECK-NEXT:   AscendC::LocalTensor<float> top(AscendC::TPosition::VECCALC, 2048, 8);
// CHECK-NEXT:   AscendC::LocalTensor<float> w(AscendC::TPosition::VECCALC, 2080, 128);
// CHECK-NEXT:   AscendC::LocalTensor<float> total(AscendC::TPosition::VECCALC, 4096, 8);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   asc_vf_call<softmax_like_vf0>((__ubuf__ float *)x.GetPhyAddr(), (__ubuf__ float *)top.GetPhyAddr(), (__ubuf__ float *)w.GetPhyAddr(), (__ubuf__ float *)total.GetPhyAddr());
// CHECK-NEXT: }

// -----

// Rows that do not start on 32 bytes; one short trip, whose lanes are all a sum has; a maximum of halves.
func.func @unaligned() attributes {isa.kernel, isa.arch = "C310"} {
  %x = isa.alloc 320 {address = 0 : i64, source = "x"} : <UB, f16>
  %y = isa.alloc 320 {address = 320 : i64, source = "y"} : <UB, f16>
  %t = isa.alloc 32 {address = 640 : i64, source = "t"} : <UB, f16>
  %u = isa.alloc 32 {address = 672 : i64, source = "u"} : <UB, f16>
  isa.vf 3 x 50(%x, %y, %t, %u) : !isa.buffer<UB, f16>, !isa.buffer<UB, f16>, !isa.buffer<UB, f16>, !isa.buffer<UB, f16> {
  ^bb0(%a: !isa.buffer<UB, f16>, %b: !isa.buffer<UB, f16>, %c: !isa.buffer<UB, f16>, %d: !isa.buffer<UB, f16>):
    %0 = isa.vf_load %a full : <UB, f16> -> <f16>
    isa.vf_reduce max %0, %c : <f16>, <UB, f16>
    isa.vf_reduce sum %0, %d : <f16>, <UB, f16>
    isa.vf_store %0, %b full : <f16>, <UB, f16>
  }
  return
}
// CHECK:      namespace Reg = AscendC::Reg;
// CHECK-NEXT: constexpr Reg::CastTrait cast_zero_no_sat_cast_rint = {Reg::RegLayout::ZERO, Reg::SatMode::NO_SAT, Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::CAST_RINT};
// CHECK-NEXT: constexpr Reg::CastTrait cast_zero_unknown_unknown = {Reg::RegLayout::ZERO, Reg::SatMode::UNKNOWN, Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::UNKNOWN};
// CHECK:      // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT: __simd_vf__ inline void unaligned_vf0(__ubuf__ half *x, __ubuf__ half *y, __ubuf__ half *t, __ubuf__ half *u) {
// CHECK-NEXT:   Reg::RegTensor<half> v;
// CHECK-NEXT:   Reg::RegTensor<half> max;
// CHECK-NEXT:   Reg::RegTensor<float> sum;
// CHECK-NEXT:   Reg::MaskReg all = Reg::CreateMask<uint32_t>();
// CHECK-NEXT:   Reg::MaskReg m;
// CHECK-NEXT:   for (uint16_t r = 0; r < 3; ++r) {
// CHECK-NEXT:     uint32_t left = 50;
// CHECK-NEXT:     Reg::Duplicate(max, half(-__builtin_inff()));
// CHECK-NEXT:     Reg::Duplicate(sum, -0x0p+0f);
// CHECK-NEXT:     m = Reg::UpdateMask<uint32_t>(left);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::Load(v, x + r * 50);
// CHECK-NEXT:     Reg::UnPack((Reg::RegTensor<uint32_t> &)v, (Reg::RegTensor<uint16_t> &)v);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::Max<half, Reg::MaskMergeMode::MERGING>(max, max, v, m);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::RegTensor<float> wide;
// CHECK-NEXT:     Reg::Cast<float, half, cast_zero_unknown_unknown>(wide, v, m);
// CHECK-NEXT:     Reg::Add<float, Reg::MaskMergeMode::MERGING>(sum, sum, wide, m);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::RegTensor<half> packed;
// CHECK-NEXT:     Reg::Pack((Reg::RegTensor<uint16_t> &)packed, (Reg::RegTensor<uint32_t> &)v);
// CHECK-NEXT:     Reg::Store(y + r * 50, packed, 50);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::Reduce<AscendC::ReduceType::MAX>(max, max, all);
// CHECK-NEXT:     Reg::StoreAlign<half, Reg::StoreDist::DIST_FIRST_ELEMENT_B16>(t + r, max, all);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::Reduce<AscendC::ReduceType::SUM>(sum, sum, m);
// CHECK-NEXT:     Reg::RegTensor<half> narrow;
// CHECK-NEXT:     Reg::Cast<half, float, cast_zero_no_sat_cast_rint>(narrow, sum, all);
// CHECK-NEXT:     Reg::StoreAlign<half, Reg::StoreDist::DIST_FIRST_ELEMENT_B16>(u + r, narrow, all);
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void unaligned() {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::LocalTensor<half> x(AscendC::TPosition::VECCALC, 0, 160);
// CHECK-NEXT:   AscendC::LocalTensor<half> y(AscendC::TPosition::VECCALC, 320, 160);
// CHECK-NEXT:   AscendC::LocalTensor<half> t(AscendC::TPosition::VECCALC, 640, 16);
// CHECK-NEXT:   AscendC::LocalTensor<half> u(AscendC::TPosition::VECCALC, 672, 16);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   asc_vf_call<unaligned_vf0>((__ubuf__ half *)x.GetPhyAddr(), (__ubuf__ half *)y.GetPhyAddr(), (__ubuf__ half *)t.GetPhyAddr(), (__ubuf__ half *)u.GetPhyAddr());
// CHECK-NEXT: }

// -----

// Masks: compared, combined, stored as bits, loaded again.
func.func @masks(%flag: i1) attributes {isa.kernel, isa.arch = "C310"} {
  %x = isa.alloc 512 {address = 0 : i64, source = "x"} : <UB, i32>
  %m = isa.alloc 32 {address = 512 : i64, source = "m"} : <UB, i1>
  %k = isa.alloc 32 {address = 544 : i64, source = "k"} : <UB, i1>
  isa.vf 1 x 128(%x, %m, %flag, %k) : !isa.buffer<UB, i32>, !isa.buffer<UB, i1>, i1, !isa.buffer<UB, i1> {
  ^bb0(%a: !isa.buffer<UB, i32>, %b: !isa.buffer<UB, i1>, %f: i1, %c: !isa.buffer<UB, i1>):
    %0 = isa.vf_load %a full : <UB, i32> -> <i32>
    %1 = isa.vf_load %b bits : <UB, i1> -> <i1>
    %2 = isa.vf_constant 7 : i32 : <i32>
    %3 = isa.vf_compute "compare"(%0, %2) {mode = #isa.cmp_mode<GE>} : (!isa.reg<i32>, !isa.reg<i32>) -> !isa.reg<i1>
    %4 = isa.vf_scalar %f : i1 -> <i1>
    %5 = isa.vf_compute "and"(%3, %1) : (!isa.reg<i1>, !isa.reg<i1>) -> !isa.reg<i1>
    %6 = isa.vf_compute "or"(%5, %4) : (!isa.reg<i1>, !isa.reg<i1>) -> !isa.reg<i1>
    %7 = isa.vf_compute "not"(%6) : (!isa.reg<i1>) -> !isa.reg<i1>
    %8 = isa.vf_compute "select"(%7, %0, %2) : (!isa.reg<i1>, !isa.reg<i32>, !isa.reg<i32>) -> !isa.reg<i32>
    isa.vf_store %7, %c bits : <i1>, <UB, i1>
    isa.vf_store %8, %a full : <i32>, <UB, i32>
  }
  return
}
// CHECK:      namespace Reg = AscendC::Reg;
// CHECK:      // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT: __simd_vf__ inline void masks_vf0(__ubuf__ int32_t *x, __ubuf__ uint8_t *m1, bool p, __ubuf__ uint8_t *k1) {
// CHECK-NEXT:   Reg::RegTensor<int32_t> v;
// CHECK-NEXT:   Reg::MaskReg mask;
// CHECK-NEXT:   Reg::RegTensor<int32_t> v1;
// CHECK-NEXT:   Reg::MaskReg mask1;
// CHECK-NEXT:   Reg::MaskReg mask2;
// CHECK-NEXT:   Reg::MaskReg mask3;
// CHECK-NEXT:   Reg::MaskReg mask4;
// CHECK-NEXT:   Reg::MaskReg mask5;
// CHECK-NEXT:   Reg::RegTensor<int32_t> v2;
// CHECK-NEXT:   Reg::MaskReg m;
// CHECK-NEXT:   Reg::Duplicate(v1, static_cast<int32_t>(7));
// CHECK-NEXT:   mask2 = Reg::CreateMask<uint32_t, Reg::MaskPattern::ALLF>();
// CHECK-NEXT:   for (uint16_t k = 0; k < uint16_t(p); ++k) {
// CHECK-NEXT:     mask2 = Reg::CreateMask<uint32_t>();
// CHECK-NEXT:   }
// CHECK-NEXT:   uint32_t left = 128;
// CHECK-NEXT:   for (uint16_t i = 0; i < 2; ++i) {
// CHECK-NEXT:     m = Reg::UpdateMask<uint32_t>(left);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::LoadAlign<int32_t, Reg::LoadDist::DIST_NORM>(v, x + i * 64);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::RegTensor<uint8_t> bits;
// CHECK-NEXT:     Reg::Load(bits, m1 + i * 8);
// CHECK-NEXT:     Reg::MaskGenWithRegTensor<uint32_t, 0>(mask, bits);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::Compare<int32_t, AscendC::CMPMODE::GE>(mask1, v, v1, m);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::And(mask3, mask1, mask, m);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::Or(mask4, mask3, mask2, m);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::Not(mask5, mask4, m);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::Select(v2, v, v1, mask5);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     __ubuf__ uint32_t *to = (__ubuf__ uint32_t *)(k1 + i * 8);
// CHECK-NEXT:     Reg::UnalignRegForStore unaligned;
// CHECK-NEXT:     Reg::StoreUnAlign(to, mask5, unaligned);
// CHECK-NEXT:     Reg::StoreUnAlignPost(to, unaligned, 0);
// CHECK-NEXT:     // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:     Reg::StoreAlign<int32_t, Reg::StoreDist::DIST_NORM_B32>(x + i * 64, v2, m);
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void masks(bool p) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::LocalTensor<int32_t> x(AscendC::TPosition::VECCALC, 0, 128);
// CHECK-NEXT:   AscendC::LocalTensor<uint8_t> m(AscendC::TPosition::VECCALC, 512, 32);
// CHECK-NEXT:   AscendC::LocalTensor<uint8_t> k(AscendC::TPosition::VECCALC, 544, 32);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   asc_vf_call<masks_vf0>((__ubuf__ int32_t *)x.GetPhyAddr(), (__ubuf__ uint8_t *)m.GetPhyAddr(), p, (__ubuf__ uint8_t *)k.GetPhyAddr());
// CHECK-NEXT: }

// -----

// Instructions the registers do not have; shifts; rounding to whole numbers; a store that must not pass a load.
func.func @others() attributes {isa.kernel, isa.arch = "C310"} {
  %x = isa.alloc 256 {address = 0 : i64, source = "x"} : <UB, f32>
  %h = isa.alloc 128 {address = 256 : i64, source = "h"} : <UB, f16>
  %i = isa.alloc 128 {address = 384 : i64, source = "i"} : <UB, i16>
  isa.vf 1 x 64(%x, %h, %i) : !isa.buffer<UB, f32>, !isa.buffer<UB, f16>, !isa.buffer<UB, i16> {
  ^bb0(%a: !isa.buffer<UB, f32>, %b: !isa.buffer<UB, f16>, %c: !isa.buffer<UB, i16>):
    %0 = isa.vf_load %a full : <UB, f32> -> <f32>
    %1 = isa.vf_load %b full : <UB, f16> -> <f16>
    %2 = isa.vf_load %c full : <UB, i16> -> <i16>
    %3 = isa.vf_compute "rsqrt"(%0) : (!isa.reg<f32>) -> !isa.reg<f32>
    %4 = isa.vf_compute "rsqrt"(%1) : (!isa.reg<f16>) -> !isa.reg<f16>
    %5 = isa.vf_compute "reciprocal"(%4) : (!isa.reg<f16>) -> !isa.reg<f16>
    %6 = isa.vf_constant 3 : i16 : <i16>
    %7 = isa.vf_compute "shift_left"(%2, %6) : (!isa.reg<i16>, !isa.reg<i16>) -> !isa.reg<i16>
    %8 = isa.vf_compute "shift_right"(%7, %2) : (!isa.reg<i16>, !isa.reg<i16>) -> !isa.reg<i16>
    %9 = isa.vf_compute "cast"(%3) {round = #isa.round_mode<Floor>} : (!isa.reg<f32>) -> !isa.reg<f32>
    %10 = isa.vf_compute "cast"(%9) {round = #isa.round_mode<Trunc>} : (!isa.reg<f32>) -> !isa.reg<i16>
    %11 = isa.vf_compute "mul_add_dst"(%9, %3, %3) : (!isa.reg<f32>, !isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_store %11, %a full : <f32>, <UB, f32>
    isa.vf_store %5, %b full : <f16>, <UB, f16>
    isa.vf_store %10, %c full : <i16>, <UB, i16>
  }
  return
}
// CHECK:      namespace Reg = AscendC::Reg;
// CHECK-NEXT: constexpr Reg::CastTrait cast_zero_no_sat_cast_rint = {Reg::RegLayout::ZERO, Reg::SatMode::NO_SAT, Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::CAST_RINT};
// CHECK-NEXT: constexpr Reg::CastTrait cast_zero_sat_cast_trunc = {Reg::RegLayout::ZERO, Reg::SatMode::SAT, Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::CAST_TRUNC};
// CHECK-NEXT: constexpr Reg::CastTrait cast_zero_unknown_unknown = {Reg::RegLayout::ZERO, Reg::SatMode::UNKNOWN, Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::UNKNOWN};
// CHECK:      // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT: __simd_vf__ inline void others_vf0(__ubuf__ float *x, __ubuf__ half *h, __ubuf__ int16_t *i1) {
// CHECK-NEXT:   Reg::RegTensor<float> v;
// CHECK-NEXT:   Reg::RegTensor<half> v1;
// CHECK-NEXT:   Reg::RegTensor<int16_t> v2;
// CHECK-NEXT:   Reg::RegTensor<float> v3;
// CHECK-NEXT:   Reg::RegTensor<half> v4;
// CHECK-NEXT:   Reg::RegTensor<half> v5;
// CHECK-NEXT:   Reg::RegTensor<int16_t> v6;
// CHECK-NEXT:   Reg::RegTensor<int16_t> v7;
// CHECK-NEXT:   Reg::RegTensor<int16_t> v8;
// CHECK-NEXT:   Reg::RegTensor<float> v9;
// CHECK-NEXT:   Reg::RegTensor<int16_t> v10;
// CHECK-NEXT:   Reg::RegTensor<float> v11;
// CHECK-NEXT:   Reg::MaskReg m;
// CHECK-NEXT:   Reg::Duplicate(v6, static_cast<int16_t>(3));
// CHECK-NEXT:   uint32_t left = 64;
// CHECK-NEXT:   m = Reg::UpdateMask<uint32_t>(left);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::LoadAlign<float, Reg::LoadDist::DIST_NORM>(v, x);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::LoadAlign<half, Reg::LoadDist::DIST_UNPACK_B16>(v1, h);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::LoadAlign<int16_t, Reg::LoadDist::DIST_UNPACK_B16>(v2, i1);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::RegTensor<float> one;
// CHECK-NEXT:   Reg::Duplicate(one, 0x1p+0f);
// CHECK-NEXT:   Reg::RegTensor<float> root;
// CHECK-NEXT:   Reg::Sqrt(root, v, m);
// CHECK-NEXT:   Reg::Div(v3, one, root, m);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::RegTensor<float> root1;
// CHECK-NEXT:   Reg::Cast<float, half, cast_zero_unknown_unknown>(root1, v1, m);
// CHECK-NEXT:   Reg::RegTensor<float> one1;
// CHECK-NEXT:   Reg::Duplicate(one1, 0x1p+0f);
// CHECK-NEXT:   Reg::Sqrt(root1, root1, m);
// CHECK-NEXT:   Reg::Div(root1, one1, root1, m);
// CHECK-NEXT:   Reg::Cast<half, float, cast_zero_no_sat_cast_rint>(v4, root1, m);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::RegTensor<half> one2;
// CHECK-NEXT:   Reg::Duplicate(one2, half(0x1p+0f));
// CHECK-NEXT:   Reg::Div(v5, one2, v4, m);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::ShiftLefts(v7, v2, static_cast<int16_t>(3), m);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::ShiftRight(v8, v7, (Reg::RegTensor<int16_t> &)v2, m);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::Truncate<float, AscendC::RoundMode::CAST_FLOOR>(v9, v3, m);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::Cast<int16_t, float, cast_zero_sat_cast_trunc>(v10, v9, m);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::Move(v11, v9);
// CHECK-NEXT:   Reg::MulAddDst(v11, v3, v3, m);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::StoreAlign<float, Reg::StoreDist::DIST_NORM_B32>(x, v11, m);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::StoreAlign<half, Reg::StoreDist::DIST_PACK_B32>(h, v5, m);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   Reg::LocalMemBar<Reg::MemType::VEC_LOAD, Reg::MemType::VEC_STORE>();
// CHECK-NEXT:   Reg::StoreAlign<int16_t, Reg::StoreDist::DIST_PACK_B32>(i1, v10, m);
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void others() {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::LocalTensor<float> x(AscendC::TPosition::VECCALC, 0, 64);
// CHECK-NEXT:   AscendC::LocalTensor<half> h(AscendC::TPosition::VECCALC, 256, 64);
// CHECK-NEXT:   AscendC::LocalTensor<int16_t> i(AscendC::TPosition::VECCALC, 384, 64);
// CHECK-NEXT:   // vector-functions.mlir:{{[0-9]+}}
// CHECK-NEXT:   asc_vf_call<others_vf0>((__ubuf__ float *)x.GetPhyAddr(), (__ubuf__ half *)h.GetPhyAddr(), (__ubuf__ int16_t *)i.GetPhyAddr());
// CHECK-NEXT: }

// -----

// Short rows side by side: even lanes meet odd ones until one is left of each row. Lanes past the end were not loaded.
func.func @groups() attributes {isa.kernel, isa.arch = "C310"} {
  %x = isa.alloc 384 {address = 0 : i64, source = "x"} : <UB, f32>
  %y = isa.alloc 96 {address = 384 : i64, source = "y"} : <UB, f32>
  isa.vf 1 x 96(%x, %y) : !isa.buffer<UB, f32>, !isa.buffer<UB, f32> {
  ^bb0(%a: !isa.buffer<UB, f32>, %b: !isa.buffer<UB, f32>):
    %0 = isa.vf_load %a full : <UB, f32> -> <f32>
    isa.vf_reduce sum %0, %b {width = 4 : i64} : <f32>, <UB, f32>
  }
  return
}
// CHECK:      __simd_vf__ inline void groups_vf0(__ubuf__ float *x, __ubuf__ float *y) {
// CHECK:        for (uint16_t i = 0; i < 2; ++i) {
// CHECK-NEXT:     const uint32_t n = left < 64 ? left : 64;
// CHECK-NEXT:     m = Reg::UpdateMask<uint32_t>(left);
// CHECK:          Reg::Move(sum, v, m);
// CHECK-NEXT:     Reg::RegTensor<float> odd;
// CHECK-NEXT:     Reg::DeInterleave(sum, odd, sum, sum);
// CHECK-NEXT:     Reg::Add(sum, sum, odd, all);
// CHECK-NEXT:     Reg::DeInterleave(sum, odd, sum, sum);
// CHECK-NEXT:     Reg::Add(sum, sum, odd, all);
// CHECK-NEXT:     Reg::Adds(sum, sum, 0x0p+0f, all);
// CHECK-NEXT:     Reg::Store(y + i * 16, sum, n / 4);
