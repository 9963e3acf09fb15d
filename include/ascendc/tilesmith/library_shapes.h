// Functions that change where elements are (lib/pad, lib/transpose), reductions other than sums and extremes
// (lib/reduce), the logarithm of a soft maximum.
#ifndef TILESMITH_ASCENDC_LIBRARY_SHAPES_H
#define TILESMITH_ASCENDC_LIBRARY_SHAPES_H

#include "tilesmith/library_norms.h"

namespace AscendC {

struct PadParams {
  uint16_t leftPad = 0, rightPad = 0;
  int32_t padValue = 0;
};
struct UnPadParams {
  uint16_t leftPad = 0, rightPad = 0;
};

} // namespace AscendC

namespace tilesmith {

// `count` elements between places that need not begin on blocks: whole blocks where both do, one by one elsewhere.
template <typename T>
void moveElements(const AscendC::LocalTensor<T> &dst, int64_t to, const AscendC::LocalTensor<T> &src, int64_t from,
                  int64_t count, Where where) {
  constexpr int64_t block = 32 / int64_t(sizeof(T));
  int64_t done = 0;
  if (to % block == 0 && from % block == 0 && count >= block) {
    done = count / block * block;
    AscendC::DataCopy(dst[to], src[from], uint32_t(done), where);
  }
  for (int64_t i = done; i < count; ++i)
    dst.SetValue(uint32_t(to + i), src.GetValue(uint32_t(from + i), where), where);
}

} // namespace tilesmith

namespace AscendC {

// A number to the left and to the right of each row.
template <typename T>
inline void Pad(const LocalTensor<T> &dst, const LocalTensor<T> &src, PadParams &params, const LocalTensor<uint8_t> &,
                PadTiling &tiling, tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "Pad takes elements of 16 and 32 bits");
  int64_t rows = tiling.srcHeight, from = tiling.srcWidth, length = tiling.srcOriWidth;
  int64_t to = length + params.leftPad + params.rightPad;
  if (to * int64_t(sizeof(T)) % 32)
    return tilesmith::fail(where, TS_FINDING_LibraryOperand, "Pad: the rows of the result are multiples of 32 bytes");
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < params.leftPad; ++i)
      dst.SetValue(uint32_t(row * to + i), T(params.padValue), where);
    tilesmith::moveElements(dst, row * to + params.leftPad, src, row * from, length, where);
    for (int64_t i = to - params.rightPad; i < to; ++i)
      dst.SetValue(uint32_t(row * to + i), T(params.padValue), where);
  }
}
template <typename T>
inline void Pad(const LocalTensor<T> &dst, const LocalTensor<T> &src, PadParams &params, PadTiling &tiling,
                tilesmith::Where where = tilesmith::Where::here()) {
  Pad(dst, src, params, LocalTensor<uint8_t>(), tiling, where);
}
// The last elements of each row taken away.
template <typename T>
inline void UnPad(const LocalTensor<T> &dst, const LocalTensor<T> &src, UnPadParams &params,
                  const LocalTensor<uint8_t> &, UnPadTiling &tiling,
                  tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "UnPad takes elements of 16 and 32 bits");
  int64_t from = tiling.srcWidth, to = from - params.leftPad - params.rightPad;
  if (to < 0)
    return tilesmith::fail(where, TS_FINDING_LibraryOperand, "UnPad: more is taken away than a row has");
  for (int64_t row = 0; row < tiling.srcHeight; ++row)
    tilesmith::moveElements(dst, row * to, src, row * from + params.leftPad, to, where);
}
template <typename T>
inline void UnPad(const LocalTensor<T> &dst, const LocalTensor<T> &src, UnPadParams &params, UnPadTiling &tiling,
                  tilesmith::Where where = tilesmith::Where::here()) {
  UnPad(dst, src, params, LocalTensor<uint8_t>(), tiling, where);
}

