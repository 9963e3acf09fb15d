// Newer names of instructions: the kind of a reduction is a template argument, a comparison with a scalar is Compares.
#ifndef TILESMITH_ASCENDC_NAMES_H
#define TILESMITH_ASCENDC_NAMES_H

#include "tilesmith/instructions.h"
#include "tilesmith/registers.h"

namespace AscendC {

template <typename T, typename U>
inline void Compares(const LocalTensor<U> &dst, const LocalTensor<T> &src, const tilesmith::Same<T> &scalar,
                     CMPMODE mode, uint32_t count, tilesmith::Where where = tilesmith::Where::here()) {
  CompareScalar(dst, src, scalar, mode, count, where);
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
inline void Compares(const LocalTensor<U> &dst, const LocalTensor<T> &src, const tilesmith::Same<T> &scalar,
                     CMPMODE mode, const Mask &mask, uint8_t repeat, const UnaryRepeatParams &params,
                     tilesmith::Where where = tilesmith::Where::here()) {
  CompareScalar<T, U, isSetMask>(dst, src, scalar, mode, mask, repeat, params, where);
}

// Each repeat to one result. Of an extreme, `order` says whether its place follows.
template <ReduceType kind, typename T, bool isSetMask = true, typename Mask>
inline void ReduceRepeat(const LocalTensor<T> &dst, const LocalTensor<T> &src, const Mask &mask, int32_t repeat,
                         int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,
                         ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX,
                         tilesmith::Where where = tilesmith::Where::here()) {
  if constexpr (kind == ReduceType::SUM)
    WholeReduceSum<T, isSetMask>(dst, src, mask, repeat, dstRepStride, srcBlkStride, srcRepStride, where);
  else if constexpr (kind == ReduceType::MAX)
    WholeReduceMax<T, isSetMask>(dst, src, mask, repeat, dstRepStride, srcBlkStride, srcRepStride, order, where);
  else
    WholeReduceMin<T, isSetMask>(dst, src, mask, repeat, dstRepStride, srcBlkStride, srcRepStride, order, where);
}
// Each 32-byte block to one result.
template <ReduceType kind, typename T, bool isSetMask = true, typename Mask>
inline void ReduceDataBlock(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t repeat, const Mask &mask,
                            int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,
                            tilesmith::Where where = tilesmith::Where::here()) {
  if constexpr (kind == ReduceType::SUM)
    BlockReduceSum<T, isSetMask>(dst, src, repeat, mask, dstRepStride, srcBlkStride, srcRepStride, where);
  else if constexpr (kind == ReduceType::MAX)
    BlockReduceMax<T, isSetMask>(dst, src, repeat, mask, dstRepStride, srcBlkStride, srcRepStride, where);
  else
    BlockReduceMin<T, isSetMask>(dst, src, repeat, mask, dstRepStride, srcBlkStride, srcRepStride, where);
}
// Neighbours to one result.
template <ReduceType kind, typename T, bool isSetMask = true, typename Mask>
inline void ReducePairElem(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t repeat, const Mask &mask,
                           int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,
                           tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(kind == ReduceType::SUM, "ReducePairElem adds neighbours");
  PairReduceSum<T, isSetMask>(dst, src, repeat, mask, dstRepStride, srcBlkStride, srcRepStride, where);
}

} // namespace AscendC

#endif
