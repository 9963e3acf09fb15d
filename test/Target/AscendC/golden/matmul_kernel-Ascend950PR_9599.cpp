// Kernel matmul_kernel for C310, written by Tilesmith from matmul.py:19.
#include "kernel_operator.h"

// Scalar arithmetic as the kernel's source means it: integers wrap, what has no value is 0.
__aicore__ inline int32_t Div32(int32_t a, int32_t b) {
  return b == 0 || (b == -1 && a == (-2147483647 - 1)) ? 0 : a / b;
}
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
__aicore__ inline int32_t Rem32(int32_t a, int32_t b) {
  return b == 0 || (b == -1 && a == (-2147483647 - 1)) ? 0 : a % b;
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

extern "C" __global__ __aicore__ void matmul_kernel(__gm__ half *a_ptr, __gm__ half *b_ptr, __gm__ float *c_ptr, int32_t m, int32_t n, int32_t k, int32_t high, int32_t large, int32_t group) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> a_gm;
  a_gm.SetGlobalBuffer(a_ptr);
  AscendC::GlobalTensor<half> b_gm;
  b_gm.SetGlobalBuffer(b_ptr);
  AscendC::GlobalTensor<float> c_gm;
  c_gm.SetGlobalBuffer(c_ptr);
  // a: 2 slots of 81920 bytes from 0, [32, 1280] float16
  // b: 2 slots of 40960 bytes from 163840, [1280, 16] float16
  // tile: 2 slots of 1024 bytes from 245760
  // tile: 2 slots of 1024 bytes from 0
  AscendC::LocalTensor<half> tile(AscendC::TPosition::A2, 2048, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile1(AscendC::TPosition::A2, 2048, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile2(AscendC::TPosition::A2, 7168, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile3(AscendC::TPosition::A2, 7168, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile4(AscendC::TPosition::A2, 12288, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile5(AscendC::TPosition::A2, 12288, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile6(AscendC::TPosition::A2, 17408, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile7(AscendC::TPosition::A2, 17408, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile8(AscendC::TPosition::A2, 22528, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile9(AscendC::TPosition::A2, 27648, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile10(AscendC::TPosition::A2, 32768, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile11(AscendC::TPosition::A2, 37888, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile12(AscendC::TPosition::A2, 43008, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile13(AscendC::TPosition::A2, 48128, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile14(AscendC::TPosition::A2, 53248, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile15(AscendC::TPosition::A2, 58368, 2560);  // [32, 80] float16
  // tile: 2 slots of 512 bytes from 0
  AscendC::LocalTensor<half> tile16(AscendC::TPosition::B2, 1024, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile17(AscendC::TPosition::B2, 3584, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile18(AscendC::TPosition::B2, 6144, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile19(AscendC::TPosition::B2, 8704, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile20(AscendC::TPosition::B2, 11264, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile21(AscendC::TPosition::B2, 13824, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile22(AscendC::TPosition::B2, 16384, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile23(AscendC::TPosition::B2, 18944, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile24(AscendC::TPosition::B2, 21504, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile25(AscendC::TPosition::B2, 24064, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile26(AscendC::TPosition::B2, 26624, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile27(AscendC::TPosition::B2, 29184, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile28(AscendC::TPosition::B2, 31744, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile29(AscendC::TPosition::B2, 34304, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile30(AscendC::TPosition::B2, 36864, 1280);  // [80, 16] float16
  AscendC::LocalTensor<half> tile31(AscendC::TPosition::B2, 39424, 1280);  // [80, 16] float16
  // acc: 2 slots of 2048 bytes from 0, [32, 16] float32
  const int64_t m_64 = static_cast<int64_t>(m);
  const int64_t k_64 = static_cast<int64_t>(k);
  const int64_t n_64 = static_cast<int64_t>(n);
  // matmul.py:25: columns = asc.ceildiv(n, tile_n)
  const int32_t columns = WrapAdd32(n, 15) / 16;
  // matmul.py:26: if large == 0:  # nothing but whole tiles
  int32_t chosen;
  int32_t chosen1;
  if (large == 0) {
    // matmul.py:27: high = asc.ceildiv(m, tile_m)
    const int32_t high1 = WrapAdd32(m, 31) / 32;
    // matmul.py:28: large = high * columns
    const int32_t large1 = WrapMul32(high1, columns);
    const int32_t next_chosen = high1;
    const int32_t next_chosen1 = large1;
    chosen = next_chosen;
    chosen1 = next_chosen1;
  } else {
    const int32_t next_chosen2 = high;
    const int32_t next_chosen1_1 = large;
    chosen = next_chosen2;
    chosen1 = next_chosen1_1;
  }
  const int32_t v = WrapAdd32(k, 79) / 80;
  // matmul.py:31: steps = max(asc.ceildiv(k, tile_k), 1)
  const int32_t steps = (v < 1) ? 1 : v;
  // matmul.py:32: for i in asc2.range(asc2.block_idx(), large, asc2.block_num()):
  const int64_t v1 = AscendC::GetBlockIdx();
  const int32_t v2 = static_cast<int32_t>(v1);
  const int64_t v3 = AscendC::GetBlockNum();
  const int32_t v4 = static_cast<int32_t>(v3);
  const int32_t v5 = WrapMul32(group, columns);
  // matmul.py:58: a = asc2.load(a_gm, [tile_m, tile_k], offsets=[top, first + j * tile_k])
  const int32_t a = steps - 0;
  const int32_t a1 = Max32(a, 0);
  const int32_t a2 = WrapMul32(a1, 80);
  const int32_t a3 = 0 + a2;
  const int64_t v6 = Min64(k_64, static_cast<int64_t>(a3));
  // matmul.py:32: for i in asc2.range(asc2.block_idx(), large, asc2.block_num()):
  for (int32_t i = v2; i < chosen1; i = WrapAdd32(i, v4)) {
    const int64_t v7 = static_cast<int64_t>(DivUnsigned32(WrapSub32(i, v2), v4));
    const int64_t v8 = RemUnsigned64(v7, 2);
    // matmul.py:93: first = i // (group * columns) * group
    const int32_t first = WrapMul32(Div32(i, v5), group);
    const int32_t v9 = WrapSub32(chosen, first);
    // matmul.py:94: height = min(rows - first, group)
    const int32_t height = (group < v9) ? group : v9;
    const int32_t v10 = Rem32(i, v5);
    // matmul.py:95: return first + i % (group * columns) % height, i % (group * columns) // height
    const int32_t row = WrapAdd32(first, Rem32(v10, height));
    const int32_t column = Div32(v10, height);
    const int32_t v11 = WrapMul32(row, 32);
    const int32_t v12 = WrapMul32(column, 16);
    AscendC::LocalTensor<float> acc(AscendC::TPosition::CO1, static_cast<uint64_t>(v7) % 2 * 2048, 512);
    const int64_t v11_64 = static_cast<int64_t>(v11);
    const int64_t v13 = Min64(Max64(0 - v11_64, 0), 32);
    const int64_t v14 = Max64(Min64(Max64(m_64 - v11_64, 0), 32) - v13, 0);
    const int64_t v15 = (v11_64 + v13) * k_64;
    const bool v16 = v14 < 32;
    const int64_t v12_64 = static_cast<int64_t>(v12);
    const int64_t v17 = Min64(Max64(0 - v12_64, 0), 16);
    const int64_t v18 = Max64(Min64(Max64(n_64 - v12_64, 0), 16) - v17, 0);
    const int64_t v19 = v12_64 + v17;
    const bool v20 = v18 < 16;
    // matmul.py:57: for j in asc2.range(steps):
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(0);
    AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(1);
    AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(2);
    AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(3);
    int64_t carried = 1;
    for (int32_t j = 0; j < steps; j = WrapAdd32(j, 16)) {
      const int64_t v21 = static_cast<int64_t>(DivUnsigned32(j, 16));
      const int64_t v22 = RemUnsigned64(v21, 2);
      const int32_t v23 = WrapMul32(Min32(WrapSub32(steps, j), 16), 80);
      const int64_t v24 = static_cast<int64_t>(WrapMul32(j, 80));
      const int64_t v25 = Min64(Max64(v6 - v24, 0), 1280);
      const int64_t v26 = v15 + v24;
      AscendC::LocalTensor<half> a4(AscendC::TPosition::A1, static_cast<uint64_t>(v21) % 2 * 81920, 40960);
      const bool v27 = v25 < 1280;
      // matmul.py:58: a = asc2.load(a_gm, [tile_m, tile_k], offsets=[top, first + j * tile_k])
      if (v16 || v27) {
        AscendC::InitConstValue(a4, AscendC::InitConstValueParams<half>{1, 2560, 0, half(0x0p0f)});
        AscendC::PipeBarrier<PIPE_MTE2>();
        AscendC::DataCopy(a4[v13 * 16], a_gm[v26], AscendC::Nd2NzParams{1, static_cast<uint16_t>(v14), static_cast<uint32_t>(v25), 0, static_cast<uint64_t>(k_64), 32, 1, 0});
      } else {
        AscendC::DataCopy(a4, a_gm[v26], AscendC::Nd2NzParams{1, 32, 1280, 0, static_cast<uint64_t>(k_64), 32, 1, 0});
      }
      const int64_t v28 = (v24 * n_64) + v19;
      AscendC::LocalTensor<half> b(AscendC::TPosition::A1, 163840 + static_cast<uint64_t>(v21) % 2 * 40960, 20480);
      // matmul.py:59: b = asc2.load(b_gm, [tile_k, tile_n], offsets=[first + j * tile_k, left])
      if (v27 || v20) {
        AscendC::InitConstValue(b, AscendC::InitConstValueParams<half>{1, 1280, 0, half(0x0p0f)});
        const int64_t v29 = v17 % 16;
        AscendC::PipeBarrier<PIPE_MTE2>();
        AscendC::DataCopy(b[0 + (v29 % 16)], b_gm[v28], AscendC::Nd2NzParams{1, static_cast<uint16_t>(v25), static_cast<uint32_t>(v18), 0, static_cast<uint64_t>(n_64), 1280, 1, 0});
      } else {
        AscendC::DataCopy(b, b_gm[v28], AscendC::Nd2NzParams{1, 1280, 16, 0, static_cast<uint64_t>(n_64), 1280, 1, 0});
      }
      // matmul.py:58: a = asc2.load(a_gm, [tile_m, tile_k], offsets=[top, first + j * tile_k])
      AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE1>(v22);
      // matmul.py:60: asc2.matmul_acc(a, b, acc)
      AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE1>(v22);
      AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(0);
      AscendC::LoadData(tile, a4, AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile16, b, AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile, tile16, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 0) ? 80 : 0)), 0, false, static_cast<bool>(carried)});
      AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(1);
      AscendC::LoadData(tile2, a4[2560], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile17, b[1280], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile2, tile17, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 80) ? 80 : 0)), 0, false, false});
      AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(3);
      AscendC::LoadData(tile4, a4[5120], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile18, b[2560], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile4, tile18, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 160) ? 80 : 0)), 0, false, false});
      AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(2);
      AscendC::LoadData(tile6, a4[7680], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile19, b[3840], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile6, tile19, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 240) ? 80 : 0)), 0, false, false});
      AscendC::LoadData(tile8, a4[10240], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile20, b[5120], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(4);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(4);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile8, tile20, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 320) ? 80 : 0)), 0, false, false});
      AscendC::LoadData(tile9, a4[12800], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile21, b[6400], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile9, tile21, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 400) ? 80 : 0)), 0, false, false});
      AscendC::LoadData(tile10, a4[15360], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile22, b[7680], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile10, tile22, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 480) ? 80 : 0)), 0, false, false});
      AscendC::LoadData(tile11, a4[17920], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile23, b[8960], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile11, tile23, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 560) ? 80 : 0)), 0, false, false});
      AscendC::LoadData(tile12, a4[20480], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile24, b[10240], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile12, tile24, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 640) ? 80 : 0)), 0, false, false});
      AscendC::LoadData(tile13, a4[23040], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile25, b[11520], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile13, tile25, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 720) ? 80 : 0)), 0, false, false});
      AscendC::LoadData(tile14, a4[25600], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile26, b[12800], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(4);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(4);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile14, tile26, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 800) ? 80 : 0)), 0, false, false});
      AscendC::LoadData(tile15, a4[28160], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile27, b[14080], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile15, tile27, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 880) ? 80 : 0)), 0, false, false});
      AscendC::LoadData(tile1, a4[30720], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile28, b[15360], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile1, tile28, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 960) ? 80 : 0)), 0, false, false});
      AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(0);
      AscendC::LoadData(tile3, a4[33280], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile29, b[16640], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile3, tile29, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 1040) ? 80 : 0)), 0, false, false});
      AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(1);
      AscendC::LoadData(tile5, a4[35840], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile30, b[17920], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile5, tile30, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 1120) ? 80 : 0)), 0, false, false});
      AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(3);
      AscendC::LoadData(tile7, a4[38400], AscendC::LoadData2DParamsV2{0, 0, 2, 5, 2, 2, false, 0});
      AscendC::LoadData(tile31, b[19200], AscendC::LoadData2DParamsV2{0, 0, 5, 1, 80, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile7, tile31, AscendC::MmadParams{32, 16, static_cast<uint16_t>(static_cast<int64_t>((v23 > 1200) ? 80 : 0)), 0, false, false});
      AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(2);
      carried = 0;
    }
    // matmul.py:57: for j in asc2.range(steps):
    AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(0);
    AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(1);
    AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(2);
    AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(3);
    // matmul.py:61: asc2.store(acc, c_gm, offsets=[c_top + top, left])
    AscendC::PipeBarrier<PIPE_M>();
    if (carried == 1) {
      AscendC::LocalTensor<half> tile32(AscendC::TPosition::A2, static_cast<uint64_t>(v7) % 2 * 1024, 512);
      AscendC::LocalTensor<half> tile33(AscendC::TPosition::B2, static_cast<uint64_t>(v7) % 2 * 512, 256);
      AscendC::LocalTensor<half> tile34(AscendC::TPosition::A1, 245760 + static_cast<uint64_t>(v7) % 2 * 1024, 512);
      AscendC::InitConstValue(tile34, AscendC::InitConstValueParams<half>{1, 32, 0, half(0x0p0f)});
      AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE1>(v8);
      AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE1>(v8);
      AscendC::LoadData(tile32, tile34, AscendC::LoadData2DParamsV2{0, 0, 2, 1, 2, 2, false, 0});
      AscendC::LoadData(tile33, tile34, AscendC::LoadData2DParamsV2{0, 0, 1, 1, 1, 1, false, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::Mmad(acc, tile32, tile33, AscendC::MmadParams{32, 16, 16, 0, false, true});
    }
    AscendC::SetFlag<AscendC::HardEvent::M_FIX>(v8);
    const int64_t v11_64_1 = static_cast<int64_t>(v11);
    const int64_t v30 = Min64(Max64(0 - v11_64_1, 0), 32);
    const int64_t v12_64_1 = static_cast<int64_t>(v12);
    const int64_t v31 = Min64(Max64(0 - v12_64_1, 0), 16);
    const int64_t v32 = v31 % 16;
    AscendC::WaitFlag<AscendC::HardEvent::M_FIX>(v8);
    AscendC::PipeBarrier<PIPE_FIX>();
    AscendC::Fixpipe<float, float, AscendC::CFG_ROW_MAJOR>(c_gm[((v11_64_1 + v30) * n_64) + (v12_64_1 + v31)], acc[(v30 * 16) + (0 + (v32 % 16))], AscendC::FixpipeParamsV220{static_cast<uint16_t>(Max64(Min64(Max64(n_64 - v12_64_1, 0), 16) - v31, 0)), static_cast<uint16_t>(Max64(Min64(Max64(m_64 - v11_64_1, 0), 32) - v30, 0)), 32, Field<uint32_t>(n_64), false, QuantMode_t::NoQuant, 0, 1, 0, 0, 0, false});
  }
  AscendC::PipeBarrier<PIPE_ALL>();
}
