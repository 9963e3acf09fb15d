// Kernel softmax_kernel for C310, written by Tilesmith from softmax.py:19.
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
__aicore__ inline int32_t WrapSub32(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}

namespace Reg = AscendC::Reg;
constexpr Reg::CastTrait cast_zero_no_sat_cast_rint = {Reg::RegLayout::ZERO, Reg::SatMode::NO_SAT, Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::CAST_RINT};
constexpr Reg::CastTrait cast_zero_unknown_unknown = {Reg::RegLayout::ZERO, Reg::SatMode::UNKNOWN, Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::UNKNOWN};

// softmax.py:24: x = asc2.load(x_gm, [tile_rows, tile_cols], tile_id=[i, 0], pad_value=MINUS_INF).to(asc.float32)
__simd_vf__ inline void softmax_kernel_vf0(__ubuf__ half *load, __ubuf__ float *x, __ubuf__ float *top) {
  Reg::RegTensor<half> x1;
  Reg::RegTensor<float> x2;
  Reg::RegTensor<float> max;
  Reg::MaskReg all = Reg::CreateMask<uint32_t>();
  Reg::MaskReg m;
  uint32_t left = 128;
  Reg::Duplicate(max, -__builtin_inff());
  for (uint16_t i = 0; i < 2; ++i) {
    m = Reg::UpdateMask<uint32_t>(left);
    Reg::LoadAlign<half, Reg::LoadDist::DIST_UNPACK_B16>(x1, load + i * 64);
    Reg::Cast<float, half, cast_zero_unknown_unknown>(x2, x1, m);
    // softmax.py:25: top = asc2.reduce_max(x, 1, keep_dims=True)
    Reg::Max<float, Reg::MaskMergeMode::MERGING>(max, max, x2, m);
    Reg::StoreAlign<float, Reg::StoreDist::DIST_NORM_B32>(x + i * 64, x2, m);
  }
  Reg::Reduce<AscendC::ReduceType::MAX>(max, max, all);
  Reg::StoreAlign<float, Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(top, max, all);
}

// softmax.py:26: e = asc2.exp(x - top.broadcast_to(tile_rows, tile_cols))
__simd_vf__ inline void softmax_kernel_vf1(__ubuf__ float *top, __ubuf__ float *x, __ubuf__ float *e, __ubuf__ float *total) {
  Reg::RegTensor<float> v;
  Reg::RegTensor<float> v1;
  Reg::RegTensor<float> v2;
  Reg::RegTensor<float> e1;
  Reg::RegTensor<float> sum;
  Reg::MaskReg all = Reg::CreateMask<uint32_t>();
  Reg::MaskReg m;
  Reg::LoadAlign<float, Reg::LoadDist::DIST_BRC_B32>(v, top);
  uint32_t left = 128;
  Reg::Duplicate(sum, -0x0p+0f);
  for (uint16_t i = 0; i < 2; ++i) {
    m = Reg::UpdateMask<uint32_t>(left);
    Reg::LoadAlign<float, Reg::LoadDist::DIST_NORM>(v1, x + i * 64);
    Reg::Sub(v2, v1, v, m);
    Reg::Exp(e1, v2, m);
    // softmax.py:27: total = asc2.reduce_sum(e, 1, keep_dims=True)
    Reg::Add<float, Reg::MaskMergeMode::MERGING>(sum, sum, e1, m);
    Reg::StoreAlign<float, Reg::StoreDist::DIST_NORM_B32>(e + i * 64, e1, m);
  }
  Reg::Reduce<AscendC::ReduceType::SUM>(sum, sum, all);
  Reg::StoreAlign<float, Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(total, sum, all);
}

// softmax.py:28: y = e / total.broadcast_to(tile_rows, tile_cols)
__simd_vf__ inline void softmax_kernel_vf2(__ubuf__ float *total, __ubuf__ float *e, __ubuf__ half *tile) {
  Reg::RegTensor<float> v;
  Reg::RegTensor<float> y;
  Reg::RegTensor<float> y1;
  Reg::RegTensor<half> v1;
  Reg::MaskReg m;
  Reg::LoadAlign<float, Reg::LoadDist::DIST_BRC_B32>(v, total);
  uint32_t left = 128;
  for (uint16_t i = 0; i < 2; ++i) {
    m = Reg::UpdateMask<uint32_t>(left);
    Reg::LoadAlign<float, Reg::LoadDist::DIST_NORM>(y, e + i * 64);
    Reg::Div(y1, y, v, m);
    // softmax.py:29: asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i, 0])
    Reg::Cast<half, float, cast_zero_no_sat_cast_rint>(v1, y1, m);
    Reg::StoreAlign<half, Reg::StoreDist::DIST_PACK_B32>(tile + i * 64, v1, m);
  }
}

