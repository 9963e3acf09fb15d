// Kernel softmax_kernel for C220, written by Tilesmith from softmax.py:19.
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
  AscendC::LocalTensor<float> tile(AscendC::TPosition::VECCALC, 1568, 64);
  AscendC::LocalTensor<float> tile1(AscendC::TPosition::VECCALC, 1824, 8);
  AscendC::LocalTensor<float> tile2(AscendC::TPosition::VECCALC, 1856, 64);
  AscendC::LocalTensor<float> tile3(AscendC::TPosition::VECCALC, 2112, 128);  // [1, 128] float32
  AscendC::LocalTensor<float> total(AscendC::TPosition::VECCALC, 2624, 8);  // [1, 1] float32
  AscendC::LocalTensor<float> tile4(AscendC::TPosition::VECCALC, 2656, 64);
  AscendC::LocalTensor<float> tile5(AscendC::TPosition::VECCALC, 2912, 8);
  AscendC::LocalTensor<float> tile6(AscendC::TPosition::VECCALC, 2944, 64);
  AscendC::LocalTensor<float> y(AscendC::TPosition::VECCALC, 3200, 128);  // [1, 128] float32
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
      AscendC::DataCopyPad(load, x_gm[i_64 * cols_64], AscendC::DataCopyExtParams{static_cast<uint16_t>(v12), static_cast<uint32_t>(v4 * 2), Field<uint32_t>((cols_64 - v4) * 2), static_cast<uint32_t>((Max64(128 - v13, 0) * 2) / 32), 0}, AscendC::DataCopyPadExtParams<half>{true, 0, Field<uint8_t>(v13 - v4), half(-__builtin_inff())});
    } else {
      AscendC::DataCopyPad(load, x_gm[i_64 * cols_64], AscendC::DataCopyExtParams{1, 256, 0, 0, 0}, AscendC::DataCopyPadExtParams<half>{false, 0, 0, half(-__builtin_inff())});
    }
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(v10);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(v10);
    AscendC::Cast<float, half>(x, load, AscendC::RoundMode::CAST_NONE, 128);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(v11);
    // softmax.py:25: top = asc2.reduce_max(x, 1, keep_dims=True)
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Copy(tile, x, 64, 1, AscendC::CopyRepeatParams{1, 1, 8, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Max(tile, tile, x[64], 64, 1, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::WholeReduceMax(top, tile, 64, 1, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
    // softmax.py:26: e = asc2.exp(x - top.broadcast_to(tile_rows, tile_cols))
    AscendC::Duplicate(tile1, 0x0p0f, 8);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Copy(tile1, top, 1, 1, AscendC::CopyRepeatParams{1, 1, 8, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Brcb(tile2, tile1, 1, AscendC::BrcbRepeatParams{1, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Sub(tile3, x, tile2, 64, 2, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Exp(tile3, tile3, 128);
    // softmax.py:27: total = asc2.reduce_sum(e, 1, keep_dims=True)
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Copy(tile4, tile3, 64, 1, AscendC::CopyRepeatParams{1, 1, 8, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Add(tile4, tile4, tile3[64], 64, 1, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::WholeReduceSum(total, tile4, 64, 1, 1, 1, 8);
    // softmax.py:28: y = e / total.broadcast_to(tile_rows, tile_cols)
    AscendC::Duplicate(tile5, 0x0p0f, 8);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Copy(tile5, total, 1, 1, AscendC::CopyRepeatParams{1, 1, 8, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Brcb(tile6, tile5, 1, AscendC::BrcbRepeatParams{1, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Div(y, tile3, tile6, 64, 2, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::LocalTensor<half> tile7(AscendC::TPosition::VECCALC, 512 + static_cast<uint64_t>(v9) % 2 * 256, 128);
    // softmax.py:29: asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i, 0])
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(v10);
    AscendC::Cast<half, float>(tile7, y, AscendC::RoundMode::CAST_RINT, 128);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(v10);
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(v10);
    AscendC::DataCopyPad(y_gm[i_64 * cols_64], tile7, AscendC::DataCopyExtParams{static_cast<uint16_t>(v12), static_cast<uint32_t>(v8), static_cast<uint32_t>(v6), Field<uint32_t>(v7), 0});
    AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(v10);
  }
  // softmax.py:22: for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile_rows), asc2.block_num()):
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(1);
  AscendC::PipeBarrier<PIPE_ALL>();
}
