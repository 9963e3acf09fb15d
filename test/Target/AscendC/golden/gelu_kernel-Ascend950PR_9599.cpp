// Kernel gelu_kernel for C310, written by Tilesmith from gelu.py:56.
#include "kernel_operator.h"

// Scalar arithmetic as the kernel's source means it: integers wrap, what has no value is 0.
__aicore__ inline int32_t DivUnsigned32(uint32_t a, uint32_t b) {
  return b == 0 ? 0 : static_cast<int32_t>(a / b);
}
// A number as a field of a parameter struct: what does not fit is cut on the chip, and an error on the model.
template <typename T> __aicore__ inline T Field(int64_t value, uint32_t line = __builtin_LINE()) {
#ifdef TILESMITH_ASCENDC
  tilesmith::checkField<T>(value, {__FILE__, line});
#endif
  return static_cast<T>(value);
}
__aicore__ inline int64_t Max64(int64_t a, int64_t b) {
  return a > b ? a : b;
}
__aicore__ inline int64_t Min64(int64_t a, int64_t b) {
  return a < b ? a : b;
}
__aicore__ inline int64_t RemUnsigned64(uint64_t a, uint64_t b) {
  return b == 0 ? 0 : static_cast<int64_t>(a % b);
}
__aicore__ inline int32_t WrapAdd32(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
__aicore__ inline int32_t WrapMul32(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}
__aicore__ inline int32_t WrapSub32(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}

namespace Reg = AscendC::Reg;
constexpr Reg::CastTrait cast_zero_no_sat_cast_rint = {Reg::RegLayout::ZERO, Reg::SatMode::NO_SAT, Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::CAST_RINT};
constexpr Reg::CastTrait cast_zero_unknown_unknown = {Reg::RegLayout::ZERO, Reg::SatMode::UNKNOWN, Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::UNKNOWN};

// gelu.py:36: wide = x.to(asc.float32)
__simd_vf__ inline void gelu_kernel_vf0(__ubuf__ half *x, __ubuf__ half *y) {
  Reg::RegTensor<half> wide;
  Reg::RegTensor<float> wide1;
  Reg::RegTensor<float> v;
  Reg::RegTensor<float> v1;
  Reg::RegTensor<float> v2;
  Reg::RegTensor<float> p;
  Reg::RegTensor<float> p1;
  Reg::RegTensor<float> v3;
  Reg::RegTensor<float> odds;
  Reg::RegTensor<float> v4;
  Reg::RegTensor<float> v5;
  Reg::RegTensor<float> v6;
  Reg::RegTensor<half> v7;
  Reg::RegTensor<half> y1;
  Reg::MaskReg m;
  Reg::Duplicate(v1, (-0x1.2444f2p-4f));
  Reg::Duplicate(p, (-0x1.988454p0f));
  Reg::Duplicate(v4, 0x1p0f);
  uint32_t left = 4160;
  for (uint16_t i = 0; i < 65; ++i) {
    m = Reg::UpdateMask<uint32_t>(left);
    Reg::LoadAlign<half, Reg::LoadDist::DIST_UNPACK_B16>(wide, x + i * 64);
    Reg::Cast<float, half, cast_zero_unknown_unknown>(wide1, wide, m);
    // gelu.py:37: odds = asc2.exp(wide * polynomial(wide * wide, coefficients))
    Reg::Mul(v, wide1, wide1, m);
    // gelu.py:28: p = x * coefficients[0] + coefficients[1]
    Reg::Mul(v2, v, v1, m);
    Reg::Add(p1, v2, p, m);
    // gelu.py:37: odds = asc2.exp(wide * polynomial(wide * wide, coefficients))
    Reg::Mul(v3, wide1, p1, m);
    Reg::Exp(odds, v3, m);
    // gelu.py:39: return x * asc2.reciprocal(1.0 + odds).to(asc.float16)
    Reg::Add(v5, v4, odds, m);
    Reg::RegTensor<float> one;
    Reg::Duplicate(one, 0x1p+0f);
    Reg::Div(v6, one, v5, m);
    Reg::Cast<half, float, cast_zero_no_sat_cast_rint>(v7, v6, m);
    Reg::Mul(y1, wide, v7, m);
    Reg::StoreAlign<half, Reg::StoreDist::DIST_PACK_B32>(y + i * 64, y1, m);
  }
}

extern "C" __global__ __aicore__ void gelu_kernel(__gm__ half *x_ptr, __gm__ half *y_ptr, int32_t size) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> x_gm;
  x_gm.SetGlobalBuffer(x_ptr);
  AscendC::GlobalTensor<half> y_gm;
  y_gm.SetGlobalBuffer(y_ptr);
  // x: 2 slots of 8320 bytes from 0, [4160] float16
  // y: 2 slots of 8320 bytes from 16640, [4160] float16
  const int64_t size_64 = static_cast<int64_t>(size);
  // gelu.py:59: for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
  const int64_t v = AscendC::GetBlockIdx();
  const int32_t v1 = static_cast<int32_t>(v);
  const int32_t v2 = WrapAdd32(size, 4159) / 4160;
  const int64_t v3 = AscendC::GetBlockNum();
  const int32_t v4 = static_cast<int32_t>(v3);
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(1);
  for (int32_t i = v1; i < v2; i = WrapAdd32(i, v4)) {
    const int64_t v5 = static_cast<int64_t>(DivUnsigned32(WrapSub32(i, v1), v4));
    const int64_t v6 = RemUnsigned64(v5, 2);
    const int64_t v7 = v6 + 1;
    AscendC::LocalTensor<half> x(AscendC::TPosition::VECCALC, static_cast<uint64_t>(v5) % 2 * 8320, 4160);
    const int64_t v8 = static_cast<int64_t>(WrapMul32(i, 4160));
    const int64_t v9 = Min64(Max64(size_64 - v8, 0), 4160);
    // gelu.py:60: x = asc2.load(x_gm, [tile], tile_id=[i])
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(v7);
    if (v9 < 4160) {
      AscendC::Duplicate(x, half(0x0p0f), 4160);
      AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(0);
      AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(0);
      AscendC::DataCopyPad(x, x_gm[v8], AscendC::DataCopyExtParams{1, static_cast<uint32_t>(v9 * 2), 0, 0, 0}, AscendC::DataCopyPadExtParams<half>{true, 0, Field<uint8_t>((((v9 + 15) / 16) * 16) - v9), half(0x0p0f)});
    } else {
      AscendC::DataCopyPad(x, x_gm[v8], AscendC::DataCopyExtParams{1, 8320, 0, 0, 0}, AscendC::DataCopyPadExtParams<half>{false, 0, 0, half(0x0p0f)});
    }
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(v6);
    AscendC::LocalTensor<half> y(AscendC::TPosition::VECCALC, 16640 + static_cast<uint64_t>(v5) % 2 * 8320, 4160);
    // gelu.py:36: wide = x.to(asc.float32)
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(v6);
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(v6);
    asc_vf_call<gelu_kernel_vf0>((__ubuf__ half *)x.GetPhyAddr(), (__ubuf__ half *)y.GetPhyAddr());
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(v6);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(v7);
    // gelu.py:68: asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i])
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(v6);
    AscendC::DataCopyPad(y_gm[v8], y, AscendC::DataCopyExtParams{1, static_cast<uint32_t>(v9 * 2), 0, 0, 0});
    AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(v6);
  }
  // gelu.py:59: for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(1);
  AscendC::PipeBarrier<PIPE_ALL>();
}
