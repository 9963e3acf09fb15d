// DataCopy that is several instructions, or none.
#ifndef TILESMITH_ASCENDC_MOVES_H
#define TILESMITH_ASCENDC_MOVES_H

#include "tilesmith/sync.h"

namespace AscendC {

// Fractals in UB to rows in GM: every 32-byte column is one strided copy.
template <typename T>
inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const Nz2NdParamsFull &params,
                     tilesmith::Where where = tilesmith::Where::here()) {
  constexpr int64_t size = int64_t(sizeof(T)), width = tilesmith::chip::blockBytes / size;
  for (int64_t matrix = 0; matrix < params.ndNum; ++matrix)
    for (int64_t column = 0; column < params.dValue; column += width) {
      int64_t elements = params.dValue - column < width ? params.dValue - column : width;
      tilesmith::api->tsm_copy_ub_to_gm(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(),
                                        dst.tsAddress() + (matrix * params.dstNdMatrixStride + column) * size,
                                        src.tsAddress() + matrix * params.srcNdMatrixStride * 256 * size +
                                            column / width * params.srcNStride * tilesmith::chip::blockBytes,
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

} // namespace AscendC

#endif
