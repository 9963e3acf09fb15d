// Kernel gelu_kernel for C220, written by Tilesmith from gelu.py:31.
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

extern "C" __global__ __aicore__ void gelu_kernel(__gm__ half *x_ptr, __gm__ half *y_ptr, int32_t size) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> x_gm;
  x_gm.SetGlobalBuffer(x_ptr);
  AscendC::GlobalTensor<half> y_gm;
  y_gm.SetGlobalBuffer(y_ptr);
  // load: 2 slots of 8192 bytes from 0, [4096] float16
  // tile: 2 slots of 8192 bytes from 16384, [4096] float16
  AscendC::LocalTensor<float> x(AscendC::TPosition::VECCALC, 32768, 4096);  // [4096] float32
  AscendC::LocalTensor<float> tile(AscendC::TPosition::VECCALC, 49152, 4096);  // [4096] float32
  const int64_t size_64 = static_cast<int64_t>(size);
  // gelu.py:34: for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
  const int64_t v = AscendC::GetBlockIdx();
  const int32_t v1 = static_cast<int32_t>(v);
  const int32_t v2 = WrapAdd32(size, 4095) / 4096;
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
    AscendC::LocalTensor<half> load(AscendC::TPosition::VECCALC, static_cast<uint64_t>(v5) % 2 * 8192, 4096);
    const int64_t v8 = static_cast<int64_t>(WrapMul32(i, 4096));
    const int64_t v9 = Min64(Max64(size_64 - v8, 0), 4096);
    // gelu.py:36: x = asc2.load(x_gm, [tile], tile_id=[i]).to(asc.float32)
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(v7);
    if (v9 < 4096) {
      AscendC::Duplicate(load, half(0x0p0f), 4096);
      AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(0);
      AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(0);
      AscendC::DataCopyPad(load, x_gm[v8], AscendC::DataCopyExtParams{1, static_cast<uint32_t>(v9 * 2), 0, 0, 0}, AscendC::DataCopyPadExtParams<half>{true, 0, Field<uint8_t>((((v9 + 15) / 16) * 16) - v9), half(0x0p0f)});
    } else {
      AscendC::DataCopyPad(load, x_gm[v8], AscendC::DataCopyExtParams{1, 8192, 0, 0, 0}, AscendC::DataCopyPadExtParams<half>{false, 0, 0, half(0x0p0f)});
    }
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(v6);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(v6);
    AscendC::Cast<float, half>(x, load, AscendC::RoundMode::CAST_NONE, 4096);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(v7);
    // gelu.py:26: u = SQRT_2_OVER_PI * (x + CUBIC * x * x * x)
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Muls(tile, x, 0x1.6e4e26p-5f, 4096);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Mul(tile, tile, x, 4096);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Mul(tile, tile, x, 4096);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Add(tile, x, tile, 4096);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Muls(tile, tile, 0x1.988454p-1f, 4096);
    // gelu.py:27: return x / (1.0 + asc2.exp(-2.0 * u))
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Muls(tile, tile, (-0x1p1f), 4096);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Exp(tile, tile, 4096);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Adds(tile, tile, 0x1p0f, 4096);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Div(tile, x, tile, 4096);
    AscendC::LocalTensor<half> tile1(AscendC::TPosition::VECCALC, 16384 + static_cast<uint64_t>(v5) % 2 * 8192, 4096);
    // gelu.py:41: asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i])
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(v6);
    AscendC::Cast<half, float>(tile1, tile, AscendC::RoundMode::CAST_RINT, 4096);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(v6);
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(v6);
    AscendC::DataCopyPad(y_gm[v8], tile1, AscendC::DataCopyExtParams{1, static_cast<uint32_t>(v9 * 2), 0, 0, 0});
    AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(v6);
  }
  // gelu.py:34: for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(1);
  AscendC::PipeBarrier<PIPE_ALL>();
}
