// Kernel softmax_kernel for C310, written by Tilesmith from softmax.py:19.
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

// softmax.py:27: top = asc2.reduce_max(x, 1, keep_dims=True)
__simd_vf__ inline void softmax_kernel_vf0(__ubuf__ half *x, __ubuf__ half *top) {
  Reg::RegTensor<half> top1;
  Reg::RegTensor<half> max;
  Reg::MaskReg all = Reg::CreateMask<uint32_t>();
  Reg::MaskReg m;
  uint32_t left = 128;
  Reg::Duplicate(max, half(-__builtin_inff()));
  for (uint16_t i = 0; i < 2; ++i) {
    m = Reg::UpdateMask<uint32_t>(left);
    Reg::LoadAlign<half, Reg::LoadDist::DIST_UNPACK_B16>(top1, x + i * 64);
    Reg::Max<half, Reg::MaskMergeMode::MERGING>(max, max, top1, m);
  }
  Reg::Reduce<AscendC::ReduceType::MAX>(max, max, all);
  Reg::StoreAlign<half, Reg::StoreDist::DIST_FIRST_ELEMENT_B16>(top, max, all);
}

// softmax.py:29: below = x - top.broadcast_to(tile_rows, tile_cols)
__simd_vf__ inline void softmax_kernel_vf1(__ubuf__ half *top, __ubuf__ half *x, __ubuf__ float *e, __ubuf__ float *tile) {
  Reg::RegTensor<half> v;
  Reg::RegTensor<half> below;
  Reg::RegTensor<half> below1;
  Reg::RegTensor<float> v1;
  Reg::RegTensor<float> e1;
  Reg::RegTensor<float> sum;
  Reg::MaskReg all = Reg::CreateMask<uint32_t>();
  Reg::MaskReg m;
  Reg::LoadAlign<half, Reg::LoadDist::DIST_BRC_B16>(v, top);
  uint32_t left = 128;
  Reg::Duplicate(sum, -0x0p+0f);
  for (uint16_t i = 0; i < 2; ++i) {
    m = Reg::UpdateMask<uint32_t>(left);
    Reg::LoadAlign<half, Reg::LoadDist::DIST_UNPACK_B16>(below, x + i * 64);
    Reg::Sub(below1, below, v, m);
    // softmax.py:30: e = asc2.exp(below.to(asc.float32))
    Reg::Cast<float, half, cast_zero_unknown_unknown>(v1, below1, m);
    Reg::Exp(e1, v1, m);
    // softmax.py:32: parts = asc2.reshape(asc2.reduce_sum(asc2.reshape(e, tile_rows * part, tile_cols // part), 1), tile_rows, part)
    Reg::Add<float, Reg::MaskMergeMode::MERGING>(sum, sum, e1, m);
    Reg::StoreAlign<float, Reg::StoreDist::DIST_NORM_B32>(e + i * 64, e1, m);
  }
  Reg::Reduce<AscendC::ReduceType::SUM>(sum, sum, all);
  Reg::StoreAlign<float, Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(tile, sum, all);
}

// softmax.py:33: total = asc2.reduce_sum(parts, 1, keep_dims=True)
__simd_vf__ inline void softmax_kernel_vf2(__ubuf__ float *tile, __ubuf__ float *total) {
  Reg::RegTensor<float> total1;
  Reg::RegTensor<float> sum;
  Reg::MaskReg all = Reg::CreateMask<uint32_t>();
  Reg::MaskReg m;
  uint32_t left = 1;
  Reg::Duplicate(sum, -0x0p+0f);
  m = Reg::UpdateMask<uint32_t>(left);
  Reg::LoadAlign<float, Reg::LoadDist::DIST_NORM>(total1, tile);
  Reg::Add<float, Reg::MaskMergeMode::MERGING>(sum, sum, total1, m);
  Reg::Reduce<AscendC::ReduceType::SUM>(sum, sum, m);
  Reg::StoreAlign<float, Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(total, sum, all);
}

// softmax.py:35: e, scale = e.to(asc.float16), asc2.reciprocal(total).to(asc.float16)
__simd_vf__ inline void softmax_kernel_vf3(__ubuf__ float *e, __ubuf__ half *e1) {
  Reg::RegTensor<float> e2;
  Reg::RegTensor<half> e3;
  Reg::MaskReg m;
  uint32_t left = 128;
  for (uint16_t i = 0; i < 2; ++i) {
    m = Reg::UpdateMask<uint32_t>(left);
    Reg::LoadAlign<float, Reg::LoadDist::DIST_NORM>(e2, e + i * 64);
    Reg::Cast<half, float, cast_zero_no_sat_cast_rint>(e3, e2, m);
    Reg::StoreAlign<half, Reg::StoreDist::DIST_PACK_B32>(e1 + i * 64, e3, m);
  }
}

