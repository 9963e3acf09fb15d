// The host's library of tilings, as far as it is about functions of elements and rows: how large temporary buffers must
// be and tiling structs. The rules are the Machine's, which checks buffers by them.
#ifndef TILESMITH_ASCENDC_LIBRARY_HOST_H
#define TILESMITH_ASCENDC_LIBRARY_HOST_H

#include "tilesmith/graph_types.h"
#include "tilesmith/host.h"
#include "tilesmith/library_tilings.h"
#include <initializer_list>
#include <stddef.h>
#include <tuple>
#include <type_traits>
#include <vector>

namespace ge {

// Dimensions of a tensor on the host.
class Shape {
public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> sizes) : sizes(sizes) {}
  explicit Shape(const std::vector<int64_t> &sizes) : sizes(sizes) {}

  size_t GetDimNum() const { return sizes.size(); }
  int64_t GetDim(size_t index) const { return index < sizes.size() ? sizes[index] : 0; }
  bool SetDim(size_t index, int64_t size) { return index < sizes.size() && (sizes[index] = size, true); }
  std::vector<int64_t> GetDims() const { return sizes; }
  int64_t GetShapeSize() const {
    int64_t product = sizes.empty() ? 0 : 1;
    for (int64_t size : sizes)
      product *= size;
    return product;
  }

private:
  std::vector<int64_t> sizes;
};

} // namespace ge

namespace AscendC {

using TensorShape = ge::Shape;

} // namespace AscendC

namespace tilesmith {

struct LibraryBytes {
  uint32_t least, most;
};
// Never none: programs make a buffer of the size they are told.
inline LibraryBytes libraryBytes(bool ofRows, int64_t function, int64_t size, int64_t rows, int64_t columns) {
  int64_t least = 0, most = 0;
  tilesmith_library_bytes(ofRows, function, size, rows, columns, &least, &most);
  auto some = [](int64_t bytes) { return uint32_t(bytes < 256 ? 256 : bytes > UINT32_MAX ? UINT32_MAX : bytes); };
  return {some(least), some(most)};
}
inline int64_t columnsOf(const ge::Shape &shape) { return shape.GetDimNum() ? shape.GetDim(shape.GetDimNum() - 1) : 0; }
inline LibraryBytes libraryBytesOfRows(TsLibraryRows function, const ge::Shape &shape, int64_t size) {
  int64_t columns = columnsOf(shape);
  return libraryBytes(true, function, size, columns ? shape.GetShapeSize() / columns : 0, columns);
}

// Arguments of Get*MaxMinTmpSize: a shape, the size of an element (the first number that is not a bool), and at the end
// the results. What else there is (reuse of the source, a platform, a second shape) changes nothing.
template <typename Tuple, size_t index = 0> const ge::Shape &shapeAmong(const Tuple &arguments) {
  if constexpr (std::is_same_v<std::decay_t<std::tuple_element_t<index, Tuple>>, ge::Shape>)
    return std::get<index>(arguments);
  else
    return shapeAmong<Tuple, index + 1>(arguments);
}
template <typename Tuple, size_t index = 0> int64_t sizeAmong(const Tuple &arguments) {
  using Argument = std::decay_t<std::tuple_element_t<index, Tuple>>;
  if constexpr (std::is_integral_v<Argument> && !std::is_same_v<Argument, bool>)
    return int64_t(std::get<index>(arguments));
  else
    return sizeAmong<Tuple, index + 1>(arguments);
}
template <typename... Arguments> void maxMinTmpSize(int64_t function, Arguments &&...arguments) {
  auto all = std::forward_as_tuple(arguments...);
  LibraryBytes bytes = libraryBytes(false, function, sizeAmong(all), 1, shapeAmong(all).GetShapeSize());
  std::get<sizeof...(arguments) - 2>(all) = bytes.most;
  std::get<sizeof...(arguments) - 1>(all) = bytes.least;
}

} // namespace tilesmith

