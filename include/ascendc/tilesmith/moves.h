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

// A box of one axis of a tensor, the innermost axis first: from start to end, runs of `burstLen` (32-byte blocks of the
// innermost axis, elements of the others) with `stride` elements between them. The axis has shapeValue elements.
struct SliceInfo {
  uint32_t startIndex = 0, endIndex = 31, stride = 0, burstLen = 32, shapeValue = 0;
};

} // namespace AscendC

namespace tilesmith {

// The runs of a box, one after another: where each begins.
class Slices {
public:
  Slices(const AscendC::SliceInfo *info, uint32_t dims, int64_t size) : info(info), dims(dims > 8 ? 8 : dims) {
    run = int64_t(info[0].burstLen) * chip::blockBytes / size;
    for (uint32_t i = 0; i < this->dims; ++i)
      at[i] = info[i].startIndex;
  }
  // False behind the last one.
  bool next(int64_t &offset) {
    if (isOver)
      return false;
    offset = 0;
    int64_t pitch = 1;
    for (uint32_t i = 0; i < dims; ++i) {
      offset += at[i] * pitch;
      pitch *= info[i].shapeValue;
    }
    step();
    return true;
  }
  int64_t run = 0; // elements

private:
  void step() {
    for (uint32_t i = 0; i < dims; ++i) {
      int64_t length = i == 0 ? run : info[i].burstLen;
      if (i == 0) {
        at[i] += length + info[i].stride;
      } else {
        bool isLast = (at[i] - info[i].startIndex) % (length + info[i].stride) == length - 1;
        at[i] += isLast ? info[i].stride + 1 : 1;
      }
      if (length > 0 && at[i] <= info[i].endIndex)
        return;
      at[i] = info[i].startIndex;
    }
    isOver = true;
  }

  const AscendC::SliceInfo *info;
  uint32_t dims;
  int64_t at[8] = {};
  bool isOver = false;
};

template <typename T, typename Dst, typename Src>
void copySlices(const Dst &dst, const Src &src, const AscendC::SliceInfo *to, const AscendC::SliceInfo *from,
                uint32_t dims, Where where) {
  Slices writes(to, dims, sizeof(T)), reads(from, dims, sizeof(T));
  if (writes.run != reads.run || writes.run == 0)
    return unsupported(where, "DataCopy by SliceInfo with runs of different lengths");
  int64_t at, of;
  while (writes.next(at) && reads.next(of))
    AscendC::DataCopy(dst[at], src[of], uint32_t(writes.run), where);
}

} // namespace tilesmith

namespace AscendC {

template <typename T>
inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const SliceInfo dstSliceInfo[],
                     const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1,
                     tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::copySlices<T>(dst, src, dstSliceInfo, srcSliceInfo, dimValue, where);
}
template <typename T>
inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const SliceInfo dstSliceInfo[],
                     const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1,
                     tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::copySlices<T>(dst, src, dstSliceInfo, srcSliceInfo, dimValue, where);
}

} // namespace AscendC

#endif