extern "C" __global__ __aicore__ void softmax_kernel(__gm__ half *x_ptr, __gm__ half *y_ptr, int32_t rows, int32_t cols) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> x_gm;
  x_gm.SetGlobalBuffer(x_ptr);
  AscendC::GlobalTensor<half> y_gm;
  y_gm.SetGlobalBuffer(y_ptr);
  // load: 2 slots of 256 bytes from 0, [1, 128] float16
  // tile: 2 slots of 256 bytes from 512, [1, 128] float16
  AscendC::LocalTensor<float> x(AscendC::TPosition::VECCALC, 1024, 128);  // [1, 128] float32
  AscendC::LocalTensor<float> top(AscendC::TPosition::VECCALC, 1536, 8);  // [1, 1] float32
  AscendC::LocalTensor<float> e(AscendC::TPosition::VECCALC, 1568, 128);  // [1, 128] float32
  AscendC::LocalTensor<float> total(AscendC::TPosition::VECCALC, 2080, 8);  // [1, 1] float32
  const int64_t rows_64 = static_cast<int64_t>(rows);
  const int64_t cols_64 = static_cast<int64_t>(cols);
  // softmax.py:22: for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile_rows), asc2.block_num()):
  const int64_t v = AscendC::GetBlockIdx();
  const int32_t v1 = static_cast<int32_t>(v);
  const int64_t v2 = AscendC::GetBlockNum();
  const int32_t v3 = static_cast<int32_t>(v2);
  const int64_t v4 = Min64(Max64(cols_64, 0), 128);
  const bool v5 = v4 < 128;
  const int64_t v6 = (Max64(128 - (((v4 + 15) / 16) * 16), 0) * 2) / 32;
  const int64_t v7 = (cols_64 - v4) * 2;
  const int64_t v8 = v4 * 2;
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(1);
  for (int32_t i = v1; i < rows; i = WrapAdd32(i, v3)) {
    const int64_t v9 = static_cast<int64_t>(DivUnsigned32(WrapSub32(i, v1), v3));
    const int64_t v10 = RemUnsigned64(v9, 2);
    const int64_t v11 = v10 + 1;
    AscendC::LocalTensor<half> load(AscendC::TPosition::VECCALC, static_cast<uint64_t>(v9) % 2 * 256, 128);
    const int64_t i_64 = static_cast<int64_t>(i);
    const int64_t v12 = Min64(Max64(rows_64 - i_64, 0), 1);
    // softmax.py:24: x = asc2.load(x_gm, [tile_rows, tile_cols], tile_id=[i, 0], pad_value=MINUS_INF).to(asc.float32)
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(v11);
    if ((v12 < 1) || v5) {
      AscendC::Duplicate(load, half(-__builtin_inff()), 128);
      AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(0);
      const int64_t v13 = ((v4 + 15) / 16) * 16;
      AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(0);
      AscendC::DataCopyPad(load, x_gm[i_64 * cols_64], AscendC::DataCopyExtParams{static_cast<uint16_t>(v12), static_cast<uint32_t>(v4 * 2), static_cast<int64_t>((cols_64 - v4) * 2), static_cast<int64_t>((Max64(128 - v13, 0) * 2) / 32), 0}, AscendC::DataCopyPadExtParams<half>{true, 0, Field<uint8_t>(v13 - v4), half(-__builtin_inff())});
    } else {
      AscendC::DataCopyPad(load, x_gm[i_64 * cols_64], AscendC::DataCopyExtParams{1, 256, 0, 0, 0}, AscendC::DataCopyPadExtParams<half>{false, 0, 0, half(-__builtin_inff())});
    }
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(v10);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(v10);
    asc_vf_call<softmax_kernel_vf0>((__ubuf__ half *)load.GetPhyAddr(), (__ubuf__ float *)x.GetPhyAddr(), (__ubuf__ float *)top.GetPhyAddr());
    AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(v11);
    // softmax.py:26: e = asc2.exp(x - top.broadcast_to(tile_rows, tile_cols))
    asc_vf_call<softmax_kernel_vf1>((__ubuf__ float *)top.GetPhyAddr(), (__ubuf__ float *)x.GetPhyAddr(), (__ubuf__ float *)e.GetPhyAddr(), (__ubuf__ float *)total.GetPhyAddr());
    AscendC::LocalTensor<half> tile(AscendC::TPosition::VECCALC, 512 + static_cast<uint64_t>(v9) % 2 * 256, 128);
    // softmax.py:28: y = e / total.broadcast_to(tile_rows, tile_cols)
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(v10);
    asc_vf_call<softmax_kernel_vf2>((__ubuf__ float *)total.GetPhyAddr(), (__ubuf__ float *)e.GetPhyAddr(), (__ubuf__ half *)tile.GetPhyAddr());
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(v10);
    // softmax.py:29: asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i, 0])
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(v10);
    AscendC::DataCopyPad(y_gm[i_64 * cols_64], tile, AscendC::DataCopyExtParams{static_cast<uint16_t>(v12), static_cast<uint32_t>(v8), static_cast<int64_t>(v6), static_cast<int64_t>(v7), 0});
    AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(v10);
  }
  // softmax.py:22: for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile_rows), asc2.block_num()):
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(1);
  AscendC::PipeBarrier<PIPE_ALL>();
}