// Transposes that change the format, too; of these two dimensions turned are modelled. param0 and param1 of the tiling
// are rows and columns in squares of 16.
template <typename T>
inline void ConfusionTranspose(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &,
                               TransposeType type, ConfusionTransposeTiling &tiling,
                               tilesmith::Where where = tilesmith::Where::here()) {
  if (type != TransposeType::TRANSPOSE_ND2ND_ONLY)
    return tilesmith::unsupported(where, "ConfusionTranspose other than TRANSPOSE_ND2ND_ONLY");
  int64_t rows = int64_t(tiling.param0) * 16, columns = int64_t(tiling.param1) * 16;
  if constexpr (sizeof(T) == 2) {
    for (int64_t row = 0; row < rows; row += 16)
      for (int64_t column = 0; column < columns; column += 16) {
        LocalTensor<T> to[16], from[16];
        for (int64_t i = 0; i < 16; ++i) {
          from[i] = src[(row + i) * columns + column];
          to[i] = dst[(column + i) * rows + row];
        }
        TransDataTo5HD<T>(to, from, TransDataTo5HDParams(false, false, 1, 0, 0), where);
      }
  } else {
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column)
        dst.SetValue(uint32_t(column * rows + row), src.GetValue(uint32_t(row * columns + column), where), where);
  }
}
template <typename T>
inline void ConfusionTranspose(const LocalTensor<T> &dst, const LocalTensor<T> &src, TransposeType type,
                               ConfusionTransposeTiling &tiling, tilesmith::Where where = tilesmith::Where::here()) {
  ConfusionTranspose(dst, src, LocalTensor<uint8_t>(), type, tiling, where);
}

// The decimal logarithm of a soft maximum, with the sums and maxima of the rows.
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
inline void LogSoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &sum, const LocalTensor<T> &max,
                       const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer,
                       const LogSoftMaxTiling &tiling, const SoftMaxShapeInfo &shape = {},
                       tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::refuseFractals<isDataFormatNZ>("LogSoftMax", where);
  SoftMaxTiling of{};
  of.srcM = tiling.srcM;
  of.srcK = tiling.srcK;
  SoftMax<T>(dst, sum, max, src, sharedTmpBuffer, of, shape, where);
  tilesmith::LibraryShape rows = tilesmith::softmaxShape(src, of, shape);
  Log10<T>(dst, dst, sharedTmpBuffer, uint32_t(rows.rows * rows.columns), where);
}
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
inline void LogSoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &sum, const LocalTensor<T> &max,
                       const LocalTensor<T> &src, const LogSoftMaxTiling &tiling, const SoftMaxShapeInfo &shape = {},
                       tilesmith::Where where = tilesmith::Where::here()) {
  LogSoftMax<T, isReuseSource, isDataFormatNZ>(dst, sum, max, src, tilesmith::freeBytes(), tiling, shape, where);
}

} // namespace AscendC

namespace tilesmith {

// Rows of [first, last] reduced one by one (AR), or over each other (RA), by `join` of two rows of float32.
template <typename T, bool isRows, typename Load, typename Join, typename Store>
void reduceBy(const char *name, const AscendC::LocalTensor<uint8_t> &buffer, const uint32_t shape[], bool isPadded,
              float neutral, Load load, Join join, Store store, Where where) {
  constexpr uint32_t block = uint32_t(32 / sizeof(T));
  int64_t rows = shape[0], length = shape[1], columns = isPadded ? (length + block - 1) / block * block : length;
  // A row is folded in halves, so it is filled up to a power of two.
  int64_t whole = 8;
  while (isRows && whole < length)
    whole *= 2;
  RowWork work(buffer, name, 2, isRows ? whole : columns, where);
  auto result = work.row(), x = work.row();
  if constexpr (isRows) {
    for (int64_t row = 0; row < rows; ++row) {
      AscendC::Duplicate(result, neutral, whole, where);
      load(result, row * columns, length);
      for (int64_t half = whole / 2; half >= 8; half /= 2)
        join(result, result, result[half], half);
      float one = result.GetValue(0, where);
      for (uint32_t i = 1; i < 8; ++i) {
        float other = result.GetValue(i, where);
        one = neutral != 1.0f ? one > other ? one : other : one * other; // eight that are left
      }
      store(row, one);
    }
  } else {
    AscendC::Duplicate(result, neutral, columns, where);
    for (int64_t row = 0; row < rows; ++row) {
      load(x, row * columns, columns);
      join(result, result, x, columns);
    }
    for (int64_t column = 0; column < length; ++column)
      store(column, result.GetValue(uint32_t(column), where));
  }
}
// Elements as float32, or as 1 where they are not 0 and 0 elsewhere.
template <typename T>
void loadNumbers(const AscendC::LocalTensor<float> &to, const AscendC::LocalTensor<T> &from, int64_t count,
                 Where where) {
  if constexpr (std::is_same_v<T, float>)
    AscendC::Muls(to, from, 1.0f, count, where);
  else
    AscendC::Cast(to, from, AscendC::RoundMode::CAST_NONE, uint32_t(count), where);
}
template <typename T>
void loadTruths(const AscendC::LocalTensor<float> &to, const AscendC::LocalTensor<T> &from, int64_t count,
                Where where) {
  for (int64_t i = 0; i < count; ++i)
    to.SetValue(uint32_t(i), from.GetValue(uint32_t(i), where) != T(0) ? 1.0f : 0.0f, where);
}

} // namespace tilesmith

