// DataCopy and DataCopyPad in the forms that are not one generated call each.
#ifndef TILESMITH_ASCENDC_MOVES_H
#define TILESMITH_ASCENDC_MOVES_H

#include "tilesmith/sync.h"

namespace AscendC {

// GM to UB or L1: whole 32-byte blocks; a count that is none is cut off, as on the chip.
template <typename T>
inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &params,
                     tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_copy_gm_to_ub(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                    src.tsAddress(), params.blockCount, int64_t(params.blockLen) * 32,
                                    int64_t(params.srcStride) * 32, params.dstStride, 0, 0, 0, 0);
}
template <typename T>
inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, uint32_t count,
                     tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_copy_gm_to_ub(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                    src.tsAddress(), 1, int64_t(count) * int64_t(sizeof(T)) / 32 * 32, 0, 0, 0, 0, 0,
                                    0);
}

template <typename T>
inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params,
                     tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_copy_ub_to_gm(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                    src.tsAddress(), params.blockCount, int64_t(params.blockLen) * 32, params.srcStride,
                                    int64_t(params.dstStride) * 32);
}
template <typename T>
inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count,
                     tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_copy_ub_to_gm(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                    src.tsAddress(), 1, int64_t(count) * int64_t(sizeof(T)) / 32 * 32, 0, 0);
}

} // namespace AscendC

namespace tilesmith {

// Between memories of a core other than UB: only what L1 hands to the bias table. Lengths in 32-byte blocks, in the
// table 64.
template <typename T, typename U>
bool copyFromL1(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<U> &src, int64_t blocks,
                int64_t elements, int64_t srcStride, int64_t dstStride, Where where) {
  Memory to = memoryAt(dst.tsAddress()), from = memoryAt(src.tsAddress());
  if (to == Memory::UB && from == Memory::UB)
    return false;
  if (to == Memory::BT && from == Memory::L1)
    api->tsm_copy_l1_to_table(core, where.loc(), dtypeOf<T>(), dtypeOf<U>(), dst.tsAddress(), src.tsAddress(), blocks,
                              elements, srcStride, dstStride * 2);
  else
    unsupported(where, "DataCopy between these positions: inside UB, and from C1 to C2");
  return true;
}

} // namespace tilesmith

namespace AscendC {

// Inside UB, on the vector pipe.
template <typename T>
inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count,
                     tilesmith::Where where = tilesmith::Where::here()) {
  if (tilesmith::copyFromL1(dst, src, 1, count, 0, 0, where))
    return;
  tilesmith::api->tsm_copy(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(), src.tsAddress(),
                           count);
}
template <typename T>
inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params,
                     tilesmith::Where where = tilesmith::Where::here()) {
  int64_t elements = int64_t(params.blockLen) * 32 / int64_t(sizeof(T));
  if (tilesmith::copyFromL1(dst, src, params.blockCount, params.blockLen * 64 / int64_t(sizeof(T)), params.srcStride,
                            params.dstStride, where))
    return;
  if (params.srcStride == 0 && params.dstStride == 0)
    return tilesmith::api->tsm_copy(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                    src.tsAddress(), elements * params.blockCount);
  for (int64_t i = 0; i < params.blockCount; ++i)
    tilesmith::api->tsm_copy(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(),
                             dst.tsAddress() + i * (params.blockLen + params.dstStride) * 32,
                             src.tsAddress() + i * (params.blockLen + params.srcStride) * 32, elements);
}

// Into another element type: a bias that widens on its way into the bias table.
template <typename T, typename U>
inline std::enable_if_t<!std::is_same_v<T, U>> DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                                                        const DataCopyParams &params,
                                                        tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::copyFromL1(dst, src, params.blockCount, params.blockLen * 64 / int64_t(sizeof(T)), params.srcStride,
                             params.dstStride, where))
    tilesmith::unsupported(where, "DataCopy from one element type to another inside UB");
}
template <typename T, typename U>
inline std::enable_if_t<!std::is_same_v<T, U>> DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                                                        uint32_t count,
                                                        tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::copyFromL1(dst, src, 1, count, 0, 0, where))
    tilesmith::unsupported(where, "DataCopy from one element type to another inside UB");
}

