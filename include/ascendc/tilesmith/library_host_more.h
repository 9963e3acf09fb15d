// The host's side of norms, choices and shapes: how large temporary buffers must be, and tiling structs.
#ifndef TILESMITH_ASCENDC_LIBRARY_HOST_MORE_H
#define TILESMITH_ASCENDC_LIBRARY_HOST_MORE_H

#include "tilesmith/library_choices.h"
#include "tilesmith/library_host.h"
#include "tilesmith/library_shapes.h"

namespace tilesmith {

// Both results at the end of a call of Get*MaxMinTmpSize are `bytes`: one size does for all.
template <typename... Arguments> void oneTmpSize(int64_t bytes, Arguments &&...arguments) {
  auto all = std::forward_as_tuple(arguments...);
  std::get<sizeof...(arguments) - 2>(all) = std::get<sizeof...(arguments) - 1>(all) =
      uint32_t(bytes < 256 ? 256 : bytes);
}
template <typename Tiling> void fillNorm(Tiling &tiling, const ge::Shape &shape) {
  tiling = {};
  AscendC::tsFill(tiling.bLength, tiling.sLength, tiling.hLength, shape);
  tiling.originalHLength = tiling.hLength;
}
template <typename... Arguments> int64_t columnsAmong(const Arguments &...arguments) {
  return columnsOf(shapeAmong(std::forward_as_tuple(arguments...)));
}
// The elements of [h, w] of [n, c, h, w], or of [s, h] of [b, s, h].
inline int64_t productFrom(const ge::Shape &shape, size_t first) {
  int64_t product = 1;
  for (size_t i = first; i < shape.GetDimNum(); ++i)
    product *= shape.GetDim(i);
  return product;
}

} // namespace tilesmith

namespace AscendC {

// Norms of the last axis: as many rows of float32 as each keeps.
#define TILESMITH_ROW_TMP(NAME, ROWS)                                                                                  \
  template <typename... Arguments> inline void Get##NAME##MaxMinTmpSize(Arguments &&...arguments) {                    \
    tilesmith::oneTmpSize(tilesmith::RowWork::bytes(ROWS, tilesmith::columnsAmong(arguments...)), arguments...);       \
  }
TILESMITH_ROW_TMP(LayerNormGrad, 5)
TILESMITH_ROW_TMP(LayerNormGradBeta, 4)
TILESMITH_ROW_TMP(Normalize, 3)
TILESMITH_ROW_TMP(WelfordUpdate, 2)
TILESMITH_ROW_TMP(WelfordFinalize, 2)
// These say whether the shape can be had.
template <typename... Arguments> inline bool GetDeepNormMaxMinTmpSize(Arguments &&...arguments) {
  tilesmith::oneTmpSize(tilesmith::RowWork::bytes(5, tilesmith::columnsAmong(arguments...)), arguments...);
  return true;
}
template <typename... Rest>
inline bool GetBatchNormMaxMinTmpSize(const ge::Shape &shape, const ge::Shape &, uint32_t, bool, uint32_t &maxValue,
                                      uint32_t &minValue, Rest...) {
  maxValue = minValue = uint32_t(tilesmith::RowWork::bytes(4, tilesmith::productFrom(shape, 1)));
  return true;
}
inline void GetGroupNormMaxMinTmpSize(const ge::Shape &shape, uint32_t, bool, uint32_t, uint32_t &maxValue,
                                      uint32_t &minValue) {
  maxValue = minValue = uint32_t(tilesmith::RowWork::bytes(1, tilesmith::productFrom(shape, 2) + 16));
}
#undef TILESMITH_ROW_TMP