namespace AscendC {

// Get<Name>MaxMinTmpSize(shape, typeSize, isReuseSource, maxValue, minValue), and the factor by which a buffer limits
// how many elements are computed at once.
#define TILESMITH_LIBRARY_MAP(NAME, ...)                                                                               \
  template <typename... Arguments> inline void Get##NAME##MaxMinTmpSize(Arguments &&...arguments) {                    \
    tilesmith::maxMinTmpSize(TS_MAP_##NAME, arguments...);                                                             \
  }                                                                                                                    \
  inline void Get##NAME##TmpBufferFactorSize(const uint32_t typeSize, uint32_t &maxLiveNodeCnt, uint32_t &extraBuf) {  \
    maxLiveNodeCnt =                                                                                                   \
        (tilesmith::libraryBytes(false, TS_MAP_##NAME, typeSize, 1, 64).least + typeSize * 64 - 1) / (typeSize * 64);  \
    extraBuf = 0;                                                                                                      \
  }
#include "tilesmith/Machine/Library.def"

// Soft maxima: sizes, and the struct a kernel passes on.
inline void tsFill(tiling::SoftMaxTiling &tiling, const ge::Shape &shape, uint32_t size) {
  uint32_t columns = uint32_t(tilesmith::columnsOf(shape)),
           rows = columns ? uint32_t(shape.GetShapeSize() / columns) : 0, block = size ? 32 / size : 0;
  tiling = {};
  tiling.srcM = tiling.outMaxM = tiling.splitM = tiling.reduceM = rows;
  tiling.srcK = tiling.splitK = columns;
  tiling.outMaxK = tiling.reduceK = block;
  tiling.srcSize = tiling.splitSize = rows * columns;
  tiling.outMaxSize = tiling.reduceSize = rows * block;
  tiling.rangeM = rows ? 1 : 0;
}
#define TILESMITH_SOFTMAX_SIZES(NAME, FUNCTION)                                                                        \
  template <typename... Rest>                                                                                          \
  inline uint32_t Get##NAME##MaxTmpSize(const ge::Shape &shape, uint32_t typeSize, Rest...) {                          \
    return tilesmith::libraryBytesOfRows(FUNCTION, shape, typeSize).most;                                              \
  }                                                                                                                    \
  template <typename... Rest>                                                                                          \
  inline uint32_t Get##NAME##MinTmpSize(const ge::Shape &shape, uint32_t typeSize, Rest...) {                          \
    return tilesmith::libraryBytesOfRows(FUNCTION, shape, typeSize).least;                                             \
  }
TILESMITH_SOFTMAX_SIZES(SoftMax, TS_ROWS_SoftMax)
TILESMITH_SOFTMAX_SIZES(SimpleSoftMax, TS_ROWS_SimpleSoftMax)
TILESMITH_SOFTMAX_SIZES(SoftMaxFlash, TS_ROWS_SoftmaxFlash)
TILESMITH_SOFTMAX_SIZES(SoftMaxFlashV2, TS_ROWS_SoftmaxFlashV2)
TILESMITH_SOFTMAX_SIZES(SoftMaxGrad, TS_ROWS_SoftmaxGrad)
#undef TILESMITH_SOFTMAX_SIZES
inline void SoftMaxTilingFunc(const ge::Shape &shape, uint32_t typeSize, uint32_t, tiling::SoftMaxTiling &tiling) {
  tsFill(tiling, shape, typeSize);
}
inline void SimpleSoftMaxTilingFunc(const ge::Shape &shape, uint32_t typeSize, uint32_t,
                                    tiling::SoftMaxTiling &tiling) {
  tsFill(tiling, shape, typeSize);
}
inline void SoftMaxFlashTilingFunc(const ge::Shape &shape, uint32_t typeSize, uint32_t, tiling::SoftMaxTiling &tiling,
                                   bool = false) {
  tsFill(tiling, shape, typeSize);
}
template <typename... Rest>
inline void SoftMaxFlashV2TilingFunc(const ge::Shape &shape, uint32_t, uint32_t typeSize, uint32_t,
                                     tiling::SoftMaxTiling &tiling, Rest...) {
  tsFill(tiling, shape, typeSize);
}
inline void SoftMaxGradTilingFunc(const ge::Shape &shape, uint32_t typeSize, uint32_t, tiling::SoftMaxTiling &tiling,
                                  bool = false) {
  tsFill(tiling, shape, typeSize);
}