// softmax.py:35: e, scale = e.to(asc.float16), asc2.reciprocal(total).to(asc.float16)
__simd_vf__ inline void softmax_kernel_vf4(__ubuf__ float *total, __ubuf__ half *scale) {
  Reg::RegTensor<float> v;
  Reg::RegTensor<float> v1;
  Reg::RegTensor<half> scale1;
  Reg::MaskReg m;
  uint32_t left = 1;
  m = Reg::UpdateMask<uint32_t>(left);
  Reg::LoadAlign<float, Reg::LoadDist::DIST_NORM>(v, total);
  Reg::RegTensor<float> one;
  Reg::Duplicate(one, 0x1p+0f);
  Reg::Div(v1, one, v, m);
  Reg::Cast<half, float, cast_zero_no_sat_cast_rint>(scale1, v1, m);
  Reg::StoreAlign<half, Reg::StoreDist::DIST_PACK_B32>(scale, scale1, m);
}

// softmax.py:38: y = e * scale.broadcast_to(tile_rows, tile_cols)
__simd_vf__ inline void softmax_kernel_vf5(__ubuf__ half *scale, __ubuf__ half *e1, __ubuf__ half *y) {
  Reg::RegTensor<half> v;
  Reg::RegTensor<half> y1;
  Reg::RegTensor<half> y2;
  Reg::MaskReg m;
  Reg::LoadAlign<half, Reg::LoadDist::DIST_BRC_B16>(v, scale);
  uint32_t left = 128;
  for (uint16_t i = 0; i < 2; ++i) {
    m = Reg::UpdateMask<uint32_t>(left);
    Reg::LoadAlign<half, Reg::LoadDist::DIST_UNPACK_B16>(y1, e1 + i * 64);
    Reg::Mul(y2, y1, v, m);
    Reg::StoreAlign<half, Reg::StoreDist::DIST_PACK_B32>(y + i * 64, y2, m);
  }
}

