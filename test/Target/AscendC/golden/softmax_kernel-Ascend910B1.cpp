// Kernel softmax_kernel for C220, written by Tilesmith from softmax.py:19.
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

extern "C" __global__ __aicore__ void softmax_kernel(__gm__ half *x_ptr, __gm__ half *y_ptr, int32_t rows, int32_t cols, int32_t lead) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> x_gm;
  x_gm.SetGlobalBuffer(x_ptr);
  AscendC::GlobalTensor<half> y_gm;
  y_gm.SetGlobalBuffer(y_ptr);
  AscendC::LocalTensor<half> top(AscendC::TPosition::VECCALC, 0, 16);  // [1, 1] float16
  AscendC::LocalTensor<float> total(AscendC::TPosition::VECCALC, 32, 8);  // [1, 1] float32
  // x: 2 slots of 256 bytes from 64, [1, 128] float16
  // e: 2 slots of 256 bytes from 576, [1, 128] float16
  AscendC::LocalTensor<half> tile(AscendC::TPosition::VECCALC, 1088, 128);
  AscendC::LocalTensor<half> below(AscendC::TPosition::VECCALC, 1344, 128);  // [1, 128] float16
  AscendC::LocalTensor<float> tile1(AscendC::TPosition::VECCALC, 1792, 128);  // [1, 128] float32
  AscendC::LocalTensor<float> tile2(AscendC::TPosition::VECCALC, 2304, 8);  // [2] float32
  AscendC::LocalTensor<float> tile3(AscendC::TPosition::VECCALC, 2336, 8);  // [1, 1] float32
  AscendC::LocalTensor<half> scale(AscendC::TPosition::VECCALC, 2368, 16);  // [1, 1] float16
  AscendC::LocalTensor<half> tile4(AscendC::TPosition::VECCALC, 2400, 128);
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
  // softmax.py:27: top = asc2.reduce_max(x, 1, keep_dims=True)
  AscendC::Duplicate(top, half(0x0p0f), 16);
  // softmax.py:33: total = asc2.reduce_sum(parts, 1, keep_dims=True)
  AscendC::Duplicate(total, 0x0p0f, 8);
  const int64_t v10 = Min64(Max64(cols_64, 0), 128);
  const bool v11 = v10 < 128;
  const bool v12 = (v10 == 128) && (cols_64 == 128);
  // softmax.py:24: for i in asc2.range(golden.first_tile(tiles, lead, block), golden.first_tile(tiles, lead, block + 1)):
  AscendC::PipeBarrier<PIPE_V>();
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(1);
  for (int32_t i = v6; i < v9; ++i) {
    const int64_t v13 = static_cast<int64_t>(i - v6);
    const int64_t v14 = RemUnsigned64(v13, 2);
    const int64_t v15 = v14 + 1;
    AscendC::LocalTensor<half> x(AscendC::TPosition::VECCALC, 64 + static_cast<uint64_t>(v13) % 2 * 256, 128);
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
        AscendC::DataCopyPad(x, x_gm1, AscendC::DataCopyExtParams{static_cast<uint16_t>(v16), static_cast<uint32_t>(v10 * 2), Field<uint32_t>(v19), static_cast<uint32_t>(v20), 0}, AscendC::DataCopyPadExtParams<half>{true, 0, Field<uint8_t>(v18), half(-__builtin_inff())});
      }
    } else {
      AscendC::DataCopyPad(x, x_gm[i_64 * cols_64], AscendC::DataCopyExtParams{1, 256, 0, 0, 0}, AscendC::DataCopyPadExtParams<half>{false, 0, 0, half(-__builtin_inff())});
    }
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(v14);
    // softmax.py:27: top = asc2.reduce_max(x, 1, keep_dims=True)
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(v14);
    AscendC::WholeReduceMax(top, x, 128, 1, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
    // softmax.py:29: below = x - top.broadcast_to(tile_rows, tile_cols)
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Brcb(tile, top, 1, AscendC::BrcbRepeatParams{1, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Sub(below, x, tile, 128, 1, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(v15);
    // softmax.py:30: e = asc2.exp(below.to(asc.float32))
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Cast<float, half>(tile1, below, AscendC::RoundMode::CAST_NONE, 128);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Exp(tile1, tile1, 128);
    // softmax.py:32: parts = asc2.reshape(asc2.reduce_sum(asc2.reshape(e, tile_rows * part, tile_cols // part), 1), tile_rows, part)
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::WholeReduceSum(tile2, tile1, 64, 2, 1, 1, 8);
    // softmax.py:33: total = asc2.reduce_sum(parts, 1, keep_dims=True)
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::WholeReduceSum(total, tile2, 2, 1, 1, 1, 1);
    AscendC::LocalTensor<half> e(AscendC::TPosition::VECCALC, 576 + static_cast<uint64_t>(v13) % 2 * 256, 128);
    // softmax.py:35: e, scale = e.to(asc.float16), asc2.reciprocal(total).to(asc.float16)
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(v14);
    AscendC::Cast<half, float>(e, tile1, AscendC::RoundMode::CAST_RINT, 128);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Reciprocal(tile3, total, 8);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Cast<half, float>(scale, tile3, AscendC::RoundMode::CAST_RINT, 8);
    // softmax.py:38: y = e * scale.broadcast_to(tile_rows, tile_cols)
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Brcb(tile4, scale, 1, AscendC::BrcbRepeatParams{1, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Mul(e, e, tile4, 128, 1, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(v14);
    AscendC::GlobalTensor<half> y_gm1 = y_gm[i_64 * cols_64];
    // softmax.py:39: asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i, 0])
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(v14);
    if (v12) {
      AscendC::PipeBarrier<PIPE_MTE3>();
      AscendC::DataCopyPad(y_gm1, e, AscendC::DataCopyExtParams{1, static_cast<uint32_t>(v16 * 256), 0, 0, 0});
    } else {
      AscendC::PipeBarrier<PIPE_MTE3>();
      AscendC::DataCopyPad(y_gm1, e, AscendC::DataCopyExtParams{static_cast<uint16_t>(v16), static_cast<uint32_t>(v10 * 2), static_cast<uint32_t>((Max64(128 - (((v10 + 15) / 16) * 16), 0) * 2) / 32), Field<uint32_t>((cols_64 - v10) * 2), 0});
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