// Norms of [b, s, h].
inline void tsFill(uint32_t &b, uint32_t &s, uint32_t &h, const ge::Shape &shape) {
  h = uint32_t(tilesmith::columnsOf(shape));
  s = shape.GetDimNum() > 1 ? uint32_t(shape.GetDim(shape.GetDimNum() - 2)) : 1;
  b = h && s ? uint32_t(shape.GetShapeSize() / (int64_t(h) * s)) : 0;
}
inline bool GetRmsNormMaxMinTmpSize(const ge::Shape &shape, uint32_t typeSize, uint32_t &maxValue, uint32_t &minValue,
                                    bool = false) {
  tilesmith::LibraryBytes bytes = tilesmith::libraryBytesOfRows(TS_ROWS_RmsNorm, shape, typeSize);
  maxValue = bytes.most;
  minValue = bytes.least;
  return true;
}
inline bool GetRmsNormTilingInfo(const ge::Shape &shape, const ge::Shape &original, uint32_t bytes, uint32_t typeSize,
                                 tiling::RmsNormTiling &tiling, bool = false) {
  tiling = {};
  tsFill(tiling.bLength, tiling.sLength, tiling.hLength, shape);
  tiling.originalHLength = uint32_t(tilesmith::columnsOf(original));
  tiling.reciprocalOfHLength = tiling.originalHLength ? 1.0f / float(tiling.originalHLength) : 0;
  tiling.mainBsLength = tiling.mainBsLengthAlign = tiling.bLength * tiling.sLength;
  tiling.mainBshLength = tiling.mainBsLength * tiling.hLength;
  tiling.loopRound = 1;
  return bytes >= tilesmith::libraryBytesOfRows(TS_ROWS_RmsNorm, shape, typeSize).least;
}
inline void GetLayerNormMaxMinTmpSize(const ge::Shape &shape, uint32_t typeSize, bool, uint32_t &maxValue,
                                      uint32_t &minValue) {
  tilesmith::LibraryBytes bytes = tilesmith::libraryBytesOfRows(TS_ROWS_LayerNorm, shape, typeSize);
  maxValue = bytes.most;
  minValue = bytes.least;
}
inline void GetLayerNormNDTilingInfo(const ge::Shape &shape, uint32_t, uint32_t, bool,
                                     tiling::LayerNormTiling &tiling) {
  tiling = {};
  tsFill(tiling.bLength, tiling.sLength, tiling.hLength, shape);
  tiling.originalHLength = tiling.hLength;
  tiling.bsCurLength = tiling.meanVarSize = tiling.bLength * tiling.sLength;
  tiling.bshCurLength = tiling.inputXSize = tiling.bsCurLength * tiling.hLength;
  tiling.loopRound = 1;
  tiling.lastDimValueBack = tiling.hLength ? 1.0f / float(tiling.hLength) : 0;
}
inline void GetLayerNormNDTillingInfo(const ge::Shape &shape, uint32_t bytes, uint32_t typeSize, bool reuse,
                                      tiling::LayerNormTiling &tiling) {
  GetLayerNormNDTilingInfo(shape, bytes, typeSize, reuse, tiling);
}

// Sums of rows of n elements: as for 16 rows, which are taken at once.
inline void GetSumMaxMinTmpSize(uint32_t n, uint32_t typeSize, bool, uint32_t &maxValue, uint32_t &minValue) {
  maxValue = minValue = tilesmith::libraryBytes(true, TS_ROWS_RowSum, typeSize, 16, n).most;
}
inline void GetMeanMaxMinTmpSize(uint32_t n, uint32_t typeSize, uint32_t, bool, uint32_t &maxValue,
                                 uint32_t &minValue) {
  maxValue = minValue = tilesmith::libraryBytes(true, TS_ROWS_RowMean, typeSize, 16, n).most;
}
inline void GetCumSumMaxMinTmpSize(const ge::Shape &shape, uint32_t typeSize, bool, bool, uint32_t &maxValue,
                                   uint32_t &minValue) {
  tilesmith::LibraryBytes bytes = tilesmith::libraryBytesOfRows(TS_ROWS_CumSum, shape, typeSize);
  maxValue = bytes.most;
  minValue = bytes.least;
}
inline void GetAscendDequantMaxMinTmpSize(const ge::Shape &shape, uint32_t typeSize, uint32_t &maxValue,
                                          uint32_t &minValue) {
  tilesmith::LibraryBytes bytes = tilesmith::libraryBytesOfRows(TS_ROWS_AscendDequant, shape, typeSize);
  maxValue = bytes.most;
  minValue = bytes.least;
}

// A broadcast needs no buffer; one of no bytes cannot be had.
template <typename Platform>
inline void GetBroadCastMaxMinTmpSize(const Platform &, const ge::Shape &, const ge::Shape &, uint32_t, bool,
                                      uint32_t &maxValue, uint32_t &minValue) {
  maxValue = minValue = 256;
}
// The largest elements of rows.
template <typename Platform>
inline bool GetTopKMaxMinTmpSize(const Platform &, int32_t inner, int32_t, bool, bool, TopKMode, bool,
                                 uint32_t dataTypeSize, uint32_t &maxValue, uint32_t &minValue) {
  maxValue = minValue = uint32_t(tilesmith::topKBytes(inner, dataTypeSize));
  return true;
}
template <typename Platform>
inline bool TopKTilingFunc(const Platform &, int32_t inner, int32_t outter, int32_t, uint32_t dataTypeSize, bool,
                           TopKMode, bool, tiling::TopkTiling &tiling) {
  tiling = {};
  tiling.tmpLocalSize = uint32_t(tilesmith::topKBytes(inner, dataTypeSize) / dataTypeSize);
  tiling.allDataSize = uint32_t(inner * outter);
  tiling.innerDataSize = uint32_t(inner);
  tiling.sortRepeat = uint32_t(inner / 32);
  return true;
}

} // namespace AscendC

#endif
