// The C API: reductions within repeats and blocks, gathers, blocks of one element, transposes, sorts.
#ifndef TILESMITH_ASCENDC_CAPI_REDUCE_H
#define TILESMITH_ASCENDC_CAPI_REDUCE_H

#include "tilesmith/capi_moves.h"

// Each repeat to one result, each block, neighbours: under the mask set before.
#define TILESMITH_CAPI_BLOCKS(NAME, CALL)                                                                              \
  template <typename T>                                                                                                \
  inline void asc_##NAME(T *dst, T *src, uint8_t repeat, uint16_t dstRepeatStride, uint16_t srcBlockStride,            \
                         uint16_t srcRepeatStride, tilesmith::Where where = tilesmith::Where::here()) {                \
    AscendC::CALL<T, false>(tilesmith::tensorAt(dst), tilesmith::tensorAt(src), repeat, AscendC::MASK_PLACEHOLDER,     \
                            dstRepeatStride, srcBlockStride, srcRepeatStride, where);                                  \
  }
TILESMITH_CAPI_BLOCKS(datablock_reduce_sum, BlockReduceSum)
TILESMITH_CAPI_BLOCKS(datablock_reduce_max, BlockReduceMax)
TILESMITH_CAPI_BLOCKS(datablock_reduce_min, BlockReduceMin)
TILESMITH_CAPI_BLOCKS(pair_reduce_sum, PairReduceSum)
#undef TILESMITH_CAPI_BLOCKS
template <typename T>
inline void asc_repeat_reduce_sum(T *dst, T *src, uint8_t repeat, uint16_t dstRepeatStride, uint16_t srcBlockStride,
                                  uint16_t srcRepeatStride, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::WholeReduceSum<T, false>(tilesmith::tensorAt(dst), tilesmith::tensorAt(src), AscendC::MASK_PLACEHOLDER,
                                    repeat, dstRepeatStride, srcBlockStride, srcRepeatStride, where);
}
#define TILESMITH_CAPI_EXTREME(NAME, CALL)                                                                             \
  template <typename T>                                                                                                \
  inline void asc_##NAME(T *dst, T *src, uint8_t repeat, uint16_t dstRepeatStride, uint16_t srcBlockStride,            \
                         uint16_t srcRepeatStride,                                                                     \
                         AscendC::ReduceOrder order = AscendC::ReduceOrder::ORDER_VALUE_INDEX,                         \
                         tilesmith::Where where = tilesmith::Where::here()) {                                          \
    AscendC::CALL<T, false>(tilesmith::tensorAt(dst), tilesmith::tensorAt(src), AscendC::MASK_PLACEHOLDER, repeat,     \
                            dstRepeatStride, srcBlockStride, srcRepeatStride, order, where);                           \
  }
TILESMITH_CAPI_EXTREME(repeat_reduce_max, WholeReduceMax)
TILESMITH_CAPI_EXTREME(repeat_reduce_min, WholeReduceMin)
#undef TILESMITH_CAPI_EXTREME

template <typename T>
inline void asc_brcb(T *dst, T *src, uint16_t dstBlockStride, uint16_t dstRepeatStride, uint8_t repeat,
                     tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Brcb(tilesmith::tensorAt(dst), tilesmith::tensorAt(src), repeat, {dstBlockStride, dstRepeatStride}, where);
}
template <typename T>
inline void asc_gather(T *dst, T *src, uint32_t *offsets, uint32_t base, uint32_t count,
                       tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Gather(tilesmith::tensorAt(dst), tilesmith::tensorAt(src), tilesmith::tensorAt(offsets), base, count, where);
}
template <typename T> inline void asc_transpose(T *dst, T *src, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Transpose(tilesmith::tensorAt(dst), tilesmith::tensorAt(src), where);
}
template <typename T>
inline void asc_bitsort(T *dst, T *src, uint32_t *index, uint8_t repeat,
                        tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Sort32(tilesmith::tensorAt(dst), tilesmith::tensorAt(src), tilesmith::tensorAt(index), repeat, where);
}

#endif
