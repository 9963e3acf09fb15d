// The C API: the cube core. A pointer into L1, L0A, L0B, L0C or the bias table is an offset there: nothing on the host
// lies behind it.
#ifndef TILESMITH_ASCENDC_CAPI_CUBE_H
#define TILESMITH_ASCENDC_CAPI_CUBE_H

#include "tilesmith/capi_moves.h"

namespace tilesmith {

template <typename T> AscendC::LocalTensor<T> tensorIn(AscendC::TPosition position, const T *pointer) {
  Memory memory = memoryOf(position);
  int64_t offset = int64_t(reinterpret_cast<intptr_t>(pointer));
  int64_t left = api->tsm_capacity(core, int64_t(memory)) - offset;
  return AscendC::LocalTensor<T>::tsAt(addressOf(memory, offset), uint32_t(left > 0 ? left / int64_t(sizeof(T)) : 0),
                                       position);
}
template <typename T> auto inL1(const T *pointer) { return tensorIn(AscendC::TPosition::A1, pointer); }
inline auto bytesInL1(const void *pointer) { return inL1(static_cast<const uint16_t *>(pointer)); }

} // namespace tilesmith

// An address by its number.
inline void *asc_get_phy_buf_addr(uint64_t offset) { return reinterpret_cast<void *>(uintptr_t(offset)); }

//===- Global memory to L1
//-----------------------------------------------------------------------------------------===//

inline void asc_copy_gm2l1(void *dst, const void *src, uint32_t bytes,
                           tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::DataCopy(tilesmith::bytesInL1(dst), tilesmith::globalAt(static_cast<const uint16_t *>(src)),
                    AscendC::DataCopyParams{1, uint16_t((bytes + 31) / 32), 0, 0}, where);
}
inline void asc_copy_gm2l1(void *dst, const void *src, uint16_t bursts, uint16_t blocks, uint16_t srcGap,
                           uint16_t dstGap, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::DataCopy(tilesmith::bytesInL1(dst), tilesmith::globalAt(static_cast<const uint16_t *>(src)),
                    AscendC::DataCopyParams{bursts, blocks, srcGap, dstGap}, where);
}
inline void asc_copy_gm2l1_sync(void *dst, const void *src, uint32_t bytes,
                                tilesmith::Where where = tilesmith::Where::here()) {
  asc_copy_gm2l1(dst, src, bytes, where);
  tilesmith::waitForAll(where);
}
// Rows to fractals.
template <typename T>
inline void asc_copy_gm2l1_nd2nz(T *dst, T *src, uint16_t ndNum, uint16_t nValue, uint16_t dValue,
                                 uint16_t srcNdMatrixStride, uint16_t srcDValue, uint16_t dstNzC0Stride,
                                 uint16_t dstNzNStride, uint16_t dstNzMatrixStride,
                                 tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Nd2NzParams params;
  params.ndNum = ndNum;
  params.nValue = nValue;
  params.dValue = dValue;
  params.srcNdMatrixStride = srcNdMatrixStride;
  params.srcDValue = srcDValue;
  params.dstNzC0Stride = dstNzC0Stride;
  params.dstNzNStride = dstNzNStride;
  params.dstNzMatrixStride = dstNzMatrixStride;
  AscendC::DataCopy(tilesmith::inL1(dst), tilesmith::globalAt(src), params, where);
}

//===- L1 to the factors, products, results
//------------------------------------------------------------------------===//

#define TILESMITH_CAPI_FRACTALS(NAME, POSITION, TURNED)                                                                \
  template <typename T>                                                                                                \
  inline void asc_copy_l12##NAME(T *dst, T *src, uint16_t first, uint8_t repeat, uint16_t srcStride, uint16_t dstGap,  \
                                 tilesmith::Where where = tilesmith::Where::here()) {                                  \
    AscendC::LoadData(tilesmith::tensorIn(AscendC::TPosition::POSITION, dst), tilesmith::inL1(src),                    \
                      AscendC::LoadData2DParams(first, repeat, srcStride, 0, dstGap, TURNED, 0), where);               \
  }
TILESMITH_CAPI_FRACTALS(l0a, A2, false)
TILESMITH_CAPI_FRACTALS(l0b, B2, false)
TILESMITH_CAPI_FRACTALS(l0a_transpose, A2, true)
TILESMITH_CAPI_FRACTALS(l0b_transpose, B2, true)
#undef TILESMITH_CAPI_FRACTALS

