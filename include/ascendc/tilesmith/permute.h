// Gather and GatherMask, whose calls carry more than the instructions take.
#ifndef TILESMITH_ASCENDC_PERMUTE_H
#define TILESMITH_ASCENDC_PERMUTE_H

#include "tilesmith/sync.h"

namespace AscendC {

enum class GatherMaskMode { DEFAULT };
inline constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::DEFAULT;

// Offsets are bytes; they may name any element of the source tensor.
template <typename T>
inline void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset,
                   uint32_t srcBaseAddr, uint32_t count, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::countForm();
  tilesmith::api->tsm_gather(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(), src.tsAddress(),
                             srcOffset.tsAddress(), srcBaseAddr, src.GetLength(), count);
}
template <typename T>
inline void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset,
                   uint32_t srcBaseAddr, uint64_t mask, uint8_t repeatTimes, uint16_t dstRepStride,
                   tilesmith::Where where = tilesmith::Where::here()) {
  constexpr int64_t lanes = 256 / int64_t(sizeof(T));
  for (int64_t r = 0; r < repeatTimes; ++r)
    tilesmith::api->tsm_gather(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(),
                               dst.tsAddress() + r * dstRepStride * 32, src.tsAddress(),
                               srcOffset.tsAddress() + r * lanes * 4, srcBaseAddr, src.GetLength(),
                               mask < uint64_t(lanes) ? int64_t(mask) : lanes);
}

// By one of the built-in patterns. `kept` counts the elements of the destination.
template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
inline void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, uint8_t pattern, bool reduceMode,
                       uint32_t mask, const GatherMaskParams &params, uint64_t &kept,
                       tilesmith::Where where = tilesmith::Where::here()) {
  int64_t elements = reduceMode ? int64_t(mask) : 256 / int64_t(sizeof(T));
  tilesmith::api->tsm_gather_mask(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                  src0.tsAddress(), pattern, elements, params.repeatTimes, params.src0BlockStride,
                                  params.src0RepeatStride);
  int64_t of = 0;
  for (int64_t i = 0; i < elements; ++i)
    of += pattern == 7 || (pattern <= 2 ? i % 2 == pattern - 1 : i % 4 == pattern - 3);
  kept = uint64_t(of) * params.repeatTimes;
}
template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
inline void GatherMask(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<U> &, bool, uint32_t,
                       const GatherMaskParams &, uint64_t &) {
  static_assert(tilesmith::alwaysFalse<U>,
                "GatherMask by a tensor of bits is not in the model yet; the patterns 1 to 7 are");
}

} // namespace AscendC

#endif
