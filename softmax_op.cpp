// Kernel softmax_op for C220, written by Tilesmith from op.py:4.
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
__aicore__ inline int32_t Max32(int32_t a, int32_t b) {
  return a > b ? a : b;
}
__aicore__ inline int64_t Max64(int64_t a, int64_t b) {
  return a > b ? a : b;
}
__aicore__ inline int32_t Min32(int32_t a, int32_t b) {
  return a < b ? a : b;
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

extern "C" __global__ __aicore__ void softmax_op(__gm__ float *x, __gm__ float *y, int32_t v, int32_t v1) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  AscendC::InitSocState();
  AscendC::GlobalTensor<float> x_gm;
  x_gm.SetGlobalBuffer(x);
  AscendC::GlobalTensor<float> y_gm;
  y_gm.SetGlobalBuffer(y);
  // load: 2 slots of 32768 bytes from 0, [8, 1024] float32
  // tile: 2 slots of 32768 bytes from 65536, [8, 1024] float32
  AscendC::LocalTensor<float> tile(AscendC::TPosition::VECCALC, 131072, 8);  // [8, 1] float32
  AscendC::LocalTensor<float> tile1(AscendC::TPosition::VECCALC, 131328, 512);
  AscendC::LocalTensor<float> tile2(AscendC::TPosition::VECCALC, 133376, 64);
  AscendC::LocalTensor<float> tile3(AscendC::TPosition::VECCALC, 133632, 8);  // [8, 1] float32
  AscendC::LocalTensor<float> tile4(AscendC::TPosition::VECCALC, 133888, 512);
  AscendC::LocalTensor<float> tile5(AscendC::TPosition::VECCALC, 135936, 64);
  const int64_t v_64 = static_cast<int64_t>(v);
  const int64_t v1_64 = static_cast<int64_t>(v1);
  const int32_t v2 = WrapAdd32(v, 7) / 8;
  // op.py:7: y[:] = e / pypto.sum(e, -1, keepdim=True)
  const int64_t v3 = AscendC::GetBlockIdx();
  const int32_t v4 = static_cast<int32_t>(v3);
  const int64_t v5 = AscendC::GetBlockNum();
  const int32_t v6 = static_cast<int32_t>(v5);
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(1);
  for (int32_t i = v4; i < v2; i = WrapAdd32(i, v6)) {
    const int64_t v7 = static_cast<int64_t>(DivUnsigned32(WrapSub32(i, v4), v6));
    const int64_t v8 = RemUnsigned64(v7, 2);
    const int64_t v9 = v8 + 1;
    const int32_t v10 = WrapMul32(i, 8);
    AscendC::LocalTensor<float> load(AscendC::TPosition::VECCALC, static_cast<uint64_t>(v7) % 2 * 32768, 8192);
    const int64_t v10_64 = static_cast<int64_t>(v10);
    const int64_t v11 = v10_64 * 1024;
    const int64_t v12 = Min64(Max64(v_64 - v10_64, 0), 8) * 1024;
    // op.py:6: e = pypto.exp(x - pypto.amax(x, -1, keepdim=True))
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(v9);
    if (v12 < 8192) {
      AscendC::Duplicate(load, 0x0p0f, 8192);
      AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(0);
      AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(0);
      AscendC::DataCopyPad(load, x_gm[v11], AscendC::DataCopyExtParams{1, static_cast<uint32_t>(v12 * 4), 0, 0, 0}, AscendC::DataCopyPadExtParams<float>{true, 0, Field<uint8_t>((((v12 + 7) / 8) * 8) - v12), 0x0p0f});
    } else {
      AscendC::DataCopyPad(load, x_gm[v11], AscendC::DataCopyExtParams{1, 32768, 0, 0, 0}, AscendC::DataCopyPadExtParams<float>{false, 0, 0, 0x0p0f});
    }
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(v8);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(v8);
    AscendC::Copy(tile1, load, 64, 8, AscendC::CopyRepeatParams{1, 1, 8, 128});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Max(tile1, tile1, load[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile1_1 = tile1[64];
    AscendC::LocalTensor<float> load1 = load[1024];
    AscendC::Max(tile1_1, tile1_1, load1[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile1_2 = tile1[128];
    AscendC::LocalTensor<float> load2 = load[2048];
    AscendC::Max(tile1_2, tile1_2, load2[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile1_3 = tile1[192];
    AscendC::LocalTensor<float> load3 = load[3072];
    AscendC::Max(tile1_3, tile1_3, load3[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile1_4 = tile1[256];
    AscendC::LocalTensor<float> load4 = load[4096];
    AscendC::Max(tile1_4, tile1_4, load4[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile1_5 = tile1[320];
    AscendC::LocalTensor<float> load5 = load[5120];
    AscendC::Max(tile1_5, tile1_5, load5[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile1_6 = tile1[384];
    AscendC::LocalTensor<float> load6 = load[6144];
    AscendC::Max(tile1_6, tile1_6, load6[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile1_7 = tile1[448];
    AscendC::LocalTensor<float> load7 = load[7168];
    AscendC::Max(tile1_7, tile1_7, load7[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::WholeReduceMax(tile, tile1, 64, 8, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Brcb(tile2, tile, 1, AscendC::BrcbRepeatParams{1, 8});
    AscendC::LocalTensor<float> tile6(AscendC::TPosition::VECCALC, 65536 + static_cast<uint64_t>(v7) % 2 * 32768, 8192);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(v8);
    AscendC::Sub(tile6, load, tile2, 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::LocalTensor<float> tile6_1 = tile6[1024];
    AscendC::Sub(tile6_1, load1, tile2[8], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::LocalTensor<float> tile6_2 = tile6[2048];
    AscendC::Sub(tile6_2, load2, tile2[16], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::LocalTensor<float> tile6_3 = tile6[3072];
    AscendC::Sub(tile6_3, load3, tile2[24], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::LocalTensor<float> tile6_4 = tile6[4096];
    AscendC::Sub(tile6_4, load4, tile2[32], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::LocalTensor<float> tile6_5 = tile6[5120];
    AscendC::Sub(tile6_5, load5, tile2[40], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::LocalTensor<float> tile6_6 = tile6[6144];
    AscendC::Sub(tile6_6, load6, tile2[48], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::LocalTensor<float> tile6_7 = tile6[7168];
    AscendC::Sub(tile6_7, load7, tile2[56], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(v9);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Exp(tile6, tile6, 8192);
    // op.py:7: y[:] = e / pypto.sum(e, -1, keepdim=True)
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Copy(tile4, tile6, 64, 8, AscendC::CopyRepeatParams{1, 1, 8, 128});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Add(tile4, tile4, tile6[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile4_1 = tile4[64];
    AscendC::Add(tile4_1, tile4_1, tile6_1[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile4_2 = tile4[128];
    AscendC::Add(tile4_2, tile4_2, tile6_2[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile4_3 = tile4[192];
    AscendC::Add(tile4_3, tile4_3, tile6_3[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile4_4 = tile4[256];
    AscendC::Add(tile4_4, tile4_4, tile6_4[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile4_5 = tile4[320];
    AscendC::Add(tile4_5, tile4_5, tile6_5[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile4_6 = tile4[384];
    AscendC::Add(tile4_6, tile4_6, tile6_6[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::LocalTensor<float> tile4_7 = tile4[448];
    AscendC::Add(tile4_7, tile4_7, tile6_7[64], 64, 15, AscendC::BinaryRepeatParams{1, 1, 1, 0, 0, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::WholeReduceSum(tile3, tile4, 64, 8, 1, 1, 8);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Brcb(tile5, tile3, 1, AscendC::BrcbRepeatParams{1, 8});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Div(tile6, tile6, tile5, 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::Div(tile6_1, tile6_1, tile5[8], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::Div(tile6_2, tile6_2, tile5[16], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::Div(tile6_3, tile6_3, tile5[24], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::Div(tile6_4, tile6_4, tile5[32], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::Div(tile6_5, tile6_5, tile5[40], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::Div(tile6_6, tile6_6, tile5[48], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::Div(tile6_7, tile6_7, tile5[56], 64, 16, AscendC::BinaryRepeatParams{1, 1, 0, 8, 8, 0});
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(v8);
    const int64_t v13 = static_cast<int64_t>(WrapAdd32(v10, Min32(Max32(WrapSub32(v, v10), 0), 8)));
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(v8);
    AscendC::DataCopyPad(y_gm[v11], tile6, AscendC::DataCopyExtParams{1, static_cast<uint32_t>((Min64(Max64(Min64(v1_64, v13) - v10_64, 0), 8) * 1024) * 4), 0, 0, 0});
    AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(v8);
  }
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(1);
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(2);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(0);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(1);
  AscendC::PipeBarrier<PIPE_ALL>();
}