template <typename C, typename A, typename B>
inline void asc_mmad(C *c, A *a, B *b, uint16_t m, uint16_t k, uint16_t n, uint8_t unitFlag = 0,
                     bool fromBiasTable = false, bool startsAtZero = true,
                     tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::MmadParams params;
  params.m = m;
  params.n = n;
  params.k = k;
  params.unitFlag = unitFlag;
  params.cmatrixSource = fromBiasTable;
  params.cmatrixInitVal = startsAtZero;
  AscendC::Mmad(tilesmith::tensorIn(AscendC::TPosition::CO1, c), tilesmith::tensorIn(AscendC::TPosition::A2, a),
                tilesmith::tensorIn(AscendC::TPosition::B2, b), params, where);
}

// How results become rows; of the calls of asc_copy_l0c2gm that follow.
inline void asc_set_l0c2gm_nz2nd(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride) {
  AscendC::SetFixpipeNz2ndFlag(ndNum, srcNdStride, dstNdStride);
}
inline void asc_set_l0c2gm_prequant(uint64_t scale) { AscendC::SetFixpipePreQuantFlag(scale); }
template <typename T, typename C>
inline void asc_copy_l0c2gm(T *dst, C *src, uint16_t nSize, uint16_t mSize, uint32_t dstStride, uint16_t srcStride,
                            uint8_t unitFlag, QuantMode_t quantPre, uint8_t relu, bool channelSplit, bool toRows,
                            tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::FixpipeParamsV220 params;
  params.nSize = nSize;
  params.mSize = mSize;
  params.srcStride = srcStride;
  params.dstStride = dstStride;
  params.quantPre = quantPre;
  params.reluEn = relu != 0;
  params.unitFlag = unitFlag;
  params.isChannelSplit = channelSplit;
  auto to = tilesmith::globalAt(dst);
  auto from = tilesmith::tensorIn(AscendC::TPosition::CO1, src);
  if (toRows)
    AscendC::Fixpipe<T, C, AscendC::CFG_ROW_MAJOR>(to, from, params, where);
  else
    AscendC::Fixpipe<T, C, AscendC::CFG_NZ>(to, from, params, where);
}

//===- Atomic copies, the mask of comparisons, other cores
//----------------------------------------------------------===//

#define TILESMITH_CAPI_ATOMIC(NAME, T)                                                                                 \
  inline void asc_set_atomic_add_##NAME(tilesmith::Where where = tilesmith::Where::here()) {                           \
    AscendC::SetAtomicAdd<T>(where);                                                                                   \
  }                                                                                                                    \
  inline void asc_set_atomic_max_##NAME(tilesmith::Where where = tilesmith::Where::here()) {                           \
    AscendC::SetAtomicMax<T>(where);                                                                                   \
  }                                                                                                                    \
  inline void asc_set_atomic_min_##NAME(tilesmith::Where where = tilesmith::Where::here()) {                           \
    AscendC::SetAtomicMin<T>(where);                                                                                   \
  }
TILESMITH_CAPI_ATOMIC(float, float)
TILESMITH_CAPI_ATOMIC(float16, half)
TILESMITH_CAPI_ATOMIC(half, half)
TILESMITH_CAPI_ATOMIC(bfloat16, bfloat16_t)
TILESMITH_CAPI_ATOMIC(int, int32_t)
TILESMITH_CAPI_ATOMIC(int32, int32_t)
TILESMITH_CAPI_ATOMIC(int16, int16_t)
TILESMITH_CAPI_ATOMIC(int8, int8_t)
#undef TILESMITH_CAPI_ATOMIC
inline void asc_set_atomic_none(tilesmith::Where where = tilesmith::Where::here()) { AscendC::SetAtomicNone(where); }

inline void asc_sync_block_arrive(pipe_t pipe, uint8_t mode, int64_t flag,
                                  tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::setCrossCore(mode, pipe, flag, where);
}
inline void asc_sync_block_wait(pipe_t pipe, uint8_t mode, int64_t flag,
                                tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::waitCrossCore(mode, pipe, flag, where);
}
inline void asc_sync_data_barrier(mem_dsb_t barrier) { dsb(barrier); }
inline void asc_dcci_single(const void *) {}
inline void asc_dcci_entire(const void *) {}

#endif