extern "C" __global__ __aicore__ void softmax_kernel(__gm__ half *x_ptr, __gm__ half *y_ptr, int32_t rows, int32_t cols, int32_t lead) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> x_gm;
  x_gm.SetGlobalBuffer(x_ptr);
  AscendC::GlobalTensor<half> y_gm;
  y_gm.SetGlobalBuffer(y_ptr);
  // x: 2 slots of 256 bytes from 0, [1, 128] float16
  // y: 2 slots of 256 bytes from 512, [1, 128] float16
  AscendC::LocalTensor<half> top(AscendC::TPosition::VECCALC, 1024, 16);  // [1, 1] float16
  AscendC::LocalTensor<float> e(AscendC::TPosition::VECCALC, 1056, 128);  // [1, 128] float32
  AscendC::LocalTensor<float> tile(AscendC::TPosition::VECCALC, 1568, 8);  // [1] float32
  AscendC::LocalTensor<float> total(AscendC::TPosition::VECCALC, 1600, 8);  // [1, 1] float32
  AscendC::LocalTensor<half> e1(AscendC::TPosition::VECCALC, 1632, 128);  // [1, 128] float16
  AscendC::LocalTensor<half> scale(AscendC::TPosition::VECCALC, 1888, 16);  // [1, 1] float16
  const int64_t rows_64 = static_cast<int64_t>(rows);
  const int64_t cols_64 = static_cast<int64_t>(cols);
  // softmax.py:23: tiles, block = asc.ceildiv(rows, tile_rows), asc2.block_idx()
  const int64_t v = AscendC::GetBlockIdx();
  const int32_t block = static_cast<int32_t>(v);
  // golden.py:71: blocks = asc2.block_num()
  const int64_t v1 = AscendC::GetBlockNum();
  const int32_t blocks = static_cast<int32_t>(v1);
  const int32_t v2 = rows / blocks;
  const int32_t v3 = rows % blocks;
  // golden.py:72: even = tiles // blocks * block + min(tiles % blocks, block)
  const int32_t even = WrapAdd32(WrapMul32(v2, block), (block < v3) ? block : v3);
  const int32_t v4 = blocks * 2;
  const int32_t v5 = WrapAdd32(even, WrapMul32(WrapMul32(lead, block), blocks - block) / v4);
  const int32_t v6 = (v5 < 0) ? 0 : v5;
  const int32_t v7 = block + 1;
  const int32_t even1 = WrapAdd32(WrapMul32(v2, v7), (v7 < v3) ? v7 : v3);
  const int32_t v8 = WrapAdd32(even1, WrapMul32(WrapMul32(lead, v7), blocks - v7) / v4);
  const int32_t v9 = (v8 < 0) ? 0 : v8;
  const int64_t v10 = Min64(Max64(cols_64, 0), 128);
  const bool v11 = v10 < 128;
  const bool v12 = (v10 == 128) && (cols_64 == 128);
  // softmax.py:24: for i in asc2.range(golden.first_tile(tiles, lead, block), golden.first_tile(tiles, lead, block + 1)):
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(1);
  for (int32_t i = v6; i < v9; ++i) {
    const int64_t v13 = static_cast<int64_t>(i - v6);
    const int64_t v14 = RemUnsigned64(v13, 2);
    const int64_t v15 = v14 + 1;
    AscendC::LocalTensor<half> x(AscendC::TPosition::VECCALC, static_cast<uint64_t>(v13) % 2 * 256, 128);
    const int64_t i_64 = static_cast<int64_t>(i);
    const int64_t v16 = Min64(Max64(rows_64 - i_64, 0), 1);
    // softmax.py:26: x = asc2.load(x_gm, [tile_rows, tile_cols], tile_id=[i, 0], pad_value=MINUS_INF)
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(v15);
    if ((v16 < 1) || v11) {
      AscendC::Duplicate(x, half(-__builtin_inff()), 128);
      AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(0);
      const int64_t v17 = ((v10 + 15) / 16) * 16;
      const int64_t v18 = v17 - v10;
      const int64_t v19 = (cols_64 - v10) * 2;
      const int64_t v20 = (Max64(128 - v17, 0) * 2) / 32;
      AscendC::GlobalTensor<half> x_gm1 = x_gm[i_64 * cols_64];
      AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(0);
      if ((v10 == 128) && (cols_64 == 128)) {
        AscendC::DataCopyPad(x, x_gm1, AscendC::DataCopyExtParams{1, static_cast<uint32_t>(v16 * 256), 0, 0, 0}, AscendC::DataCopyPadExtParams<half>{false, 0, 0, half(-__builtin_inff())});
      } else {
        AscendC::DataCopyPad(x, x_gm1, AscendC::DataCopyExtParams{static_cast<uint16_t>(v16), static_cast<uint32_t>(v10 * 2), static_cast<int64_t>(v19), static_cast<int64_t>(v20), 0}, AscendC::DataCopyPadExtParams<half>{true, 0, Field<uint8_t>(v18), half(-__builtin_inff())});
      }
    } else {
      AscendC::DataCopyPad(x, x_gm[i_64 * cols_64], AscendC::DataCopyExtParams{1, 256, 0, 0, 0}, AscendC::DataCopyPadExtParams<half>{false, 0, 0, half(-__builtin_inff())});
    }
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(v14);
    // softmax.py:27: top = asc2.reduce_max(x, 1, keep_dims=True)
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(v14);
    asc_vf_call<softmax_kernel_vf0>((__ubuf__ half *)x.GetPhyAddr(), (__ubuf__ half *)top.GetPhyAddr());
    // softmax.py:29: below = x - top.broadcast_to(tile_rows, tile_cols)
    asc_vf_call<softmax_kernel_vf1>((__ubuf__ half *)top.GetPhyAddr(), (__ubuf__ half *)x.GetPhyAddr(), (__ubuf__ float *)e.GetPhyAddr(), (__ubuf__ float *)tile.GetPhyAddr());
    AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(v15);
    // softmax.py:33: total = asc2.reduce_sum(parts, 1, keep_dims=True)
    asc_vf_call<softmax_kernel_vf2>((__ubuf__ float *)tile.GetPhyAddr(), (__ubuf__ float *)total.GetPhyAddr());
    // softmax.py:35: e, scale = e.to(asc.float16), asc2.reciprocal(total).to(asc.float16)
    asc_vf_call<softmax_kernel_vf3>((__ubuf__ float *)e.GetPhyAddr(), (__ubuf__ half *)e1.GetPhyAddr());
    asc_vf_call<softmax_kernel_vf4>((__ubuf__ float *)total.GetPhyAddr(), (__ubuf__ half *)scale.GetPhyAddr());
    AscendC::LocalTensor<half> y(AscendC::TPosition::VECCALC, 512 + static_cast<uint64_t>(v13) % 2 * 256, 128);
    // softmax.py:38: y = e * scale.broadcast_to(tile_rows, tile_cols)
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(v14);
    asc_vf_call<softmax_kernel_vf5>((__ubuf__ half *)scale.GetPhyAddr(), (__ubuf__ half *)e1.GetPhyAddr(), (__ubuf__ half *)y.GetPhyAddr());
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(v14);
    AscendC::GlobalTensor<half> y_gm1 = y_gm[i_64 * cols_64];
    // softmax.py:39: asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i, 0])
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(v14);
    if (v12) {
      AscendC::PipeBarrier<PIPE_MTE3>();
      AscendC::DataCopyPad(y_gm1, y, AscendC::DataCopyExtParams{1, static_cast<uint32_t>(v16 * 256), 0, 0, 0});
    } else {
      AscendC::PipeBarrier<PIPE_MTE3>();
      AscendC::DataCopyPad(y_gm1, y, AscendC::DataCopyExtParams{static_cast<uint16_t>(v16), static_cast<uint32_t>(v10 * 2), static_cast<int64_t>((Max64(128 - (((v10 + 15) / 16) * 16), 0) * 2) / 32), static_cast<int64_t>((cols_64 - v10) * 2), 0});
    }
    AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(v14);
  }
  // softmax.py:24: for i in asc2.range(golden.first_tile(tiles, lead, block), golden.first_tile(tiles, lead, block + 1)):
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(1);
  AscendC::PipeBarrier<PIPE_ALL>();
}
