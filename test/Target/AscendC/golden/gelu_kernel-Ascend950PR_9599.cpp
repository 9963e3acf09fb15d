// Kernel gelu_kernel for C310, written by Tilesmith from gelu.py:72.
#include "kernel_operator.h"

// Scalar arithmetic as the kernel's source means it: integers wrap, what has no value is 0.
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

namespace Reg = AscendC::Reg;
constexpr Reg::CastTrait cast_zero_no_sat_cast_rint = {Reg::RegLayout::ZERO, Reg::SatMode::NO_SAT, Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::CAST_RINT};
constexpr Reg::CastTrait cast_zero_unknown_unknown = {Reg::RegLayout::ZERO, Reg::SatMode::UNKNOWN, Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::UNKNOWN};

// gelu.py:46: wide = x.to(asc.float32)
__simd_vf__ inline void gelu_kernel_vf0(__ubuf__ half *x, __ubuf__ half *tile) {
  Reg::RegTensor<half> wide;
  Reg::RegTensor<float> wide1;
  Reg::RegTensor<float> square;
  Reg::RegTensor<float> v;
  Reg::RegTensor<float> v1;
  Reg::RegTensor<float> p;
  Reg::RegTensor<float> p1;
  Reg::RegTensor<float> v2;
  Reg::RegTensor<float> v3;
  Reg::RegTensor<float> v4;
  Reg::RegTensor<float> v5;
  Reg::RegTensor<float> y;
  Reg::RegTensor<half> v6;
  Reg::MaskReg m;
  Reg::Duplicate(v, (-0x1.2444f2p-4f));
  Reg::Duplicate(p, (-0x1.988454p0f));
  Reg::Duplicate(v4, 0x1p0f);
  uint32_t left = 4160;
  for (uint16_t i = 0; i < 65; ++i) {
    m = Reg::UpdateMask<uint32_t>(left);
    Reg::LoadAlign<half, Reg::LoadDist::DIST_UNPACK_B16>(wide, x + i * 64);
    Reg::Cast<float, half, cast_zero_unknown_unknown>(wide1, wide, m);
    // gelu.py:37: square = x * x
    Reg::Mul(square, wide1, wide1, m);
    // gelu.py:28: p = x * coefficients[0] + coefficients[1]
    Reg::Mul(v1, square, v, m);
    Reg::Add(p1, v1, p, m);
    // gelu.py:39: return x * polynomial(square, coefficients)
    Reg::Mul(v2, wide1, p1, m);
    // gelu.py:47: return wide / (1.0 + asc2.exp(odd_polynomial(wide, coefficients)))
    Reg::Exp(v3, v2, m);
    Reg::Add(v5, v4, v3, m);
    Reg::Div(y, wide1, v5, m);
    // gelu.py:87: asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i])
    Reg::Cast<half, float, cast_zero_no_sat_cast_rint>(v6, y, m);
    Reg::StoreAlign<half, Reg::StoreDist::DIST_PACK_B32>(tile + i * 64, v6, m);
  }
}

extern "C" __global__ __aicore__ void gelu_kernel(__gm__ half *x_ptr, __gm__ half *y_ptr, int32_t size, int32_t lead) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> x_gm;
  x_gm.SetGlobalBuffer(x_ptr);
  AscendC::GlobalTensor<half> y_gm;
  y_gm.SetGlobalBuffer(y_ptr);
  // x: 2 slots of 8320 bytes from 0, [4160] float16
  // tile: 2 slots of 8320 bytes from 16640, [4160] float16
  const int64_t size_64 = static_cast<int64_t>(size);
  // gelu.py:76: tiles, block = asc2.num_tiles(x_gm, 0, [tile]), asc2.block_idx()
  const int32_t tiles = WrapAdd32(size, 4159) / 4160;
  const int64_t v = AscendC::GetBlockIdx();
  const int32_t block = static_cast<int32_t>(v);
  // golden.py:71: blocks = asc2.block_num()
  const int64_t v1 = AscendC::GetBlockNum();
  const int32_t blocks = static_cast<int32_t>(v1);
  const int32_t v2 = tiles / blocks;
  const int32_t v3 = tiles % blocks;
  // golden.py:72: even = tiles // blocks * block + min(tiles % blocks, block)
  const int32_t even = WrapAdd32(WrapMul32(v2, block), (block < v3) ? block : v3);
  const int32_t v4 = blocks * 2;
  const int32_t v5 = WrapAdd32(even, WrapMul32(WrapMul32(lead, block), blocks - block) / v4);
  const int32_t v6 = (v5 < 0) ? 0 : v5;
  const int32_t v7 = block + 1;
  const int32_t even1 = WrapAdd32(WrapMul32(v2, v7), (v7 < v3) ? v7 : v3);
  const int32_t v8 = WrapAdd32(even1, WrapMul32(WrapMul32(lead, v7), blocks - v7) / v4);
  const int32_t v9 = (v8 < 0) ? 0 : v8;
  // gelu.py:77: for i in asc2.range(golden.first_tile(tiles, lead, block), golden.first_tile(tiles, lead, block + 1)):
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(1);
  for (int32_t i = v6; i < v9; ++i) {
    const int64_t v10 = static_cast<int64_t>(i - v6);
    const int64_t v11 = RemUnsigned64(v10, 2);
    const int64_t v12 = v11 + 1;
    AscendC::LocalTensor<half> x(AscendC::TPosition::VECCALC, static_cast<uint64_t>(v10) % 2 * 8320, 4160);
    const int64_t v13 = static_cast<int64_t>(WrapMul32(i, 4160));
    const int64_t v14 = Min64(Max64(size_64 - v13, 0), 4160);
    // gelu.py:78: x = asc2.load(x_gm, [tile], tile_id=[i])
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(v12);
    if (v14 < 4160) {
      AscendC::Duplicate(x, half(0x0p0f), 4160);
      AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(0);
      AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(0);
      AscendC::DataCopyPad(x, x_gm[v13], AscendC::DataCopyExtParams{1, static_cast<uint32_t>(v14 * 2), 0, 0, 0}, AscendC::DataCopyPadExtParams<half>{true, 0, Field<uint8_t>((((v14 + 15) / 16) * 16) - v14), half(0x0p0f)});
    } else {
      AscendC::DataCopyPad(x, x_gm[v13], AscendC::DataCopyExtParams{1, 8320, 0, 0, 0}, AscendC::DataCopyPadExtParams<half>{false, 0, 0, half(0x0p0f)});
    }
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(v11);
    AscendC::LocalTensor<half> tile(AscendC::TPosition::VECCALC, 16640 + static_cast<uint64_t>(v10) % 2 * 8320, 4160);
    // gelu.py:46: wide = x.to(asc.float32)
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(v11);
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(v11);
    asc_vf_call<gelu_kernel_vf0>((__ubuf__ half *)x.GetPhyAddr(), (__ubuf__ half *)tile.GetPhyAddr());
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(v11);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(v12);
    // gelu.py:87: asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i])
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(v11);
    AscendC::DataCopyPad(y_gm[v13], tile, AscendC::DataCopyExtParams{1, static_cast<uint32_t>(v14 * 2), 0, 0, 0});
    AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(v11);
  }
  // gelu.py:77: for i in asc2.range(golden.first_tile(tiles, lead, block), golden.first_tile(tiles, lead, block + 1)):
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(1);
  AscendC::PipeBarrier<PIPE_ALL>();
}
