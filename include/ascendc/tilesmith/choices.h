// Instructions whose Ascend C name stands for several of the table: which one an argument decides.
#ifndef TILESMITH_ASCENDC_CHOICES_H
#define TILESMITH_ASCENDC_CHOICES_H

#include "tilesmith/sync.h"

namespace AscendC {

#define TILESMITH_WHOLE_REDUCE(NAME, ENTRY)                                                                            \
  template <typename T, bool isSetMask = true, typename Mask>                                                          \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const Mask &mask, int64_t repeat,             \
                   int64_t dstRep, int64_t srcBlk, int64_t srcRep, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    int64_t active = tilesmith::maskOf<isSetMask, 256 / int64_t(sizeof(T))>(mask);                                     \
    if (order == ReduceOrder::ORDER_ONLY_VALUE)                                                                        \
      tilesmith::api->tsm_##ENTRY(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),              \
                                  src.tsAddress(), active, repeat, dstRep, srcBlk, srcRep);                            \
    else                                                                                                               \
      tilesmith::api->tsm_##ENTRY##_index(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),      \
                                          src.tsAddress(), active, repeat, dstRep, srcBlk, srcRep, int64_t(order));    \
  }
TILESMITH_WHOLE_REDUCE(WholeReduceMax, whole_reduce_max)
TILESMITH_WHOLE_REDUCE(WholeReduceMin, whole_reduce_min)
#undef TILESMITH_WHOLE_REDUCE

template <typename T, bool isSetMask = true, typename Mask>
inline void RepeatReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t repeat, const Mask &mask,
                            int64_t, int64_t srcBlk, int64_t dstRep, int64_t srcRep,
                            tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_whole_reduce_sum(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                       src.tsAddress(), tilesmith::maskOf<isSetMask, 256 / int64_t(sizeof(T))>(mask),
                                       repeat, dstRep, srcBlk, srcRep);
}

// Select between two tensors by the bits of a third. In mode 0 every repeat uses the first lanes' bits again.
template <typename T, typename U, bool isSetMask = true>
inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
                   const LocalTensor<T> &src1, SELMODE mode, uint32_t count,
                   tilesmith::Where where = tilesmith::Where::here()) {
  if (mode == SELMODE::VSEL_CMPMASK_SPR) {
    constexpr int64_t lanes = 256 / int64_t(sizeof(T));
    for (int64_t done = 0; done < int64_t(count); done += lanes) {
      int64_t at = done * int64_t(sizeof(T)), now = count - done < lanes ? count - done : lanes;
      tilesmith::api->tsm_select(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress() + at,
                                 selMask.tsAddress(), src0.tsAddress() + at, src1.tsAddress() + at, now);
    }
    return;
  }
  tilesmith::api->tsm_select(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                             selMask.tsAddress(), src0.tsAddress(), src1.tsAddress(), count);
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
                   const LocalTensor<T> &src1, SELMODE mode, const Mask &mask, int64_t repeat,
                   const BinaryRepeatParams &params, tilesmith::Where where = tilesmith::Where::here()) {
  constexpr int64_t lanes = 256 / int64_t(sizeof(T));
  bool again = mode == SELMODE::VSEL_CMPMASK_SPR;
  for (int64_t r = 0; r < (again ? repeat : 1); ++r)
    tilesmith::api->tsm_select_r(
        tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress() + r * params.dstRepStride * 32,
        selMask.tsAddress(), src0.tsAddress() + r * params.src0RepStride * 32,
        src1.tsAddress() + r * params.src1RepStride * 32, tilesmith::maskOf<isSetMask, lanes>(mask), again ? 1 : repeat,
        params.dstBlkStride, params.src0BlkStride, params.src1BlkStride, params.dstRepStride, params.src0RepStride,
        params.src1RepStride);
}
// The second source is a scalar.
template <typename T, typename U, bool isSetMask = true>
inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
                   tilesmith::Same<T> src1, SELMODE, uint32_t count,
                   tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_select_scalar(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                    selMask.tsAddress(), src0.tsAddress(), tilesmith::bitsOf<T>(src1), count);
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
                   tilesmith::Same<T> src1, SELMODE, const Mask &mask, int64_t repeat, const BinaryRepeatParams &params,
                   tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_select_scalar_r(
      tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(), selMask.tsAddress(), src0.tsAddress(),
      tilesmith::bitsOf<T>(src1), tilesmith::maskOf<isSetMask, 256 / int64_t(sizeof(T))>(mask), repeat,
      params.dstBlkStride, params.src0BlkStride, params.dstRepStride, params.src0RepStride);
}

// Through the compare register: one repeat compared, every repeat chosen by it.
template <typename T, bool isSetMask = true, typename Mask>
inline void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE mode, const Mask &mask,
                    const BinaryRepeatParams &params, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_compare_to_register(
      tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), src0.tsAddress(), src1.tsAddress(), int64_t(mode),
      tilesmith::maskOf<isSetMask, 256 / int64_t(sizeof(T))>(mask), params.src0BlkStride, params.src1BlkStride);
}
template <typename T, SELMODE mode = SELMODE::VSEL_CMPMASK_SPR>
inline void Select(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint8_t repeat,
                   const BinaryRepeatParams &params, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_select_by_register(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                         src0.tsAddress(), src1.tsAddress(), TS_MASK_BITS, repeat, params.dstBlkStride,
                                         params.src0BlkStride, params.src1BlkStride, params.dstRepStride,
                                         params.src0RepStride, params.src1RepStride);
}
template <typename T>
inline void GetCmpMask(const LocalTensor<T> &dst, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_get_cmp_mask(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress());
}
template <typename T>
inline void SetCmpMask(const LocalTensor<T> &src, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_set_cmp_mask(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), src.tsAddress());
}

} // namespace AscendC

#endif
