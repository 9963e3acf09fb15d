// Sorted records: a score and, from byte 4 of its 8, an index.
#ifndef TILESMITH_ASCENDC_SORTING_H
#define TILESMITH_ASCENDC_SORTING_H

#include "tilesmith/permute.h"

namespace AscendC {

// Records the last merge took from each of its lists.
inline void GetMrgSortResult(uint16_t &list1, uint16_t &list2, uint16_t &list3, uint16_t &list4,
                             tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::scalarWaitsForVector(where);
  uint64_t taken = uint64_t(tilesmith::api->tsm_merged(tilesmith::core));
  list1 = uint16_t(taken);
  list2 = uint16_t(taken >> 16);
  list3 = uint16_t(taken >> 32);
  list4 = uint16_t(taken >> 48);
}

template <typename T, bool isExhaustedSuspension = false>
inline void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &sources, const uint16_t elementCountList[4],
                    uint32_t sortedNum[4], uint16_t validBit, int32_t repeatTime,
                    tilesmith::Where where = tilesmith::Where::here()) {
  MrgSort(dst, sources, MrgSort4Info(elementCountList, isExhaustedSuspension, validBit, uint16_t(repeatTime)), where);
  if constexpr (isExhaustedSuspension) {
    uint16_t taken[4];
    GetMrgSortResult(taken[0], taken[1], taken[2], taken[3], where);
    for (int i = 0; i < 4; ++i)
      sortedNum[i] = taken[i];
  } else {
    for (int i = 0; i < 4; ++i)
      sortedNum[i] = validBit >> i & 1 ? elementCountList[i] : 0;
  }
}

template <typename T> inline uint32_t GetSortOffset(uint32_t elements) { return uint32_t(elements * (8 / sizeof(T))); }
template <typename T> inline uint32_t GetSortLen(uint32_t elements) { return GetSortOffset<T>(elements); }

// On this architecture scores are sorted where they are: nothing has to be put beside them first.
template <typename T>
inline void Concat(LocalTensor<T> &concat, const LocalTensor<T> &src, const LocalTensor<T> &, int32_t) {
  concat = src;
}

// Squares of 32 by themselves, or all of them.
template <typename T, bool isFullSort>
inline void Sort(const LocalTensor<T> &dst, const LocalTensor<T> &concat, const LocalTensor<uint32_t> &index,
                 const LocalTensor<T> &work, int32_t repeatTime, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_sort(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(), concat.tsAddress(),
                           index.tsAddress(), work.tsAddress(), repeatTime, isFullSort);
}

// Scores and indices of sorted records, apart again.
template <typename T>
inline void Extract(const LocalTensor<T> &dstValue, const LocalTensor<uint32_t> &dstIndex, const LocalTensor<T> &sorted,
                    int32_t repeatTime, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_extract(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dstValue.tsAddress(),
                              dstIndex.tsAddress(), sorted.tsAddress(), repeatTime);
}

} // namespace AscendC

#endif
