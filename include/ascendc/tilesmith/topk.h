// The k largest or smallest elements of each row, with their places: every row is sorted whole.
#ifndef TILESMITH_ASCENDC_TOPK_H
#define TILESMITH_ASCENDC_TOPK_H

#include "tilesmith/library_tilings.h"
#include "tilesmith/permute.h"
#include "tilesmith/queues.h"
#include "tilesmith/sorting.h"
#include <limits>

namespace AscendC {

struct TopKInfo {
  int32_t outter = 1, inner = 0, n = 0; // rows, elements from row to row, and those of them that count
};

} // namespace AscendC

namespace tilesmith {

// Parts of a temporary buffer, one after another.
class TopKWork {
public:
  TopKWork(const AscendC::LocalTensor<uint8_t> &buffer) : buffer(buffer) {}
  template <typename T> AscendC::LocalTensor<T> take(int64_t elements) {
    AscendC::LocalTensor<T> part = buffer[uint32_t(at)].template ReinterpretCast<T>();
    part.SetSize(uint32_t(elements));
    at += (elements * int64_t(sizeof(T)) + 31) / 32 * 32;
    return part;
  }

private:
  AscendC::LocalTensor<uint8_t> buffer;
  int64_t at = 0;
};

} // namespace tilesmith

namespace AscendC {

template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          TopKMode mode = TopKMode::TOPK_NORMAL>
inline void TopK(const LocalTensor<T> &dstValue, const LocalTensor<int32_t> &dstIndex, const LocalTensor<T> &src,
                 const LocalTensor<int32_t> &srcIndex, const LocalTensor<bool> &finish,
                 const LocalTensor<uint8_t> &work, int32_t k, const tiling::TopkTiling &, const TopKInfo &info,
                 bool isLargest = true, tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(std::is_same_v<T, half> || std::is_same_v<T, float>, "TopK takes half and float");
  if (info.inner <= 0 || info.inner % 32 || info.n <= 0 || info.n > info.inner || k <= 0 || k > info.n ||
      info.inner > 4096)
    return tilesmith::fail(where, TS_FINDING_LibraryOperand,
                           "TopK: inner is a multiple of 32 up to 4096, with n elements, of which k are at most all");
  if (int64_t(work.GetLength()) < tilesmith::topKBytes(info.inner, sizeof(T)))
    return tilesmith::fail(where, TS_FINDING_LibraryWork,
                           "TopK: the temporary buffer is smaller than GetTopKMaxMinTmpSize says");
  tilesmith::TopKWork parts(work);
  int32_t inner = info.inner, repeat = inner / 32;
  constexpr int32_t valueBlock = 32 / int32_t(sizeof(T)), indexBlock = 8;
  int32_t values = (k + valueBlock - 1) / valueBlock * valueBlock,
          places = (k + indexBlock - 1) / indexBlock * indexBlock;
  auto scores = parts.take<T>(inner), sortedValues = parts.take<T>(inner);
  auto index = parts.take<int32_t>(inner), sortedIndex = parts.take<int32_t>(inner);
  auto records = parts.take<T>(GetSortLen<T>(inner)), between = parts.take<T>(GetSortLen<T>(inner));
  for (int32_t row = 0; row < info.outter; ++row) {
    Muls(scores, src[row * inner], T(isLargest ? 1 : -1), int64_t(inner), where);
    for (int32_t i = info.n; i < inner; ++i) // what does not count comes last
      scores.SetValue(uint32_t(i), T(-std::numeric_limits<float>::infinity()), where);
    if constexpr (isInitIndex)
      Adds(index, srcIndex, int32_t(0), int64_t(inner), where);
    else
      CreateVecIndex(index, int32_t(0), uint32_t(inner), where);
    PipeBarrier<PIPE_V>(where);
    Sort<T, true>(records, scores, index.template ReinterpretCast<uint32_t>(), between, repeat, where);
    PipeBarrier<PIPE_V>(where);
    Extract(sortedValues, sortedIndex.template ReinterpretCast<uint32_t>(), records, repeat, where);
    PipeBarrier<PIPE_V>(where);
    Muls(dstValue[row * values], sortedValues, T(isLargest ? 1 : -1), int64_t(values < inner ? values : inner), where);
    if (isHasfinish && finish.GetValue(uint32_t(row), where))
      Duplicate(dstIndex[row * places], int32_t(info.n), int64_t(places), where);
    else
      Adds(dstIndex[row * places], sortedIndex, int32_t(0), int64_t(places < inner ? places : inner), where);
    PipeBarrier<PIPE_V>(where);
  }
}
template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          TopKMode mode = TopKMode::TOPK_NORMAL>
inline void TopK(const LocalTensor<T> &, const LocalTensor<int32_t> &, const LocalTensor<T> &,
                 const LocalTensor<int32_t> &, const LocalTensor<bool> &, int32_t, const tiling::TopkTiling &,
                 const TopKInfo &, bool = true, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::unsupported(where, "TopK without a temporary buffer");
}

} // namespace AscendC

#endif
