// Quantisation by tensors of scales (lib/quantization): rows of float32, each column with its own scale.
#ifndef TILESMITH_ASCENDC_LIBRARY_QUANTISE_H
#define TILESMITH_ASCENDC_LIBRARY_QUANTISE_H

#include "tilesmith/library_norms.h"

namespace tilesmith {

// round(src * scale + offset) of rows of `scaleCount` elements; `offset` puts the row of offsets, or adds a number.
template <typename T, typename Offset>
void quantiseRows(const AscendC::LocalTensor<int8_t> &dst, const AscendC::LocalTensor<T> &src,
                  const AscendC::LocalTensor<uint8_t> &buffer, const AscendC::LocalTensor<T> &scale, Offset offset,
                  int64_t scaleCount, int64_t count, Where where) {
  using namespace AscendC;
  if (scaleCount <= 0 || count % scaleCount || scaleCount % 32)
    return fail(where, TS_FINDING_LibraryOperand,
                "AscendQuant by columns: the scales are a multiple of 32, and the elements a multiple of them");
  RowWork work(buffer, "AscendQuant", 4, scaleCount, where);
  auto x = work.row(), scales = work.row(), halves = work.row(), offsets = work.row();
  auto columns = work.load(scales, scale);
  for (int64_t at = 0; at < count; at += scaleCount) {
    Mul(x, work.load(x, src[at]), columns, scaleCount, where);
    offset(work, x, offsets);
    Cast(x, x, RoundMode::CAST_RINT, uint32_t(scaleCount), where);
    auto whole = halves.template ReinterpretCast<half>();
    Cast(whole, x, RoundMode::CAST_NONE, uint32_t(scaleCount), where);
    Cast(dst[at], whole, RoundMode::CAST_RINT, uint32_t(scaleCount), where);
  }
}

// (src + offset) * scale of rows of n elements, whose columns have offsets and scales.
template <typename S, typename T>
void antiquantiseRows(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<S> &src,
                      const AscendC::LocalTensor<T> &offset, const AscendC::LocalTensor<T> &scale,
                      const AscendC::LocalTensor<uint8_t> &buffer, int64_t rows, int64_t n, Where where) {
  using namespace AscendC;
  RowWork work(buffer, "AscendAntiQuant", 4, n, where);
  auto x = work.row(), scales = work.row(), offsets = work.row(), halves = work.row();
  auto byScale = work.load(scales, scale), byOffset = work.load(offsets, offset);
  for (int64_t row = 0; row < rows; ++row) {
    auto whole = halves.template ReinterpretCast<half>();
    Cast(whole, src[row * n], RoundMode::CAST_NONE, uint32_t(n), where);
    Cast(x, whole, RoundMode::CAST_NONE, uint32_t(n), where);
    Add(x, x, byOffset, n, where);
    Mul(x, x, byScale, n, where);
    work.store(dst[row * n], x);
  }
}

} // namespace tilesmith

namespace AscendC {

#define TILESMITH_QUANTISE(OFFSET, COUNTS, OFFSETS, SCALES, COUNT)                                                     \
  template <typename T, bool isReuseSource = false, const auto & ...config>                                            \
  inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src,                                   \
                          const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<T> &scaleTensor,              \
                          TILESMITH_OPEN OFFSET, TILESMITH_OPEN COUNTS,                                                \
                          tilesmith::Where where = tilesmith::Where::here()) {                                         \
    tilesmith::quantiseRows(                                                                                           \
        dst, src, sharedTmpBuffer, scaleTensor,                                                                        \
        [&](auto &work, const LocalTensor<float> &x, const LocalTensor<float> &offsets) { OFFSETS; }, SCALES, COUNT,   \
        where);                                                                                                        \
  }                                                                                                                    \
  template <typename T, bool isReuseSource = false, const auto & ...config>                                            \
  inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src,                                   \
                          const LocalTensor<T> &scaleTensor, TILESMITH_OPEN OFFSET, TILESMITH_OPEN COUNTS,             \
                          tilesmith::Where where = tilesmith::Where::here()) {                                         \
    LocalTensor<uint8_t> sharedTmpBuffer = tilesmith::freeBytes();                                                     \
    tilesmith::quantiseRows(                                                                                           \
        dst, src, sharedTmpBuffer, scaleTensor,                                                                        \
        [&](auto &work, const LocalTensor<float> &x, const LocalTensor<float> &offsets) { OFFSETS; }, SCALES, COUNT,   \
        where);                                                                                                        \
  }
