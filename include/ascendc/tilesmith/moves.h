// DataCopy that is several instructions, or none.
#ifndef TILESMITH_ASCENDC_MOVES_H
#define TILESMITH_ASCENDC_MOVES_H

#include "tilesmith/sync.h"

namespace AscendC {

// Fractals in UB to rows in GM: every 32-byte column is one strided copy.
template <typename T>
inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const Nz2NdParamsFull &params,
                     tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_copy_nz_to_nd(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                    src.tsAddress(), params.ndNum, params.nValue, params.dValue,
                                    params.srcNdMatrixStride, params.srcNStride, params.dstDStride,
                                    params.dstNdMatrixStride);
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
