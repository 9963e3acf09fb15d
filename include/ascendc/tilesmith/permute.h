// GatherMask, which says how many elements it kept, and TransDataTo5HD, which takes arrays of tensors.
#ifndef TILESMITH_ASCENDC_PERMUTE_H
#define TILESMITH_ASCENDC_PERMUTE_H

#include "tilesmith/sync.h"

namespace AscendC {

enum class GatherMaskMode { DEFAULT };
inline constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::DEFAULT;

// By one of the built-in patterns. `kept` counts the elements of the destination.
template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
inline void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, uint8_t pattern, bool reduceMode,
                       uint32_t mask, const GatherMaskParams &params, uint64_t &kept,
                       tilesmith::Where where = tilesmith::Where::here()) {
  int64_t elements = reduceMode ? int64_t(mask) : tilesmith::lanesOf<T>();
  tilesmith::api->tsm_gather_mask(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                  src0.tsAddress(), pattern, elements, params.repeatTimes, params.src0BlockStride,
                                  params.src0RepeatStride);
  int64_t of = 0;
  for (int64_t i = 0; i < elements; ++i)
    of += pattern == 7 || (pattern <= 2 ? i % 2 == pattern - 1 : i % 4 == pattern - 3);
  kept = uint64_t(of) * params.repeatTimes;
}
// By the bits of a tensor: repeat r has its own, src1RepeatStride blocks further on. How many were kept is known when V
// is through, so the scalar unit waits for it.
template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
inline void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<U> &pattern,
                       bool reduceMode, uint32_t mask, const GatherMaskParams &params, uint64_t &kept,
                       tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_gather_mask_bits(
      tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(), src0.tsAddress(), pattern.tsAddress(),
      reduceMode ? int64_t(mask) : tilesmith::lanesOf<T>(), params.repeatTimes, params.src0BlockStride,
      params.src0RepeatStride, params.src1RepeatStride, dst.GetSize());
  tilesmith::scalarWaitsForVector(where);
  kept = uint64_t(tilesmith::api->tsm_kept(tilesmith::core));
}
// Elements the last GatherMask kept.
inline int64_t GetGatherMaskRemainCount(tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::scalarWaitsForVector(where);
  return tilesmith::api->tsm_kept(tilesmith::core);
}

} // namespace AscendC

namespace tilesmith {

// 16 addresses of UB in blocks of 32 bytes, four to a word.
struct Rows {
  int64_t words[4] = {};
  bool fit = true;
  void add(int i, int64_t offset) {
    fit &= offset >= 0 && offset % chip::blockBytes == 0 && offset / chip::blockBytes <= 0xffff;
    words[i / 4] |= int64_t(uint64_t(offset / chip::blockBytes & 0xffff) << (i % 4 * 16));
  }
};

inline void transposeRows(const Rows &to, const Rows &from, const AscendC::TransDataTo5HDParams &params, int64_t size,
                          Where where) {
  if (!to.fit || !from.fit)
    return unsupported(where, "TransDataTo5HD of rows that do not start on 32 bytes of UB");
  api->tsm_trans_data_rows(core, where.loc(), to.words[0], to.words[1], to.words[2], to.words[3], from.words[0],
                           from.words[1], from.words[2], from.words[3], params.dstHighHalf, params.srcHighHalf,
                           params.repeatTimes, params.dstRepStride, params.srcRepStride, size);
}

} // namespace tilesmith

namespace AscendC {

template <typename T>
inline void TransDataTo5HD(const LocalTensor<T> (&dst)[16], const LocalTensor<T> (&src)[16],
                           const TransDataTo5HDParams &params, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::Rows to, from;
  for (int i = 0; i < 16; ++i) {
    to.add(i, tilesmith::offsetOf(dst[i].tsAddress()));
    from.add(i, tilesmith::offsetOf(src[i].tsAddress()));
  }
  tilesmith::transposeRows(to, from, params, int64_t(sizeof(T)), where);
}
// Addresses as GetPhyAddr gives them.
template <typename T>
inline void TransDataTo5HD(uint64_t dst[16], uint64_t src[16], const TransDataTo5HDParams &params,
                           tilesmith::Where where = tilesmith::Where::here()) {
  auto base = reinterpret_cast<uint64_t>(tilesmith::api->tsm_ub(tilesmith::core));
  tilesmith::Rows to, from;
  for (int i = 0; i < 16; ++i) {
    to.add(i, int64_t(dst[i] - base));
    from.add(i, int64_t(src[i] - base));
  }
  tilesmith::transposeRows(to, from, params, int64_t(sizeof(T)), where);
}

// Two tensors of addresses, which the scalar unit reads.
template <typename T>
inline void TransDataTo5HD(const LocalTensor<uint64_t> &dst, const LocalTensor<uint64_t> &src,
                           const TransDataTo5HDParams &params, tilesmith::Where where = tilesmith::Where::here()) {
  uint64_t to[16], from[16];
  for (uint32_t i = 0; i < 16; ++i)
    to[i] = dst.GetValue(i, where);
  for (uint32_t i = 0; i < 16; ++i)
    from[i] = src.GetValue(i, where);
  TransDataTo5HD<T>(to, from, params, where);
}

} // namespace AscendC

#endif
