// One element, row or column over a whole tensor of one or two dimensions.
#ifndef TILESMITH_ASCENDC_BROADCAST_H
#define TILESMITH_ASCENDC_BROADCAST_H

#include "tilesmith/library.h"
#include "tilesmith/moves.h"

namespace tilesmith {

// The same element so often. Bytes are written in pairs: there is no fill of bytes on the 910B.
template <typename T> void fillRow(const AscendC::LocalTensor<T> &dst, T value, uint32_t count, Where where) {
  if constexpr (sizeof(T) == 1) {
    uint8_t bits = uint8_t(value);
    AscendC::Duplicate(dst.template ReinterpretCast<int16_t>(), int16_t(bits | bits << 8), int64_t(count / 2), where);
  } else {
    AscendC::Duplicate(dst, value, int64_t(count), where);
  }
}

} // namespace tilesmith

namespace AscendC {

// The temporary buffer is not needed: a row is one instruction.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
inline void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim],
                      const uint32_t srcShape[dim], const LocalTensor<uint8_t> & = {},
                      tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(dim == 1 || dim == 2, "Broadcast takes tensors of one or two dimensions");
  static_assert(axis >= 0 && axis < dim, "Broadcast along an axis the tensor does not have");
  uint32_t rows = dim == 2 ? dstShape[0] : 1, columns = dstShape[dim - 1];
  bool fits = srcShape[axis] == 1 && (dim == 1 || srcShape[1 - axis] == dstShape[1 - axis]);
  if (!fits)
    return tilesmith::fail(where, TS_FINDING_LibraryOperand,
                           "Broadcast: the source has one element along the axis, and all others else");
  if (rows > 1 && columns * sizeof(T) % 32)
    return tilesmith::unsupported(where, "Broadcast to rows that do not fill blocks of 32 bytes");
  for (uint32_t row = 0; row < rows; ++row)
    if (dim == 2 && axis == 0)
      DataCopy(dst[row * columns], src, columns, where);
    else
      tilesmith::fillRow(dst[row * columns], src.GetValue(row, where), columns, where);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
inline void BroadCast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim],
                      const uint32_t srcShape[dim], const LocalTensor<uint8_t> &work = {},
                      tilesmith::Where where = tilesmith::Where::here()) {
  Broadcast<T, dim, axis, isReuseSource>(dst, src, dstShape, srcShape, work, where);
}

} // namespace AscendC

#endif
