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

// Inside UB, on the vector pipe.
template <typename T>
inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count,
                     tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_copy(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(), src.tsAddress(),
                           count);
}
template <typename T>
inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params,
                     tilesmith::Where where = tilesmith::Where::here()) {
  int64_t elements = int64_t(params.blockLen) * 32 / int64_t(sizeof(T));
  if (params.srcStride == 0 && params.dstStride == 0)
    return tilesmith::api->tsm_copy(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                    src.tsAddress(), elements * params.blockCount);
  for (int64_t i = 0; i < params.blockCount; ++i)
    tilesmith::api->tsm_copy(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(),
                             dst.tsAddress() + i * (params.blockLen + params.dstStride) * 32,
                             src.tsAddress() + i * (params.blockLen + params.srcStride) * 32, elements);
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