inline void GetLayerNormGradNDTilingInfo(const ge::Shape &shape, uint32_t, uint32_t, bool,
                                         tiling::LayerNormGradTiling &tiling) {
  tilesmith::fillNorm(tiling, shape);
}
inline void GetLayerNormGradBetaNDTilingInfo(const ge::Shape &shape, uint32_t, uint32_t, bool,
                                             tiling::LayerNormGradBetaTiling &tiling) {
  tilesmith::fillNorm(tiling, shape);
  tiling.bsLength = tiling.bsCurLength = tiling.bLength * tiling.sLength;
  tiling.bshLength = tiling.bshCurLength = tiling.bsLength * tiling.hLength;
}
template <typename... Rest>
inline bool GetBatchNormNDTilingInfo(const ge::Shape &shape, const ge::Shape &original, uint32_t, uint32_t, bool,
                                     tiling::BatchNormTiling &tiling, Rest...) {
  tiling = {};
  tiling.originalBLength = uint32_t(original.GetDim(0));
  tiling.shCurLength = tiling.meanVarSize = uint32_t(tilesmith::productFrom(shape, 1));
  tiling.bshCurLength = tiling.originalBLength * tiling.shCurLength;
  tiling.firstDimValueBack = tiling.originalBLength ? 1.0f / float(tiling.originalBLength) : 0;
  tiling.loopRound = 1;
  return true;
}
inline bool GetDeepNormTilingInfo(const ge::Shape &shape, const ge::Shape &original, uint32_t, uint32_t, bool, bool,
                                  tiling::DeepNormTiling &tiling) {
  tilesmith::fillNorm(tiling, shape);
  tiling.originalHLength = uint32_t(tilesmith::columnsOf(original));
  tiling.loopRound = 1;
  return true;
}
inline void GetGroupNormNDTilingInfo(const ge::Shape &shape, uint32_t, uint32_t typeSize, bool, uint32_t groups,
                                     tiling::GroupNormTiling &tiling) {
  tiling = {};
  uint32_t block = typeSize ? 32 / typeSize : 1;
  tiling.n = uint32_t(shape.GetDim(0));
  tiling.c = uint32_t(shape.GetDim(1));
  tiling.hw = uint32_t(tilesmith::productFrom(shape, 2));
  tiling.g = groups;
  tiling.d = groups ? tiling.c / groups : 0;
  tiling.hwAlignSize = (tiling.hw + block - 1) / block * block;
  tiling.dhwAlignSize = tiling.d * tiling.hwAlignSize;
  tiling.factor = tiling.d && tiling.hw ? 1.0f / float(tiling.d * tiling.hw) : 0;
  tiling.loopRound = 1;
}

// The logarithm of a soft maximum: what the larger of its two steps needs.
inline tilesmith::LibraryBytes tsLogSoftMax(const ge::Shape &shape, uint32_t size) {
  tilesmith::LibraryBytes rows = tilesmith::libraryBytesOfRows(TS_ROWS_SoftMax, shape, size),
                          log = tilesmith::libraryBytes(false, TS_MAP_Log10, size, 1, shape.GetShapeSize());
  return {rows.least > log.least ? rows.least : log.least, rows.most > log.most ? rows.most : log.most};
}
inline uint32_t GetLogSoftMaxMaxTmpSize(const ge::Shape &shape, uint32_t typeSize, bool) {
  return tsLogSoftMax(shape, typeSize).most;
}
inline uint32_t GetLogSoftMaxMinTmpSize(const ge::Shape &shape, uint32_t typeSize, bool) {
  return tsLogSoftMax(shape, typeSize).least;
}
inline void LogSoftMaxTilingFunc(const ge::Shape &shape, uint32_t typeSize, uint32_t,
                                 tiling::LogSoftMaxTiling &tiling) {
  tiling::SoftMaxTiling of;
  tsFill(of, shape, typeSize);
  tiling = {};
  memcpy(static_cast<void *>(&tiling), &of, sizeof tiling); // the same fields
}

// Elements that move or are chosen.
template <typename... Arguments> inline void GetDropOutMaxMinTmpSize(Arguments &&...arguments) {
  tilesmith::oneTmpSize(tilesmith::maskBytes(tilesmith::columnsAmong(arguments...), 1), arguments...);
}
#define TILESMITH_SELECT_TMP(NAME)                                                                                     \
  template <typename... Rest>                                                                                          \
  inline void Get##NAME##MaxMinTmpSize(const ge::Shape &, const ge::Shape &, uint32_t, const ge::Shape &mask,          \
                                       uint32_t maskSize, bool, uint32_t &maxValue, uint32_t &minValue, Rest...) {     \
    maxValue = minValue = uint32_t(tilesmith::maskBytes(tilesmith::columnsOf(mask), maskSize));                        \
  }