namespace AscendC {

#define TILESMITH_REDUCE_BY(NAME, LOAD, NEUTRAL, JOIN)                                                                 \
  template <typename T, typename pattern, bool isReuseSource = false>                                                  \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer,  \
                   const uint32_t srcShape[], bool srcInnerPad, tilesmith::Where where = tilesmith::Where::here()) {   \
    tilesmith::reduceBy<T, std::is_same_v<pattern, Pattern::Reduce::AR>>(                                              \
        #NAME, sharedTmpBuffer, srcShape, srcInnerPad, NEUTRAL,                                                        \
        [&](const LocalTensor<float> &to, int64_t at, int64_t count) { tilesmith::LOAD(to, src[at], count, where); },  \
        [&](const LocalTensor<float> &to, const LocalTensor<float> &a, const LocalTensor<float> &b, int64_t count) {   \
          JOIN(to, a, b, count, where);                                                                                \
        },                                                                                                             \
        [&](int64_t at, float value) { dst.SetValue(uint32_t(at), T(value), where); }, where);                         \
  }                                                                                                                    \
  template <typename T, typename pattern, bool isReuseSource = false>                                                  \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t srcShape[], bool srcInnerPad,  \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    NAME<T, pattern, isReuseSource>(dst, src, tilesmith::freeBytes(), srcShape, srcInnerPad, where);                   \
  }
TILESMITH_REDUCE_BY(ReduceProd, loadNumbers, 1.0f, Mul)
TILESMITH_REDUCE_BY(ReduceAll, loadTruths, 1.0f, Mul)
TILESMITH_REDUCE_BY(ReduceAny, loadTruths, 0.0f, Max)
#undef TILESMITH_REDUCE_BY

// The sum of what differs in two tensors, bit by bit.
template <typename T, bool isReuseSource = false>
inline void ReduceXorSum(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                         const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount,
                         tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(std::is_same_v<T, int16_t>, "ReduceXorSum takes int16_t");
  auto words = sharedTmpBuffer.template ReinterpretCast<int16_t>();
  int64_t bytes = (int64_t(calCount) * 2 + 31) / 32 * 32;
  Xor(words, src0, src1, sharedTmpBuffer[bytes], calCount, where);
  tilesmith::RowWork work(sharedTmpBuffer[bytes], "ReduceXorSum", 1, calCount, where);
  auto floats = work.row();
  Cast(floats, words, RoundMode::CAST_NONE, calCount, where);
  dst.SetValue(0, int16_t(int64_t(work.sum(floats, calCount))), where);
}
template <typename T, bool isReuseSource = false>
inline void ReduceXorSum(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                         const uint32_t calCount, tilesmith::Where where = tilesmith::Where::here()) {
  ReduceXorSum<T, isReuseSource>(dst, src0, src1, tilesmith::freeBytes(), calCount, where);
}

} // namespace AscendC

#endif
