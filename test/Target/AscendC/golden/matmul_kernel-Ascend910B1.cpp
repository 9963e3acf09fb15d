// Kernel matmul_kernel for C220, written by Tilesmith from matmul.py:19.
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
  AscendC::LocalTensor<half> a(AscendC::TPosition::A1, 0, 40960);  // [32, 1280] float16
  AscendC::LocalTensor<half> a1(AscendC::TPosition::A1, 81920, 40960);  // [32, 1280] float16
  AscendC::LocalTensor<half> b(AscendC::TPosition::A1, 163840, 40960);  // [1280, 32] float16
  AscendC::LocalTensor<half> b1(AscendC::TPosition::A1, 245760, 40960);  // [1280, 32] float16
  AscendC::LocalTensor<half> tile(AscendC::TPosition::A2, 0, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile1(AscendC::TPosition::A2, 0, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile2(AscendC::TPosition::A2, 0, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile3(AscendC::TPosition::A2, 0, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile4(AscendC::TPosition::A2, 5120, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile5(AscendC::TPosition::A2, 5120, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile6(AscendC::TPosition::A2, 5120, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile7(AscendC::TPosition::A2, 5120, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile8(AscendC::TPosition::A2, 10240, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile9(AscendC::TPosition::A2, 10240, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile10(AscendC::TPosition::A2, 10240, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile11(AscendC::TPosition::A2, 10240, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile12(AscendC::TPosition::A2, 15360, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile13(AscendC::TPosition::A2, 15360, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile14(AscendC::TPosition::A2, 15360, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile15(AscendC::TPosition::A2, 15360, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile16(AscendC::TPosition::A2, 20480, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile17(AscendC::TPosition::A2, 20480, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile18(AscendC::TPosition::A2, 20480, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile19(AscendC::TPosition::A2, 20480, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile20(AscendC::TPosition::A2, 25600, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile21(AscendC::TPosition::A2, 25600, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile22(AscendC::TPosition::A2, 25600, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile23(AscendC::TPosition::A2, 25600, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile24(AscendC::TPosition::A2, 30720, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile25(AscendC::TPosition::A2, 30720, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile26(AscendC::TPosition::A2, 30720, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile27(AscendC::TPosition::A2, 30720, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile28(AscendC::TPosition::A2, 35840, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile29(AscendC::TPosition::A2, 35840, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile30(AscendC::TPosition::A2, 35840, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile31(AscendC::TPosition::A2, 35840, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile32(AscendC::TPosition::A2, 40960, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile33(AscendC::TPosition::A2, 40960, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile34(AscendC::TPosition::A2, 40960, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile35(AscendC::TPosition::A2, 40960, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile36(AscendC::TPosition::A2, 46080, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile37(AscendC::TPosition::A2, 46080, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile38(AscendC::TPosition::A2, 46080, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile39(AscendC::TPosition::A2, 46080, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile40(AscendC::TPosition::A2, 51200, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile41(AscendC::TPosition::A2, 51200, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile42(AscendC::TPosition::A2, 51200, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile43(AscendC::TPosition::A2, 51200, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile44(AscendC::TPosition::A2, 56320, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile45(AscendC::TPosition::A2, 56320, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile46(AscendC::TPosition::A2, 56320, 2560);  // [32, 80] float16
  AscendC::LocalTensor<half> tile47(AscendC::TPosition::A2, 56320, 2560);  // [32, 80] float16
  // tile: 2 slots of 1024 bytes from 61440
  AscendC::LocalTensor<half> tile48(AscendC::TPosition::B2, 0, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile49(AscendC::TPosition::B2, 0, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile50(AscendC::TPosition::B2, 0, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile51(AscendC::TPosition::B2, 0, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile52(AscendC::TPosition::B2, 5120, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile53(AscendC::TPosition::B2, 5120, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile54(AscendC::TPosition::B2, 5120, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile55(AscendC::TPosition::B2, 5120, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile56(AscendC::TPosition::B2, 10240, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile57(AscendC::TPosition::B2, 10240, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile58(AscendC::TPosition::B2, 10240, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile59(AscendC::TPosition::B2, 10240, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile60(AscendC::TPosition::B2, 15360, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile61(AscendC::TPosition::B2, 15360, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile62(AscendC::TPosition::B2, 15360, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile63(AscendC::TPosition::B2, 15360, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile64(AscendC::TPosition::B2, 20480, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile65(AscendC::TPosition::B2, 20480, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile66(AscendC::TPosition::B2, 20480, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile67(AscendC::TPosition::B2, 20480, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile68(AscendC::TPosition::B2, 25600, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile69(AscendC::TPosition::B2, 25600, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile70(AscendC::TPosition::B2, 25600, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile71(AscendC::TPosition::B2, 25600, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile72(AscendC::TPosition::B2, 30720, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile73(AscendC::TPosition::B2, 30720, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile74(AscendC::TPosition::B2, 30720, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile75(AscendC::TPosition::B2, 30720, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile76(AscendC::TPosition::B2, 35840, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile77(AscendC::TPosition::B2, 35840, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile78(AscendC::TPosition::B2, 35840, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile79(AscendC::TPosition::B2, 35840, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile80(AscendC::TPosition::B2, 40960, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile81(AscendC::TPosition::B2, 40960, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile82(AscendC::TPosition::B2, 40960, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile83(AscendC::TPosition::B2, 40960, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile84(AscendC::TPosition::B2, 46080, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile85(AscendC::TPosition::B2, 46080, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile86(AscendC::TPosition::B2, 46080, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile87(AscendC::TPosition::B2, 46080, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile88(AscendC::TPosition::B2, 51200, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile89(AscendC::TPosition::B2, 51200, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile90(AscendC::TPosition::B2, 51200, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile91(AscendC::TPosition::B2, 51200, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile92(AscendC::TPosition::B2, 56320, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile93(AscendC::TPosition::B2, 56320, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile94(AscendC::TPosition::B2, 56320, 2560);  // [80, 32] float16
  AscendC::LocalTensor<half> tile95(AscendC::TPosition::B2, 56320, 2560);  // [80, 32] float16
  // tile: 2 slots of 1024 bytes from 61440
  AscendC::LocalTensor<float> acc(AscendC::TPosition::CO1, 0, 1024);  // [32, 32] float32
  // acc: 2 slots of 4096 bytes from 4096, [32, 32] float32
  const int64_t m_64 = static_cast<int64_t>(m);
  const int64_t k_64 = static_cast<int64_t>(k);
  const int64_t n_64 = static_cast<int64_t>(n);
  // matmul.py:25: columns = asc.ceildiv(n, tile_n)
  const int32_t columns = WrapAdd32(n, 31) / 32;
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
  const int32_t a2 = steps - 0;
  const int32_t a3 = Max32(a2, 0);
  const int32_t a4 = WrapMul32(a3, 80);
  const int32_t a5 = 0 + a4;
  const int64_t v6 = Min64(k_64, static_cast<int64_t>(a5));
  const int64_t v4_64 = static_cast<int64_t>(v4);
  const int64_t v7 = Max64(static_cast<int64_t>(chosen1) - static_cast<int64_t>(v2), 0);
  const int64_t v8 = (v7 + (v4_64 - 1)) / v4_64;
  const int64_t v9 = (Max64(static_cast<int64_t>(steps), 0) + 15) / 16;
  // matmul.py:32: for i in asc2.range(asc2.block_idx(), large, asc2.block_num()):
  if (v9 > 0) {
    const int64_t v10 = Max64(v8 * v9, 0);
    if (0 < v10) {
      const int32_t v11 = v2 + 0;
      // matmul.py:93: first = i // (group * columns) * group
      const int32_t first = WrapMul32(Div32(v11, v5), group);
      const int32_t v12 = WrapSub32(chosen, first);
      // matmul.py:94: height = min(rows - first, group)
      const int32_t height = (group < v12) ? group : v12;
      const int32_t v13 = Rem32(v11, v5);
      // matmul.py:95: return first + i % (group * columns) % height, i % (group * columns) // height
      const int32_t row = WrapAdd32(first, Rem32(v13, height));
      const int32_t column = Div32(v13, height);
      const int64_t v14 = static_cast<int64_t>(WrapMul32(row, 32));
      const int64_t v15 = Min64(Max64(0 - v14, 0), 32);
      const int64_t v16 = Max64(Min64(Max64(m_64 - v14, 0), 32) - v15, 0);
      const int64_t v17 = static_cast<int64_t>(WrapMul32(column, 32));
      const int64_t v18 = Min64(Max64(0 - v17, 0), 32);
      const int64_t v19 = Max64(Min64(Max64(n_64 - v17, 0), 32) - v18, 0);
      const int64_t v20 = Min64(Max64(v6 - 0, 0), 1280);
      const int64_t v21 = ((v14 + v15) * k_64) + 0;
      const bool v22 = v20 < 1280;
      // matmul.py:58: a = asc2.load(a_gm, [tile_m, tile_k], offsets=[top, first + j * tile_k])
      if ((v16 < 32) || v22) {
        AscendC::InitConstValue(a, AscendC::InitConstValueParams<half>{1, 2560, 0, half(0x0p0f)});
        AscendC::PipeBarrier<PIPE_MTE2>();
        if (65535 < k_64) {
          for (int64_t i = 0; i < v16; ++i) {
            AscendC::PipeBarrier<PIPE_MTE2>();
            AscendC::DataCopy(a[(v15 * 16) + (i * 16)], a_gm[v21 + (i * k_64)], AscendC::Nd2NzParams{1, 1, static_cast<uint16_t>(v20), 0, static_cast<uint16_t>(v20), 32, 1, 0});
          }
        } else {
          AscendC::DataCopy(a[v15 * 16], a_gm[v21], AscendC::Nd2NzParams{1, static_cast<uint16_t>(v16), static_cast<uint16_t>(v20), 0, Field<uint16_t>(k_64), 32, 1, 0});
        }
      } else {
        if (65535 < k_64) {
          for (int64_t i1 = 0; i1 < 32; ++i1) {
            AscendC::PipeBarrier<PIPE_MTE2>();
            AscendC::DataCopy(a[i1 * 16], a_gm[v21 + (i1 * k_64)], AscendC::Nd2NzParams{1, 1, 1280, 0, 1280, 32, 1, 0});
          }
        } else {
          AscendC::DataCopy(a, a_gm[v21], AscendC::Nd2NzParams{1, 32, 1280, 0, Field<uint16_t>(k_64), 32, 1, 0});
        }
      }
      const int64_t v23 = 0 + (v17 + v18);
      // matmul.py:59: b = asc2.load(b_gm, [tile_k, tile_n], offsets=[first + j * tile_k, left])
      if (v22 || (v19 < 32)) {
        AscendC::InitConstValue(b, AscendC::InitConstValueParams<half>{1, 2560, 0, half(0x0p0f)});
        const int64_t v24 = v18 % 32;
        const int64_t v25 = v24 / 16;
        const int64_t v26 = v24 % 16;
        AscendC::PipeBarrier<PIPE_MTE2>();
        if (65535 < n_64) {
          for (int64_t i2 = 0; i2 < v20; ++i2) {
            AscendC::PipeBarrier<PIPE_MTE2>();
            AscendC::DataCopy(b[((v25 * 20480) + v26) + (i2 * 16)], b_gm[v23 + (i2 * n_64)], AscendC::Nd2NzParams{1, 1, static_cast<uint16_t>(v19), 0, static_cast<uint16_t>(v19), 1280, 1, 0});
          }
        } else {
          AscendC::DataCopy(b[(v25 * 20480) + v26], b_gm[v23], AscendC::Nd2NzParams{1, static_cast<uint16_t>(v20), static_cast<uint16_t>(v19), 0, Field<uint16_t>(n_64), 1280, 1, 0});
        }
      } else {
        if (65535 < n_64) {
          for (int64_t i3 = 0; i3 < 1280; ++i3) {
            AscendC::PipeBarrier<PIPE_MTE2>();
            AscendC::DataCopy(b[i3 * 16], b_gm[v23 + (i3 * n_64)], AscendC::Nd2NzParams{1, 1, 32, 0, 32, 1280, 1, 0});
          }
        } else {
          AscendC::DataCopy(b, b_gm[v23], AscendC::Nd2NzParams{1, 1280, 32, 0, Field<uint16_t>(n_64), 1280, 1, 0});
        }
      }
    }
    // matmul.py:32: for i in asc2.range(asc2.block_idx(), large, asc2.block_num()):
    AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE1>(0);
    const int64_t v27 = v10 / 2;
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE1>(0);
    AscendC::SetFlag<AscendC::HardEvent::FIX_M>(0);
    for (int64_t i4 = 0; i4 < v27; ++i4) {
      const int64_t v28 = i4 * 2;
      const int64_t v29 = v28 + 1;
      const int32_t v30 = WrapAdd32(v2, WrapMul32(static_cast<int32_t>(v29 / v9), v4));
      // matmul.py:93: first = i // (group * columns) * group
      const int32_t first1 = WrapMul32(Div32(v30, v5), group);
      const int32_t v31 = WrapSub32(chosen, first1);
      // matmul.py:94: height = min(rows - first, group)
      const int32_t height1 = (group < v31) ? group : v31;
      const int32_t v32 = Rem32(v30, v5);
      // matmul.py:95: return first + i % (group * columns) % height, i % (group * columns) // height
      const int32_t row1 = WrapAdd32(first1, Rem32(v32, height1));
      const int32_t column1 = Div32(v32, height1);
      const int64_t v33 = static_cast<int64_t>(WrapMul32(row1, 32));
      const int64_t v34 = Min64(Max64(0 - v33, 0), 32);
      const int64_t v35 = Max64(Min64(Max64(m_64 - v33, 0), 32) - v34, 0);
      const int64_t v36 = static_cast<int64_t>(WrapMul32(column1, 32));
      const int64_t v37 = Min64(Max64(0 - v36, 0), 32);
      const int64_t v38 = Max64(Min64(Max64(n_64 - v36, 0), 32) - v37, 0);
      const int64_t v39 = static_cast<int64_t>(WrapMul32(static_cast<int32_t>(v29 % v9) * 16, 80));
      const int64_t v40 = Min64(Max64(v6 - v39, 0), 1280);
      const int64_t v41 = ((v33 + v34) * k_64) + v39;
      const bool v42 = v40 < 1280;
      // matmul.py:58: a = asc2.load(a_gm, [tile_m, tile_k], offsets=[top, first + j * tile_k])
      if ((v35 < 32) || v42) {
        AscendC::InitConstValue(a1, AscendC::InitConstValueParams<half>{1, 2560, 0, half(0x0p0f)});
        AscendC::PipeBarrier<PIPE_MTE2>();
        if (65535 < k_64) {
          for (int64_t i5 = 0; i5 < v35; ++i5) {
            AscendC::PipeBarrier<PIPE_MTE2>();
            AscendC::DataCopy(a1[(v34 * 16) + (i5 * 16)], a_gm[v41 + (i5 * k_64)], AscendC::Nd2NzParams{1, 1, static_cast<uint16_t>(v40), 0, static_cast<uint16_t>(v40), 32, 1, 0});
          }
        } else {
          AscendC::DataCopy(a1[v34 * 16], a_gm[v41], AscendC::Nd2NzParams{1, static_cast<uint16_t>(v35), static_cast<uint16_t>(v40), 0, Field<uint16_t>(k_64), 32, 1, 0});
        }
      } else {
        if (65535 < k_64) {
          for (int64_t i6 = 0; i6 < 32; ++i6) {
            AscendC::PipeBarrier<PIPE_MTE2>();
            AscendC::DataCopy(a1[i6 * 16], a_gm[v41 + (i6 * k_64)], AscendC::Nd2NzParams{1, 1, 1280, 0, 1280, 32, 1, 0});
          }
        } else {
          AscendC::DataCopy(a1, a_gm[v41], AscendC::Nd2NzParams{1, 32, 1280, 0, Field<uint16_t>(k_64), 32, 1, 0});
        }
      }
      const int64_t v43 = (v39 * n_64) + (v36 + v37);
      // matmul.py:59: b = asc2.load(b_gm, [tile_k, tile_n], offsets=[first + j * tile_k, left])
      if (v42 || (v38 < 32)) {
        AscendC::InitConstValue(b1, AscendC::InitConstValueParams<half>{1, 2560, 0, half(0x0p0f)});
        const int64_t v44 = v37 % 32;
        const int64_t v45 = v44 / 16;
        const int64_t v46 = v44 % 16;
        AscendC::PipeBarrier<PIPE_MTE2>();
        if (65535 < n_64) {
          for (int64_t i7 = 0; i7 < v40; ++i7) {
            AscendC::PipeBarrier<PIPE_MTE2>();
            AscendC::DataCopy(b1[((v45 * 20480) + v46) + (i7 * 16)], b_gm[v43 + (i7 * n_64)], AscendC::Nd2NzParams{1, 1, static_cast<uint16_t>(v38), 0, static_cast<uint16_t>(v38), 1280, 1, 0});
          }
        } else {
          AscendC::DataCopy(b1[(v45 * 20480) + v46], b_gm[v43], AscendC::Nd2NzParams{1, static_cast<uint16_t>(v40), static_cast<uint16_t>(v38), 0, Field<uint16_t>(n_64), 1280, 1, 0});
        }
      } else {
        if (65535 < n_64) {
          for (int64_t i8 = 0; i8 < 1280; ++i8) {
            AscendC::PipeBarrier<PIPE_MTE2>();
            AscendC::DataCopy(b1[i8 * 16], b_gm[v43 + (i8 * n_64)], AscendC::Nd2NzParams{1, 1, 32, 0, 32, 1280, 1, 0});
          }
        } else {
          AscendC::DataCopy(b1, b_gm[v43], AscendC::Nd2NzParams{1, 1280, 32, 0, Field<uint16_t>(n_64), 1280, 1, 0});
        }
      }
      const int64_t v47 = v28 % v9;
      const int32_t v48 = WrapAdd32(v2, WrapMul32(static_cast<int32_t>(v28 / v9), v4));
      // matmul.py:93: first = i // (group * columns) * group
      const int32_t first2 = WrapMul32(Div32(v48, v5), group);
      const int32_t v49 = WrapSub32(chosen, first2);
      // matmul.py:94: height = min(rows - first, group)
      const int32_t height2 = (group < v49) ? group : v49;
      const int32_t v50 = Rem32(v48, v5);
      // matmul.py:95: return first + i % (group * columns) % height, i % (group * columns) // height
      const int32_t row2 = WrapAdd32(first2, Rem32(v50, height2));
      const int32_t column2 = Div32(v50, height2);
      const int32_t v51 = WrapMul32(Min32(steps - (static_cast<int32_t>(v47) * 16), 16), 80);
      // matmul.py:60: asc2.matmul_acc(a, b, acc)
      AscendC::LoadData(tile, a, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile[1280], a, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile48, b, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile48[256], b, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::WaitFlag<AscendC::HardEvent::FIX_M>(0);
      AscendC::Mmad(acc, tile, tile48, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 0) ? 80 : 0)), 0, false, static_cast<bool>(static_cast<int64_t>((v47 == 0) ? 1 : 0))});
      AscendC::LocalTensor<half> a6 = a[2560];
      AscendC::LoadData(tile4, a6, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile4[1280], a6, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b2 = b[1280];
      AscendC::LoadData(tile52, b2, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile52[256], b2, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile4, tile52, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 80) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a7 = a[5120];
      AscendC::LoadData(tile8, a7, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile8[1280], a7, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b3 = b[2560];
      AscendC::LoadData(tile56, b3, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile56[256], b3, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile8, tile56, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 160) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a8 = a[7680];
      AscendC::LoadData(tile12, a8, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile12[1280], a8, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b4 = b[3840];
      AscendC::LoadData(tile60, b4, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile60[256], b4, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile12, tile60, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 240) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a9 = a[10240];
      AscendC::LoadData(tile16, a9, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile16[1280], a9, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b5 = b[5120];
      AscendC::LoadData(tile64, b5, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile64[256], b5, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(4);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(4);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile16, tile64, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 320) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a10 = a[12800];
      AscendC::LoadData(tile20, a10, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile20[1280], a10, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b6 = b[6400];
      AscendC::LoadData(tile68, b6, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile68[256], b6, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile20, tile68, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 400) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a11 = a[15360];
      AscendC::LoadData(tile24, a11, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile24[1280], a11, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b7 = b[7680];
      AscendC::LoadData(tile72, b7, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile72[256], b7, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile24, tile72, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 480) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a12 = a[17920];
      AscendC::LoadData(tile28, a12, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile28[1280], a12, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b8 = b[8960];
      AscendC::LoadData(tile76, b8, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile76[256], b8, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile28, tile76, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 560) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a13 = a[20480];
      AscendC::LoadData(tile32, a13, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile32[1280], a13, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b9 = b[10240];
      AscendC::LoadData(tile80, b9, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile80[256], b9, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile32, tile80, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 640) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a14 = a[23040];
      AscendC::LoadData(tile36, a14, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile36[1280], a14, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b10 = b[11520];
      AscendC::LoadData(tile84, b10, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile84[256], b10, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile36, tile84, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 720) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a15 = a[25600];
      AscendC::LoadData(tile40, a15, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile40[1280], a15, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b11 = b[12800];
      AscendC::LoadData(tile88, b11, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile88[256], b11, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile40, tile88, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 800) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a16 = a[28160];
      AscendC::LoadData(tile44, a16, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile44[1280], a16, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b12 = b[14080];
      AscendC::LoadData(tile92, b12, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile92[256], b12, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile44, tile92, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 880) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a17 = a[30720];
      AscendC::LoadData(tile1, a17, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile1[1280], a17, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b13 = b[15360];
      AscendC::LoadData(tile49, b13, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile49[256], b13, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile1, tile49, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 960) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a18 = a[33280];
      AscendC::LoadData(tile5, a18, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile5[1280], a18, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b14 = b[16640];
      AscendC::LoadData(tile53, b14, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile53[256], b14, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile5, tile53, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 1040) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a19 = a[35840];
      AscendC::LoadData(tile9, a19, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile9[1280], a19, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b15 = b[17920];
      AscendC::LoadData(tile57, b15, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile57[256], b15, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile9, tile57, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 1120) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a20 = a[38400];
      AscendC::LoadData(tile13, a20, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile13[1280], a20, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b16 = b[19200];
      AscendC::LoadData(tile61, b16, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile61[256], b16, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(4);
      AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(0);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(4);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile13, tile61, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v51 > 1200) ? 80 : 0)), 0, false, false});
      AscendC::SetFlag<AscendC::HardEvent::M_FIX>(0);
      const int64_t v52 = static_cast<int64_t>(WrapMul32(row2, 32));
      const int64_t v53 = Min64(Max64(0 - v52, 0), 32);
      const int64_t v54 = static_cast<int64_t>(WrapMul32(column2, 32));
      const int64_t v55 = Min64(Max64(0 - v54, 0), 32);
      const int64_t v56 = Max64(Min64(Max64(m_64 - v52, 0), 32) - v53, 0);
      const int64_t v57 = Max64(Min64(Max64(n_64 - v54, 0), 32) - v55, 0);
      const int64_t v58 = v55 % 32;
      AscendC::GlobalTensor<float> c_gm1 = c_gm[((v52 + v53) * n_64) + (v54 + v55)];
      AscendC::LocalTensor<float> acc1 = acc[(v53 * 16) + (((v58 / 16) * 512) + (v58 % 16))];
      // matmul.py:61: asc2.store(acc, c_gm, offsets=[c_top + top, left])
      AscendC::WaitFlag<AscendC::HardEvent::M_FIX>(0);
      if (v47 == (v9 - 1)) {
        AscendC::Fixpipe<float, float, AscendC::CFG_ROW_MAJOR>(c_gm1, acc1, AscendC::FixpipeParamsV220{static_cast<uint16_t>(v57), static_cast<uint16_t>(v56), 32, Field<uint32_t>(n_64), false, QuantMode_t::NoQuant, 0, 1, 0, 0, 0, false});
      }
      const int64_t v59 = v28 + 2;
      // matmul.py:32: for i in asc2.range(asc2.block_idx(), large, asc2.block_num()):
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(0);
      if (v59 < v10) {
        const int32_t v60 = WrapAdd32(v2, WrapMul32(static_cast<int32_t>(v59 / v9), v4));
        // matmul.py:93: first = i // (group * columns) * group
        const int32_t first3 = WrapMul32(Div32(v60, v5), group);
        const int32_t v61 = WrapSub32(chosen, first3);
        // matmul.py:94: height = min(rows - first, group)
        const int32_t height3 = (group < v61) ? group : v61;
        const int32_t v62 = Rem32(v60, v5);
        // matmul.py:95: return first + i % (group * columns) % height, i % (group * columns) // height
        const int32_t row3 = WrapAdd32(first3, Rem32(v62, height3));
        const int32_t column3 = Div32(v62, height3);
        const int64_t v63 = static_cast<int64_t>(WrapMul32(row3, 32));
        const int64_t v64 = Min64(Max64(0 - v63, 0), 32);
        const int64_t v65 = Max64(Min64(Max64(m_64 - v63, 0), 32) - v64, 0);
        const int64_t v66 = static_cast<int64_t>(WrapMul32(column3, 32));
        const int64_t v67 = Min64(Max64(0 - v66, 0), 32);
        const int64_t v68 = Max64(Min64(Max64(n_64 - v66, 0), 32) - v67, 0);
        const int64_t v69 = static_cast<int64_t>(WrapMul32(static_cast<int32_t>(v59 % v9) * 16, 80));
        const int64_t v70 = Min64(Max64(v6 - v69, 0), 1280);
        const int64_t v71 = ((v63 + v64) * k_64) + v69;
        const bool v72 = v70 < 1280;
        // matmul.py:58: a = asc2.load(a_gm, [tile_m, tile_k], offsets=[top, first + j * tile_k])
        if ((v65 < 32) || v72) {
          AscendC::InitConstValue(a, AscendC::InitConstValueParams<half>{1, 2560, 0, half(0x0p0f)});
          AscendC::PipeBarrier<PIPE_MTE2>();
          if (65535 < k_64) {
            for (int64_t i9 = 0; i9 < v65; ++i9) {
              AscendC::PipeBarrier<PIPE_MTE2>();
              AscendC::DataCopy(a[(v64 * 16) + (i9 * 16)], a_gm[v71 + (i9 * k_64)], AscendC::Nd2NzParams{1, 1, static_cast<uint16_t>(v70), 0, static_cast<uint16_t>(v70), 32, 1, 0});
            }
          } else {
            AscendC::DataCopy(a[v64 * 16], a_gm[v71], AscendC::Nd2NzParams{1, static_cast<uint16_t>(v65), static_cast<uint16_t>(v70), 0, Field<uint16_t>(k_64), 32, 1, 0});
          }
        } else {
          if (65535 < k_64) {
            for (int64_t i10 = 0; i10 < 32; ++i10) {
              AscendC::PipeBarrier<PIPE_MTE2>();
              AscendC::DataCopy(a[i10 * 16], a_gm[v71 + (i10 * k_64)], AscendC::Nd2NzParams{1, 1, 1280, 0, 1280, 32, 1, 0});
            }
          } else {
            AscendC::DataCopy(a, a_gm[v71], AscendC::Nd2NzParams{1, 32, 1280, 0, Field<uint16_t>(k_64), 32, 1, 0});
          }
        }
        const int64_t v73 = (v69 * n_64) + (v66 + v67);
        // matmul.py:59: b = asc2.load(b_gm, [tile_k, tile_n], offsets=[first + j * tile_k, left])
        if (v72 || (v68 < 32)) {
          AscendC::InitConstValue(b, AscendC::InitConstValueParams<half>{1, 2560, 0, half(0x0p0f)});
          const int64_t v74 = v67 % 32;
          const int64_t v75 = v74 / 16;
          const int64_t v76 = v74 % 16;
          AscendC::PipeBarrier<PIPE_MTE2>();
          if (65535 < n_64) {
            for (int64_t i11 = 0; i11 < v70; ++i11) {
              AscendC::PipeBarrier<PIPE_MTE2>();
              AscendC::DataCopy(b[((v75 * 20480) + v76) + (i11 * 16)], b_gm[v73 + (i11 * n_64)], AscendC::Nd2NzParams{1, 1, static_cast<uint16_t>(v68), 0, static_cast<uint16_t>(v68), 1280, 1, 0});
            }
          } else {
            AscendC::DataCopy(b[(v75 * 20480) + v76], b_gm[v73], AscendC::Nd2NzParams{1, static_cast<uint16_t>(v70), static_cast<uint16_t>(v68), 0, Field<uint16_t>(n_64), 1280, 1, 0});
          }
        } else {
          if (65535 < n_64) {
            for (int64_t i12 = 0; i12 < 1280; ++i12) {
              AscendC::PipeBarrier<PIPE_MTE2>();
              AscendC::DataCopy(b[i12 * 16], b_gm[v73 + (i12 * n_64)], AscendC::Nd2NzParams{1, 1, 32, 0, 32, 1280, 1, 0});
            }
          } else {
            AscendC::DataCopy(b, b_gm[v73], AscendC::Nd2NzParams{1, 1280, 32, 0, Field<uint16_t>(n_64), 1280, 1, 0});
          }
        }
      }
      const int64_t v77 = v29 % v9;
      const int32_t v78 = WrapAdd32(v2, WrapMul32(static_cast<int32_t>(v29 / v9), v4));
      // matmul.py:93: first = i // (group * columns) * group
      const int32_t first4 = WrapMul32(Div32(v78, v5), group);
      const int32_t v79 = WrapSub32(chosen, first4);
      // matmul.py:94: height = min(rows - first, group)
      const int32_t height4 = (group < v79) ? group : v79;
      const int32_t v80 = Rem32(v78, v5);
      // matmul.py:95: return first + i % (group * columns) % height, i % (group * columns) // height
      const int32_t row4 = WrapAdd32(first4, Rem32(v80, height4));
      const int32_t column4 = Div32(v80, height4);
      const int32_t v81 = WrapMul32(Min32(steps - (static_cast<int32_t>(v77) * 16), 16), 80);
      // matmul.py:60: asc2.matmul_acc(a, b, acc)
      AscendC::LoadData(tile17, a1, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile17[1280], a1, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile65, b1, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile65[256], b1, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::Mmad(acc, tile17, tile65, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 0) ? 80 : 0)), 0, false, static_cast<bool>(static_cast<int64_t>((v77 == 0) ? 1 : 0))});
      AscendC::LocalTensor<half> a1_1 = a1[2560];
      AscendC::LoadData(tile21, a1_1, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile21[1280], a1_1, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_1 = b1[1280];
      AscendC::LoadData(tile69, b1_1, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile69[256], b1_1, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile21, tile69, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 80) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_2 = a1[5120];
      AscendC::LoadData(tile25, a1_2, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile25[1280], a1_2, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_2 = b1[2560];
      AscendC::LoadData(tile73, b1_2, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile73[256], b1_2, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile25, tile73, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 160) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_3 = a1[7680];
      AscendC::LoadData(tile29, a1_3, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile29[1280], a1_3, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_3 = b1[3840];
      AscendC::LoadData(tile77, b1_3, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile77[256], b1_3, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile29, tile77, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 240) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_4 = a1[10240];
      AscendC::LoadData(tile33, a1_4, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile33[1280], a1_4, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_4 = b1[5120];
      AscendC::LoadData(tile81, b1_4, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile81[256], b1_4, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile33, tile81, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 320) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_5 = a1[12800];
      AscendC::LoadData(tile37, a1_5, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile37[1280], a1_5, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_5 = b1[6400];
      AscendC::LoadData(tile85, b1_5, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile85[256], b1_5, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile37, tile85, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 400) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_6 = a1[15360];
      AscendC::LoadData(tile41, a1_6, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile41[1280], a1_6, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_6 = b1[7680];
      AscendC::LoadData(tile89, b1_6, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile89[256], b1_6, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile41, tile89, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 480) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_7 = a1[17920];
      AscendC::LoadData(tile45, a1_7, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile45[1280], a1_7, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_7 = b1[8960];
      AscendC::LoadData(tile93, b1_7, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile93[256], b1_7, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile45, tile93, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 560) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_8 = a1[20480];
      AscendC::LoadData(tile2, a1_8, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile2[1280], a1_8, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_8 = b1[10240];
      AscendC::LoadData(tile50, b1_8, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile50[256], b1_8, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile2, tile50, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 640) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_9 = a1[23040];
      AscendC::LoadData(tile6, a1_9, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile6[1280], a1_9, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_9 = b1[11520];
      AscendC::LoadData(tile54, b1_9, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile54[256], b1_9, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(3);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile6, tile54, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 720) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_10 = a1[25600];
      AscendC::LoadData(tile10, a1_10, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile10[1280], a1_10, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_10 = b1[12800];
      AscendC::LoadData(tile58, b1_10, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile58[256], b1_10, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(4);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(4);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile10, tile58, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 800) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_11 = a1[28160];
      AscendC::LoadData(tile14, a1_11, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile14[1280], a1_11, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_11 = b1[14080];
      AscendC::LoadData(tile62, b1_11, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile62[256], b1_11, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile14, tile62, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 880) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_12 = a1[30720];
      AscendC::LoadData(tile18, a1_12, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile18[1280], a1_12, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_12 = b1[15360];
      AscendC::LoadData(tile66, b1_12, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile66[256], b1_12, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(0);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile18, tile66, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 960) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_13 = a1[33280];
      AscendC::LoadData(tile22, a1_13, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile22[1280], a1_13, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_13 = b1[16640];
      AscendC::LoadData(tile70, b1_13, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile70[256], b1_13, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(1);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile22, tile70, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 1040) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_14 = a1[35840];
      AscendC::LoadData(tile26, a1_14, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile26[1280], a1_14, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_14 = b1[17920];
      AscendC::LoadData(tile74, b1_14, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile74[256], b1_14, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(2);
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile26, tile74, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 1120) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a1_15 = a1[38400];
      AscendC::LoadData(tile30, a1_15, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile30[1280], a1_15, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b1_15 = b1[19200];
      AscendC::LoadData(tile78, b1_15, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile78[256], b1_15, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile30, tile78, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v81 > 1200) ? 80 : 0)), 0, false, false});
      AscendC::SetFlag<AscendC::HardEvent::M_FIX>(0);
      const int64_t v82 = static_cast<int64_t>(WrapMul32(row4, 32));
      const int64_t v83 = Min64(Max64(0 - v82, 0), 32);
      const int64_t v84 = static_cast<int64_t>(WrapMul32(column4, 32));
      const int64_t v85 = Min64(Max64(0 - v84, 0), 32);
      const int64_t v86 = Max64(Min64(Max64(m_64 - v82, 0), 32) - v83, 0);
      const int64_t v87 = Max64(Min64(Max64(n_64 - v84, 0), 32) - v85, 0);
      const int64_t v88 = v85 % 32;
      AscendC::GlobalTensor<float> c_gm2 = c_gm[((v82 + v83) * n_64) + (v84 + v85)];
      AscendC::LocalTensor<float> acc2 = acc[(v83 * 16) + (((v88 / 16) * 512) + (v88 % 16))];
      // matmul.py:61: asc2.store(acc, c_gm, offsets=[c_top + top, left])
      AscendC::WaitFlag<AscendC::HardEvent::M_FIX>(0);
      if (v77 == (v9 - 1)) {
        AscendC::Fixpipe<float, float, AscendC::CFG_ROW_MAJOR>(c_gm2, acc2, AscendC::FixpipeParamsV220{static_cast<uint16_t>(v87), static_cast<uint16_t>(v86), 32, Field<uint32_t>(n_64), false, QuantMode_t::NoQuant, 0, 1, 0, 0, 0, false});
      }
      AscendC::SetFlag<AscendC::HardEvent::FIX_M>(0);
    }
    // matmul.py:32: for i in asc2.range(asc2.block_idx(), large, asc2.block_num()):
    AscendC::WaitFlag<AscendC::HardEvent::FIX_M>(0);
    const int64_t v89 = v27 * 2;
    if (v89 < v10) {
      const int64_t v90 = v89 % v9;
      const int32_t v91 = WrapAdd32(v2, WrapMul32(static_cast<int32_t>(v89 / v9), v4));
      // matmul.py:93: first = i // (group * columns) * group
      const int32_t first5 = WrapMul32(Div32(v91, v5), group);
      const int32_t v92 = WrapSub32(chosen, first5);
      // matmul.py:94: height = min(rows - first, group)
      const int32_t height5 = (group < v92) ? group : v92;
      const int32_t v93 = Rem32(v91, v5);
      // matmul.py:95: return first + i % (group * columns) % height, i % (group * columns) // height
      const int32_t row5 = WrapAdd32(first5, Rem32(v93, height5));
      const int32_t column5 = Div32(v93, height5);
      const int32_t v94 = WrapMul32(Min32(steps - (static_cast<int32_t>(v90) * 16), 16), 80);
      // matmul.py:60: asc2.matmul_acc(a, b, acc)
      AscendC::LoadData(tile34, a, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile34[1280], a, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile82, b, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile82[256], b, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::Mmad(acc, tile34, tile82, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 0) ? 80 : 0)), 0, false, static_cast<bool>(static_cast<int64_t>((v90 == 0) ? 1 : 0))});
      AscendC::LocalTensor<half> a21 = a[2560];
      AscendC::LoadData(tile38, a21, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile38[1280], a21, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b17 = b[1280];
      AscendC::LoadData(tile86, b17, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile86[256], b17, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile38, tile86, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 80) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a22 = a[5120];
      AscendC::LoadData(tile42, a22, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile42[1280], a22, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b18 = b[2560];
      AscendC::LoadData(tile90, b18, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile90[256], b18, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile42, tile90, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 160) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a23 = a[7680];
      AscendC::LoadData(tile46, a23, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile46[1280], a23, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b19 = b[3840];
      AscendC::LoadData(tile94, b19, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile94[256], b19, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile46, tile94, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 240) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a24 = a[10240];
      AscendC::LoadData(tile3, a24, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile3[1280], a24, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b20 = b[5120];
      AscendC::LoadData(tile51, b20, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile51[256], b20, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile3, tile51, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 320) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a25 = a[12800];
      AscendC::LoadData(tile7, a25, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile7[1280], a25, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b21 = b[6400];
      AscendC::LoadData(tile55, b21, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile55[256], b21, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile7, tile55, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 400) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a26 = a[15360];
      AscendC::LoadData(tile11, a26, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile11[1280], a26, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b22 = b[7680];
      AscendC::LoadData(tile59, b22, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile59[256], b22, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile11, tile59, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 480) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a27 = a[17920];
      AscendC::LoadData(tile15, a27, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile15[1280], a27, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b23 = b[8960];
      AscendC::LoadData(tile63, b23, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile63[256], b23, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile15, tile63, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 560) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a28 = a[20480];
      AscendC::LoadData(tile19, a28, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile19[1280], a28, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b24 = b[10240];
      AscendC::LoadData(tile67, b24, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile67[256], b24, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile19, tile67, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 640) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a29 = a[23040];
      AscendC::LoadData(tile23, a29, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile23[1280], a29, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b25 = b[11520];
      AscendC::LoadData(tile71, b25, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile71[256], b25, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile23, tile71, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 720) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a30 = a[25600];
      AscendC::LoadData(tile27, a30, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile27[1280], a30, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b26 = b[12800];
      AscendC::LoadData(tile75, b26, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile75[256], b26, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile27, tile75, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 800) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a31 = a[28160];
      AscendC::LoadData(tile31, a31, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile31[1280], a31, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b27 = b[14080];
      AscendC::LoadData(tile79, b27, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile79[256], b27, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile31, tile79, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 880) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a32 = a[30720];
      AscendC::LoadData(tile35, a32, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile35[1280], a32, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b28 = b[15360];
      AscendC::LoadData(tile83, b28, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile83[256], b28, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile35, tile83, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 960) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a33 = a[33280];
      AscendC::LoadData(tile39, a33, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile39[1280], a33, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b29 = b[16640];
      AscendC::LoadData(tile87, b29, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile87[256], b29, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile39, tile87, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 1040) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a34 = a[35840];
      AscendC::LoadData(tile43, a34, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile43[1280], a34, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b30 = b[17920];
      AscendC::LoadData(tile91, b30, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile91[256], b30, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile43, tile91, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 1120) ? 80 : 0)), 0, false, false});
      AscendC::LocalTensor<half> a35 = a[38400];
      AscendC::LoadData(tile47, a35, AscendC::LoadData2DParams{0, 5, 2, 0, 0, false, 0});
      AscendC::LoadData(tile47[1280], a35, AscendC::LoadData2DParams{1, 5, 2, 0, 0, false, 0});
      AscendC::LocalTensor<half> b31 = b[19200];
      AscendC::LoadData(tile95, b31, AscendC::LoadData2DParams{0, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_MTE1>();
      AscendC::LoadData(tile95[256], b31, AscendC::LoadData2DParams{80, 5, 1, 0, 1, true, 0});
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::PipeBarrier<PIPE_M>();
      AscendC::Mmad(acc, tile47, tile95, AscendC::MmadParams{32, 32, static_cast<uint16_t>(static_cast<int64_t>((v94 > 1200) ? 80 : 0)), 0, false, false});
      AscendC::SetFlag<AscendC::HardEvent::M_FIX>(0);
      const int64_t v95 = static_cast<int64_t>(WrapMul32(row5, 32));
      const int64_t v96 = Min64(Max64(0 - v95, 0), 32);
      const int64_t v97 = static_cast<int64_t>(WrapMul32(column5, 32));
      const int64_t v98 = Min64(Max64(0 - v97, 0), 32);
      const int64_t v99 = Max64(Min64(Max64(m_64 - v95, 0), 32) - v96, 0);
      const int64_t v100 = Max64(Min64(Max64(n_64 - v97, 0), 32) - v98, 0);
      const int64_t v101 = v98 % 32;
      AscendC::GlobalTensor<float> c_gm3 = c_gm[((v95 + v96) * n_64) + (v97 + v98)];
      AscendC::LocalTensor<float> acc3 = acc[(v96 * 16) + (((v101 / 16) * 512) + (v101 % 16))];
      // matmul.py:61: asc2.store(acc, c_gm, offsets=[c_top + top, left])
      AscendC::WaitFlag<AscendC::HardEvent::M_FIX>(0);
      if (v90 == (v9 - 1)) {
        AscendC::Fixpipe<float, float, AscendC::CFG_ROW_MAJOR>(c_gm3, acc3, AscendC::FixpipeParamsV220{static_cast<uint16_t>(v100), static_cast<uint16_t>(v99), 32, Field<uint32_t>(n_64), false, QuantMode_t::NoQuant, 0, 1, 0, 0, 0, false});
      }
    }
  } else {
    // matmul.py:32: for i in asc2.range(asc2.block_idx(), large, asc2.block_num()):
    AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(0);
    AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(1);
    AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(2);
    AscendC::SetFlag<AscendC::HardEvent::FIX_M>(0);
    AscendC::SetFlag<AscendC::HardEvent::FIX_M>(1);
    for (int32_t i13 = v2; i13 < chosen1; i13 = WrapAdd32(i13, v4)) {
      const int64_t v102 = static_cast<int64_t>(DivUnsigned32(WrapSub32(i13, v2), v4));
      const int64_t v103 = RemUnsigned64(v102, 2);
      const int64_t v104 = v103 + 1;
      // matmul.py:93: first = i // (group * columns) * group
      const int32_t first6 = WrapMul32(Div32(i13, v5), group);
      const int32_t v105 = WrapSub32(chosen, first6);
      // matmul.py:94: height = min(rows - first, group)
      const int32_t height6 = (group < v105) ? group : v105;
      const int32_t v106 = Rem32(i13, v5);
      // matmul.py:95: return first + i % (group * columns) % height, i % (group * columns) // height
      const int32_t row6 = WrapAdd32(first6, Rem32(v106, height6));
      const int32_t column6 = Div32(v106, height6);
      AscendC::LocalTensor<float> acc4(AscendC::TPosition::CO1, 4096 + static_cast<uint64_t>(v102) % 2 * 4096, 1024);
      // matmul.py:61: asc2.store(acc, c_gm, offsets=[c_top + top, left])
      AscendC::WaitFlag<AscendC::HardEvent::FIX_M>(v103);
      if (1 == 1) {
        AscendC::LocalTensor<half> tile96(AscendC::TPosition::A2, 61440 + static_cast<uint64_t>(v102) % 2 * 1024, 512);
        AscendC::LocalTensor<half> tile97(AscendC::TPosition::B2, 61440 + static_cast<uint64_t>(v102) % 2 * 1024, 512);
        AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(v104);
        AscendC::InitConstValue(tile96, AscendC::InitConstValueParams<half>{1, 2, 0, half(0x0p0f)});
        AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(0);
        AscendC::InitConstValue(tile97, AscendC::InitConstValueParams<half>{1, 2, 0, half(0x0p0f)});
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Mmad(acc4, tile96, tile97, AscendC::MmadParams{32, 32, 16, 0, false, true});
        AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(0);
        AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(v104);
      }
      AscendC::SetFlag<AscendC::HardEvent::M_FIX>(v103);
      const int64_t v107 = static_cast<int64_t>(WrapMul32(row6, 32));
      const int64_t v108 = Min64(Max64(0 - v107, 0), 32);
      const int64_t v109 = static_cast<int64_t>(WrapMul32(column6, 32));
      const int64_t v110 = Min64(Max64(0 - v109, 0), 32);
      const int64_t v111 = v110 % 32;
      AscendC::WaitFlag<AscendC::HardEvent::M_FIX>(v103);
      AscendC::PipeBarrier<PIPE_FIX>();
      AscendC::Fixpipe<float, float, AscendC::CFG_ROW_MAJOR>(c_gm[((v107 + v108) * n_64) + (v109 + v110)], acc4[(v108 * 16) + (((v111 / 16) * 512) + (v111 % 16))], AscendC::FixpipeParamsV220{static_cast<uint16_t>(Max64(Min64(Max64(n_64 - v109, 0), 32) - v110, 0)), static_cast<uint16_t>(Max64(Min64(Max64(m_64 - v107, 0), 32) - v108, 0)), 32, Field<uint32_t>(n_64), false, QuantMode_t::NoQuant, 0, 1, 0, 0, 0, false});
      AscendC::SetFlag<AscendC::HardEvent::FIX_M>(v103);
    }
    // matmul.py:32: for i in asc2.range(asc2.block_idx(), large, asc2.block_num()):
    AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(0);
    AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(1);
    AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(2);
    AscendC::WaitFlag<AscendC::HardEvent::FIX_M>(0);
    AscendC::WaitFlag<AscendC::HardEvent::FIX_M>(1);
  }
  AscendC::PipeBarrier<PIPE_ALL>();
}
