// Kernel matmul_kernel for C310, written by Tilesmith from matmul.py:15.
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
__aicore__ inline int64_t Max64(int64_t a, int64_t b) {
  return a > b ? a : b;
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

extern "C" __global__ __aicore__ void matmul_kernel(__gm__ half *a_ptr, __gm__ half *b_ptr, __gm__ float *c_ptr, int32_t m, int32_t n, int32_t k) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  AscendC::InitSocState();
  AscendC::GlobalTensor<half> a_gm;
  a_gm.SetGlobalBuffer(a_ptr);
  AscendC::GlobalTensor<half> b_gm;
  b_gm.SetGlobalBuffer(b_ptr);
  AscendC::GlobalTensor<float> c_gm;
  c_gm.SetGlobalBuffer(c_ptr);
  // a: 2 slots of 16384 bytes from 0, [128, 64] float16
  // b: 2 slots of 16384 bytes from 32768, [64, 128] float16
  // tile: 2 slots of 4096 bytes from 65536
  // a: 2 slots of 16384 bytes from 0, [128, 64] float16
  // tile: 2 slots of 4096 bytes from 32768
  // b: 2 slots of 16384 bytes from 0, [64, 128] float16
  // tile: 2 slots of 4096 bytes from 32768
  // acc: 2 slots of 65536 bytes from 0, [128, 128] float32
  const int64_t m_64 = static_cast<int64_t>(m);
  const int64_t k_64 = static_cast<int64_t>(k);
  const int64_t n_64 = static_cast<int64_t>(n);
  // matmul.py:20: columns = asc.ceildiv(n, tile_n)
  const int32_t columns = WrapAdd32(n, 127) / 128;
  // matmul.py:21: for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tile_m) * columns, asc2.block_num()):
  const int64_t v = AscendC::GetBlockIdx();
  const int32_t v1 = static_cast<int32_t>(v);
  const int32_t v2 = WrapMul32(WrapAdd32(m, 127) / 128, columns);
  const int64_t v3 = AscendC::GetBlockNum();
  const int32_t v4 = static_cast<int32_t>(v3);
  const int32_t v5 = WrapAdd32(k, 63) / 64;
  AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(0);
  AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(1);
  AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(0);
  AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(1);
  AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(2);
  AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(3);
  AscendC::SetFlag<AscendC::HardEvent::FIX_M>(0);
  AscendC::SetFlag<AscendC::HardEvent::FIX_M>(1);
  AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(4);
  AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(5);
  AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(2);
  AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(3);
  for (int32_t i = v1; i < v2; i = WrapAdd32(i, v4)) {
    const int64_t v6 = static_cast<int64_t>(DivUnsigned32(WrapSub32(i, v1), v4));
    const int64_t v7 = RemUnsigned64(v6, 2);
    const int64_t v8 = v7 + 2;
    const int64_t v9 = v7 + 4;
    // matmul.py:22: row, column = i // columns, i % columns
    const int32_t row = Div32(i, columns);
    const int32_t column = Rem32(i, columns);
    AscendC::LocalTensor<float> acc(AscendC::TPosition::CO1, static_cast<uint64_t>(v6) % 2 * 65536, 16384);
    const int64_t v10 = static_cast<int64_t>(WrapMul32(row, 128));
    const int64_t v11 = Min64(Max64(0 - v10, 0), 128);
    const int64_t v12 = Max64(Min64(Max64(m_64 - v10, 0), 128) - v11, 0);
    const int64_t v13 = (v10 + v11) * k_64;
    const bool v14 = v12 < 128;
    const int64_t v15 = static_cast<int64_t>(WrapMul32(column, 128));
    const int64_t v16 = Min64(Max64(0 - v15, 0), 128);
    const int64_t v17 = Max64(Min64(Max64(n_64 - v15, 0), 128) - v16, 0);
    const int64_t v18 = v15 + v16;
    const bool v19 = v17 < 128;
    // matmul.py:24: for j in asc2.range(asc.ceildiv(k, tile_k)):
    AscendC::WaitFlag<AscendC::HardEvent::FIX_M>(v7);
    int64_t carried = 1;
    for (int32_t j = 0; j < v5; ++j) {
      const int64_t j_64 = static_cast<int64_t>(j);
      const int64_t v20 = j_64 % 2;
      const int64_t v21 = v20 + 2;
      const int64_t v22 = static_cast<int64_t>(WrapMul32(j, 64));
      const int64_t v23 = Min64(Max64(k_64 - v22, 0), 64);
      const int64_t v24 = v13 + v22;
      AscendC::LocalTensor<half> a(AscendC::TPosition::A1, j_64 % 2 * 16384, 8192);
      const bool v25 = v23 < 64;
      // matmul.py:26: a = asc2.load(a_gm, [tile_m, tile_k], tile_id=[row, j], location=asc2.TileLocation.L0A)
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(v20);
      if (v14 || v25) {
        AscendC::InitConstValue(a, AscendC::InitConstValueParams<half>{1, 512, 0, half(0x0p0f)});
        AscendC::PipeBarrier<PIPE_MTE2>();
        AscendC::DataCopy(a[v11 * 16], a_gm[v24], AscendC::Nd2NzParams{1, static_cast<uint16_t>(v12), static_cast<uint32_t>(v23), 0, static_cast<uint64_t>(k_64), 128, 1, 0});
      } else {
        AscendC::DataCopy(a, a_gm[v24], AscendC::Nd2NzParams{1, 128, 64, 0, static_cast<uint64_t>(k_64), 128, 1, 0});
      }
      AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE1>(v20);
      AscendC::LocalTensor<half> a1(AscendC::TPosition::A2, j_64 % 2 * 16384, 8192);
      AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE1>(v20);
      AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(v20);
      AscendC::LoadData(a1, a, AscendC::LoadData2DParamsV2{0, 0, 8, 4, 8, 8, false, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(v20);
      const int64_t v26 = (v22 * n_64) + v18;
      AscendC::LocalTensor<half> b(AscendC::TPosition::A1, 32768 + j_64 % 2 * 16384, 8192);
      // matmul.py:27: b = asc2.load(b_gm, [tile_k, tile_n], tile_id=[j, column], location=asc2.TileLocation.L0B)
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(v21);
      if (v25 || v19) {
        AscendC::InitConstValue(b, AscendC::InitConstValueParams<half>{1, 512, 0, half(0x0p0f)});
        const int64_t v27 = v16 % 128;
        AscendC::PipeBarrier<PIPE_MTE2>();
        AscendC::DataCopy(b[((v27 / 16) * 1024) + (v27 % 16)], b_gm[v26], AscendC::Nd2NzParams{1, static_cast<uint16_t>(v23), static_cast<uint32_t>(v17), 0, static_cast<uint64_t>(n_64), 64, 1, 0});
      } else {
        AscendC::DataCopy(b, b_gm[v26], AscendC::Nd2NzParams{1, 64, 128, 0, static_cast<uint64_t>(n_64), 64, 1, 0});
      }
      AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE1>(v21);
      AscendC::LocalTensor<half> b1(AscendC::TPosition::B2, j_64 % 2 * 16384, 8192);
      AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE1>(v21);
      AscendC::LoadData(b1, b, AscendC::LoadData2DParamsV2{0, 0, 4, 8, 4, 8, true, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(v20);
      AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(v21);
      // matmul.py:28: asc2.matmul_acc(a, b, acc)
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(v20);
      AscendC::Mmad(acc, a1, b1, AscendC::MmadParams{128, 128, 64, 0, false, static_cast<bool>(carried)});
      AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(v20);
      carried = 0;
    }
    // matmul.py:29: asc2.store(acc, c_gm, tile_id=[row, column])
    if (carried == 1) {
      AscendC::LocalTensor<half> tile(AscendC::TPosition::A1, 65536 + static_cast<uint64_t>(v6) % 2 * 4096, 2048);
      AscendC::LocalTensor<half> tile1(AscendC::TPosition::A2, 32768 + static_cast<uint64_t>(v6) % 2 * 4096, 2048);
      AscendC::LocalTensor<half> tile2(AscendC::TPosition::B2, 32768 + static_cast<uint64_t>(v6) % 2 * 4096, 2048);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(v9);
      AscendC::InitConstValue(tile, AscendC::InitConstValueParams<half>{1, 128, 0, half(0x0p0f)});
      AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE1>(v9);
      AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE1>(v9);
      AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(v8);
      AscendC::LoadData(tile1, tile, AscendC::LoadData2DParamsV2{0, 0, 8, 1, 8, 8, false, 0});
      AscendC::LoadData(tile2, tile, AscendC::LoadData2DParamsV2{0, 0, 8, 1, 8, 8, false, 0});
      AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(v8);
      AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(v9);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(v8);
      AscendC::Mmad(acc, tile1, tile2, AscendC::MmadParams{128, 128, 16, 0, false, true});
      AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(v8);
    }
    AscendC::SetFlag<AscendC::HardEvent::M_FIX>(v7);
    const int64_t v28 = static_cast<int64_t>(WrapMul32(row, 128));
    const int64_t v29 = Min64(Max64(0 - v28, 0), 128);
    const int64_t v30 = static_cast<int64_t>(WrapMul32(column, 128));
    const int64_t v31 = Min64(Max64(0 - v30, 0), 128);
    const int64_t v32 = v31 % 128;
    AscendC::WaitFlag<AscendC::HardEvent::M_FIX>(v7);
    AscendC::PipeBarrier<PIPE_FIX>();
    AscendC::Fixpipe<float, float, AscendC::CFG_ROW_MAJOR>(c_gm[((v28 + v29) * n_64) + (v30 + v31)], acc[(v29 * 16) + (((v32 / 16) * 2048) + (v32 % 16))], AscendC::FixpipeParamsV220{static_cast<uint16_t>(Max64(Min64(Max64(n_64 - v30, 0), 128) - v31, 0)), static_cast<uint16_t>(Max64(Min64(Max64(m_64 - v28, 0), 128) - v29, 0)), 128, Field<uint32_t>(n_64), false, QuantMode_t::NoQuant, 0, 1, 0, 0, 0, false});
    AscendC::SetFlag<AscendC::HardEvent::FIX_M>(v7);
  }
  // matmul.py:21: for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tile_m) * columns, asc2.block_num()):
  AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(0);
  AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(1);
  AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(0);
  AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(1);
  AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(2);
  AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(3);
  AscendC::WaitFlag<AscendC::HardEvent::FIX_M>(0);
  AscendC::WaitFlag<AscendC::HardEvent::FIX_M>(1);
  AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(4);
  AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(5);
  AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(2);
  AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(3);
  AscendC::PipeBarrier<PIPE_ALL>();
}