TILESMITH_SELECT_TMP(Select)
TILESMITH_SELECT_TMP(SelectWithBytesMask)
#undef TILESMITH_SELECT_TMP
template <typename... Arguments> inline void GetPadMaxMinTmpSize(Arguments &&...arguments) {
  tilesmith::oneTmpSize(256, arguments...);
}
template <typename... Arguments> inline void GetUnPadMaxMinTmpSize(Arguments &&...arguments) {
  tilesmith::oneTmpSize(256, arguments...);
}
template <typename... Arguments> inline void GetConfusionTransposeMaxMinTmpSize(Arguments &&...arguments) {
  tilesmith::oneTmpSize(256, arguments...);
}
inline void PadTilingFunc(const ge::Shape &shape, const ge::Shape &original, uint32_t, uint32_t,
                          tiling::PadTiling &tiling) {
  tiling = {};
  tiling.srcWidth = uint32_t(tilesmith::columnsOf(shape));
  tiling.srcHeight = tiling.srcWidth ? uint32_t(shape.GetShapeSize() / tiling.srcWidth) : 0;
  tiling.srcOriWidth = uint32_t(tilesmith::columnsOf(original));
}
inline void UnPadTilingFunc(const ge::Shape &shape, uint32_t, uint32_t, tiling::UnPadTiling &tiling) {
  tiling = {};
  tiling.srcWidth = uint32_t(tilesmith::columnsOf(shape));
  tiling.srcHeight = tiling.srcWidth ? uint32_t(shape.GetShapeSize() / tiling.srcWidth) : 0;
}
inline void GetConfusionTransposeTilingInfo(const ge::Shape &shape, uint32_t, uint32_t, uint32_t,
                                            tiling::ConfusionTransposeTiling &tiling) {
  tiling = {};
  uint32_t columns = uint32_t(tilesmith::columnsOf(shape));
  tiling.param0 = columns ? uint32_t(shape.GetShapeSize() / columns) / 16 : 0;
  tiling.param1 = columns / 16;
}
inline void GetConfusionTransposeOnlyTilingInfo(const ge::Shape &shape, uint32_t bytes, uint32_t typeSize,
                                                tiling::ConfusionTransposeTiling &tiling) {
  GetConfusionTransposeTilingInfo(shape, bytes, typeSize, 7, tiling);
}

// Reductions: a shape of two dimensions, the type of an element, the pattern; results last.
#define TILESMITH_REDUCE_TMP(NAME, FUNCTION)                                                                           \
  template <typename Type, typename Kind>                                                                              \
  inline void Get##NAME##MaxMinTmpSize(const ge::Shape &shape, Type, Kind, bool, bool, uint32_t &maxValue,             \
                                       uint32_t &minValue) {                                                           \
    maxValue = minValue = FUNCTION;                                                                                    \
  }
#define TILESMITH_REDUCE_OF_ROWS                                                                                       \
  uint32_t(tilesmith::libraryBytesOfRows(TS_ROWS_RowSum, shape, 4).most +                                              \
           tilesmith::libraryBytesOfRows(TS_ROWS_ColumnSum, shape, 4).most)
TILESMITH_REDUCE_TMP(ReduceSum, TILESMITH_REDUCE_OF_ROWS)
TILESMITH_REDUCE_TMP(ReduceMean, TILESMITH_REDUCE_OF_ROWS)
TILESMITH_REDUCE_TMP(ReduceMax, TILESMITH_REDUCE_OF_ROWS)
TILESMITH_REDUCE_TMP(ReduceMin, TILESMITH_REDUCE_OF_ROWS)
#define TILESMITH_REDUCE_FOLDED uint32_t(2 * tilesmith::RowWork::bytes(2, tilesmith::columnsOf(shape) + 64))
TILESMITH_REDUCE_TMP(ReduceProd, TILESMITH_REDUCE_FOLDED)
TILESMITH_REDUCE_TMP(ReduceAll, TILESMITH_REDUCE_FOLDED)
TILESMITH_REDUCE_TMP(ReduceAny, TILESMITH_REDUCE_FOLDED)
#undef TILESMITH_REDUCE_FOLDED
#undef TILESMITH_REDUCE_OF_ROWS
#undef TILESMITH_REDUCE_TMP
inline void GetReduceXorSumMaxMinTmpSize(const ge::Shape &shape, uint32_t typeSize, bool, uint32_t &maxValue,
                                         uint32_t &minValue) {
  int64_t count = shape.GetShapeSize();
  maxValue = minValue = uint32_t(tilesmith::RowWork::bytes(2, count) +
                                 tilesmith::libraryBytes(false, TS_MAP_Xor, typeSize, 1, count).most);
}
// Without intermediate results.
template <typename... Arguments> inline void GetFillsMaxMinTmpSize(Arguments &&...arguments) {
  tilesmith::oneTmpSize(256, arguments...);
}
template <typename... Arguments> inline void GetArithProgressionMaxMinTmpSize(Arguments &&...arguments) {
  tilesmith::oneTmpSize(256, arguments...);
}
template <typename... Arguments> inline void GetWhereMaxMinTmpSize(Arguments &&...arguments) {
  tilesmith::oneTmpSize(256, arguments...);
}

// Sorting: records of 8 bytes.
template <typename Platform> inline uint32_t GetConcatTmpSize(const Platform &, uint32_t count, uint32_t) {
  return count * 8;
}
template <typename Platform> inline uint32_t GetSortTmpSize(const Platform &, uint32_t count, uint32_t) {
  return count * 8;
}

} // namespace AscendC

#endif