enum class BlockMode : uint8_t {
  BLOCK_MODE_NORMAL,
  BLOCK_MODE_MATRIX,
  BLOCK_MODE_VECTOR,
  BLOCK_MODE_SMALL_CHANNEL,
  BLOCK_MODE_DEPTHWISE
};
enum class DeqScale : uint8_t { DEQ_NONE, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 };
struct DataCopyEnhancedParams {
  BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
  DeqScale deqScale = DeqScale::DEQ_NONE;
  uint64_t deqValue = 0;
  uint8_t sidStoreMode = 0;
  bool isRelu = false;
};
template <typename Dst, typename Src>
inline void DataCopy(const Dst &dst, const Src &src, const DataCopyParams &params,
                     const DataCopyEnhancedParams &enhanced, tilesmith::Where where = tilesmith::Where::here()) {
  if (enhanced.blockMode != BlockMode::BLOCK_MODE_NORMAL || enhanced.deqScale != DeqScale::DEQ_NONE || enhanced.isRelu)
    return tilesmith::unsupported(where, "DataCopy with DataCopyEnhancedParams other than its defaults");
  DataCopy(dst, src, params, where);
}

// Fractals in UB to rows in GM: every 32-byte column is one strided copy.
struct Nz2NdParamsFull {
  uint16_t ndNum = 0, nValue = 0, dValue = 0, srcNdMatrixStride = 0, srcNStride = 0, dstDStride = 0,
           dstNdMatrixStride = 0;
  Nz2NdParamsFull() = default;
  Nz2NdParamsFull(uint16_t num, uint16_t n, uint16_t d, uint16_t srcMatrix, uint16_t srcN, uint16_t dstD,
                  uint16_t dstMatrix)
      : ndNum(num), nValue(n), dValue(d), srcNdMatrixStride(srcMatrix), srcNStride(srcN), dstDStride(dstD),
        dstNdMatrixStride(dstMatrix) {}
};
template <typename T>
inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const Nz2NdParamsFull &params,
                     tilesmith::Where where = tilesmith::Where::here()) {
  constexpr int64_t size = int64_t(sizeof(T)), width = 32 / size;
  for (int64_t matrix = 0; matrix < params.ndNum; ++matrix)
    for (int64_t column = 0; column < params.dValue; column += width) {
      int64_t elements = params.dValue - column < width ? params.dValue - column : width;
      tilesmith::api->tsm_copy_ub_to_gm(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(),
                                        dst.tsAddress() + (matrix * params.dstNdMatrixStride + column) * size,
                                        src.tsAddress() + matrix * params.srcNdMatrixStride * 256 * size +
                                            column / width * params.srcNStride * 32,
                                        params.nValue, elements * size, 0, (params.dstDStride - elements) * size);
    }
}

// Boxes of tensors of several dimensions: from start to end of each, in runs of the innermost; one copy for each run.
struct SliceInfo {
  uint32_t startIndex = 0, endIndex = 31, stride = 0, burstLen = 32, shapeValue = 0;
};
template <typename Dst, typename Src>
inline void DataCopy(const Dst &, const Src &, const SliceInfo[], const SliceInfo[], uint32_t = 1) {
  static_assert(tilesmith::alwaysFalse<Dst>, "DataCopy by SliceInfo is not in the model yet; use DataCopyParams");
}

// The older parameter structs of DataCopyPad.
template <typename T>
inline void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &params,
                        const DataCopyPadParams &pad, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_copy_gm_to_ub(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                    src.tsAddress(), params.blockCount, params.blockLen, params.srcStride,
                                    params.dstStride, pad.isPad, pad.leftPadding, pad.rightPadding,
                                    int64_t(pad.paddingValue));
}
template <typename T>
inline void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params,
                        tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_copy_ub_to_gm(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                    src.tsAddress(), params.blockCount, params.blockLen, params.srcStride,
                                    params.dstStride);
}

} // namespace AscendC

#endif