#define TILESMITH_OPEN(...) __VA_ARGS__
#define TILESMITH_BY_NUMBER                                                                                            \
  Adds(x, x, float(offset), work.columns, where);                                                                      \
  (void)offsets
#define TILESMITH_BY_COLUMN Add(x, x, work.load(offsets, offset), work.columns, where)
TILESMITH_QUANTISE((const tilesmith::Same<T> offset), (const uint32_t scaleCount, const uint32_t calCount),
                   TILESMITH_BY_NUMBER, scaleCount, calCount)
TILESMITH_QUANTISE((const LocalTensor<T> &offset), (const uint32_t scaleCount, const uint32_t, const uint32_t calCount),
                   TILESMITH_BY_COLUMN, scaleCount, calCount)
#undef TILESMITH_QUANTISE
// All elements of the tensors.
template <typename T, bool isReuseSource = false, const auto &...config, typename Offset>
inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src,
                        const LocalTensor<uint8_t> &sharedTmpBuffer, const LocalTensor<T> &scaleTensor,
                        const Offset &offset, tilesmith::Where where = tilesmith::Where::here()) {
  if constexpr (std::is_convertible_v<Offset, float>)
    AscendQuant<T>(dst, src, sharedTmpBuffer, scaleTensor, T(offset), scaleTensor.GetSize(), src.GetSize(), where);
  else
    AscendQuant<T>(dst, src, sharedTmpBuffer, scaleTensor, offset, scaleTensor.GetSize(), scaleTensor.GetSize(),
                   src.GetSize(), where);
}
template <typename T, bool isReuseSource = false, const auto &...config, typename Offset>
inline void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const LocalTensor<T> &scaleTensor,
                        const Offset &offset, tilesmith::Where where = tilesmith::Where::here()) {
  AscendQuant<T>(dst, src, tilesmith::freeBytes(), scaleTensor, offset, where);
}
#undef TILESMITH_BY_NUMBER
#undef TILESMITH_BY_COLUMN
#undef TILESMITH_OPEN

// Columns of [k, n].
template <typename S, typename T, bool isTranspose = false>
inline void AscendAntiQuant(const LocalTensor<T> &dst, const LocalTensor<S> &src, const LocalTensor<T> &offset,
                            const LocalTensor<T> &scale, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t k,
                            const AntiQuantShapeInfo &shape = {}, tilesmith::Where where = tilesmith::Where::here()) {
  if constexpr (isTranspose)
    tilesmith::unsupported(where, "AscendAntiQuant of a transposed matrix");
  else
    tilesmith::antiquantiseRows(dst, src, offset, scale, sharedTmpBuffer, k,
                                shape.scaleWidth ? shape.scaleWidth : scale.GetSize(), where);
}
template <typename S, typename T, bool isTranspose = false>
inline void AscendAntiQuant(const LocalTensor<T> &dst, const LocalTensor<S> &src, const LocalTensor<T> &offset,
                            const LocalTensor<T> &scale, const uint32_t k, const AntiQuantShapeInfo &shape = {},
                            tilesmith::Where where = tilesmith::Where::here()) {
  AscendAntiQuant<S, T, isTranspose>(dst, src, offset, scale, tilesmith::freeBytes(), k, shape, where);
}

} // namespace AscendC

#endif
