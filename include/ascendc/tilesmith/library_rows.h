// Functions of rows (lib/activation, lib/normalization, lib/reduce, lib/quantization). What they are composed of is the
// Machine's (Library.def).
#ifndef TILESMITH_ASCENDC_LIBRARY_ROWS_H
#define TILESMITH_ASCENDC_LIBRARY_ROWS_H

#include "tilesmith/library.h"
#include "tilesmith/library_tilings.h"
#include "tilesmith/queues.h"

namespace tilesmith {

// Rows `columns` elements apart, of which the first `length` count.
struct LibraryShape {
  int64_t rows = 0, columns = 0, length = 0;
};

struct LibraryCall {
  int64_t dst[3] = {}, src[5] = {};
  int64_t scalar = 0, flags = 0;
};
inline void libraryRows(TsLibraryRows function, int64_t dtype, int64_t dtype2, const LibraryCall &call,
                        const LibraryWork &work, const LibraryShape &shape, Where where) {
  api->tsm_library_rows(core, where.loc(), int64_t(function), dtype, dtype2, call.dst[0], call.dst[1], call.dst[2],
                        call.src[0], call.src[1], call.src[2], call.src[3], call.src[4], call.scalar, 0, work.address,
                        work.bytes, shape.rows, shape.columns, shape.length, call.flags);
}
template <typename T, typename U = T>
void libraryRows(TsLibraryRows function, const LibraryCall &call, const LibraryWork &work, const LibraryShape &shape,
                 Where where) {
  libraryRows(function, dtypeOf<T>(), dtypeOf<U>(), call, work, shape, where);
}

} // namespace tilesmith

namespace AscendC {

struct SoftMaxShapeInfo {
  uint32_t srcM = 0, srcK = 0, oriSrcM = 0, oriSrcK = 0;
};
enum class SoftmaxMode { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };
struct SoftmaxConfig {
  bool isCheckTiling = true;
  uint32_t oriSrcM = 0, oriSrcK = 0;
  SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
inline constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG{};

} // namespace AscendC

namespace tilesmith {

// The shape a call names, else the tensor's, else the tiling's.
template <typename T>
LibraryShape softmaxShape(const AscendC::LocalTensor<T> &src, const SoftMaxTiling &tiling,
                          const AscendC::SoftMaxShapeInfo &info) {
  if (info.srcM && info.srcK)
    return {info.oriSrcM ? info.oriSrcM : info.srcM, info.srcK, info.oriSrcK ? info.oriSrcK : info.srcK};
  const AscendC::ShapeInfo shape = src.GetShapeInfo();
  if (shape.shapeDim > 0 && shape.shapeDim <= 8) {
    auto rows = [](const uint32_t *sizes, int dims) {
      int64_t product = 1;
      for (int i = 0; i + 1 < dims; ++i)
        product *= sizes[i];
      return product;
    };
    int last = shape.shapeDim - 1;
    int64_t length = shape.originalShape[last] ? shape.originalShape[last] : shape.shape[last];
    return {rows(shape.shape, shape.shapeDim), shape.shape[last], length};
  }
  return {tiling.srcM, tiling.srcK, tiling.srcK};
}

template <bool isNz> void refuseFractals(const char *name, Where where) {
  if constexpr (isNz) {
    char text[96];
    __builtin_snprintf(text, sizeof text, "%s of data in fractals (isDataFormatNZ)", name);
    unsupported(where, text);
  }
}

} // namespace tilesmith

namespace AscendC {

// With a temporary buffer and without.
#define TILESMITH_OPEN(...) __VA_ARGS__
#define TILESMITH_WITH_WORK(TEMPLATE, NAME, BEFORE, AFTER, ...)                                                        \
  TEMPLATE inline void NAME(TILESMITH_OPEN BEFORE, const LocalTensor<uint8_t> &sharedTmpBuffer, TILESMITH_OPEN AFTER,  \
                            tilesmith::Where where = tilesmith::Where::here()) {                                       \
    tilesmith::LibraryWork work = sharedTmpBuffer;                                                                     \
    __VA_ARGS__                                                                                                        \
  }                                                                                                                    \
  TEMPLATE inline void NAME(TILESMITH_OPEN BEFORE, TILESMITH_OPEN AFTER,                                               \
                            tilesmith::Where where = tilesmith::Where::here()) {                                       \
    tilesmith::LibraryWork work;                                                                                       \
    __VA_ARGS__                                                                                                        \
  }

#define TILESMITH_SOFTMAX                                                                                              \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,            \
            const auto & ...config, typename U>
TILESMITH_WITH_WORK(
    TILESMITH_SOFTMAX, SoftMax,
    (const LocalTensor<T> &dst, const LocalTensor<U> &sum, const LocalTensor<U> &max, const LocalTensor<T> &src),
    (const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape = {}),
    tilesmith::refuseFractals<isDataFormatNZ>("SoftMax", where);
    tilesmith::libraryRows<T, U>(TS_ROWS_SoftMax,
                                 {{dst.tsAddress(), sum.tsAddress(), max.tsAddress()}, {src.tsAddress()}}, work,
                                 tilesmith::softmaxShape(src, tiling, shape), where);)
TILESMITH_WITH_WORK(
    TILESMITH_SOFTMAX, SimpleSoftMax,
    (const LocalTensor<T> &dst, const LocalTensor<U> &inSum, const LocalTensor<U> &inMax, const LocalTensor<T> &src),
    (const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape = {}),
    tilesmith::refuseFractals<isDataFormatNZ>("SimpleSoftMax", where);
    tilesmith::libraryRows<T, U>(TS_ROWS_SimpleSoftMax,
                                 {{dst.tsAddress()}, {src.tsAddress(), inSum.tsAddress(), inMax.tsAddress()}}, work,
                                 tilesmith::softmaxShape(src, tiling, shape), where);)
#undef TILESMITH_SOFTMAX
#define TILESMITH_SOFTMAX                                                                                              \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false, const auto & ...config>
TILESMITH_WITH_WORK(TILESMITH_SOFTMAX, SoftMax, (const LocalTensor<T> &dst, const LocalTensor<T> &src),
                    (const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape = {}),
                    tilesmith::libraryRows<T>(TS_ROWS_SoftMax, {{dst.tsAddress()}, {src.tsAddress()}}, work,
                                              tilesmith::softmaxShape(src, tiling, shape), where);)
#undef TILESMITH_SOFTMAX
#define TILESMITH_SOFTMAX                                                                                              \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false, const auto & ...config, typename U>
TILESMITH_WITH_WORK(
    TILESMITH_SOFTMAX, SoftmaxFlash,
    (const LocalTensor<T> &dst, const LocalTensor<U> &sum, const LocalTensor<U> &max, const LocalTensor<T> &src,
     const LocalTensor<T> &expMax, const LocalTensor<U> &inSum, const LocalTensor<U> &inMax),
    (const SoftMaxTiling &tiling, bool isUpdate = false, const SoftMaxShapeInfo &shape = {}),
    tilesmith::libraryRows<T, U>(TS_ROWS_SoftmaxFlash,
                                 {{dst.tsAddress(), sum.tsAddress(), max.tsAddress()},
                                  {src.tsAddress(), inSum.tsAddress(), inMax.tsAddress(), expMax.tsAddress()},
                                  0,
                                  isUpdate},
                                 work, tilesmith::softmaxShape(src, tiling, shape), where);)
#undef TILESMITH_SOFTMAX
#define TILESMITH_SOFTMAX                                                                                              \
  template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,                  \
            bool isDataFormatNZ = false, const auto & ...config, typename U>
TILESMITH_WITH_WORK(
    TILESMITH_SOFTMAX, SoftmaxFlashV2,
    (const LocalTensor<T> &dst, const LocalTensor<U> &expSum, const LocalTensor<U> &max, const LocalTensor<T> &src,
     const LocalTensor<T> &expMax, const LocalTensor<U> &inExpSum, const LocalTensor<U> &inMax),
    (const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape = {}),
    tilesmith::refuseFractals<isDataFormatNZ>("SoftmaxFlashV2", where);
    tilesmith::libraryRows<T, U>(TS_ROWS_SoftmaxFlashV2,
                                 {{dst.tsAddress(), expSum.tsAddress(), max.tsAddress()},
                                  {src.tsAddress(), inExpSum.tsAddress(), inMax.tsAddress(), expMax.tsAddress()},
                                  0,
                                  isUpdate},
                                 work, tilesmith::softmaxShape(src, tiling, shape), where);)
#undef TILESMITH_SOFTMAX
#define TILESMITH_SOFTMAX template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
TILESMITH_WITH_WORK(TILESMITH_SOFTMAX, SoftmaxGrad,
                    (const LocalTensor<T> &dst, const LocalTensor<T> &grad, const LocalTensor<T> &src),
                    (const SoftMaxTiling &tiling, bool isFront = false, const SoftMaxShapeInfo &shape = {}),
                    tilesmith::refuseFractals<isDataFormatNZ>("SoftmaxGrad", where);
                    tilesmith::libraryRows<T>(isFront ? TS_ROWS_SoftmaxGradFront : TS_ROWS_SoftmaxGrad,
                                              {{dst.tsAddress()}, {grad.tsAddress(), src.tsAddress()}}, work,
                                              tilesmith::softmaxShape(src, tiling, shape), where);)
TILESMITH_WITH_WORK(TILESMITH_SOFTMAX, SoftmaxGradFront,
                    (const LocalTensor<T> &dst, const LocalTensor<T> &grad, const LocalTensor<T> &src),
                    (const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape = {}),
                    tilesmith::refuseFractals<isDataFormatNZ>("SoftmaxGradFront", where);
                    tilesmith::libraryRows<T>(TS_ROWS_SoftmaxGradFront,
                                              {{dst.tsAddress()}, {grad.tsAddress(), src.tsAddress()}}, work,
                                              tilesmith::softmaxShape(src, tiling, shape), where);)
#undef TILESMITH_SOFTMAX

// Norms.
#define TILESMITH_NORM template <typename T, bool isBasicBlock = false>
TILESMITH_WITH_WORK(
    TILESMITH_NORM, RmsNorm, (const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &gamma),
    (const tilesmith::Same<T> &epsilon, const RmsNormTiling &tiling),
    tilesmith::libraryRows<T>(
        TS_ROWS_RmsNorm,
        {{dst.tsAddress()}, {src.tsAddress(), gamma.tsAddress()}, tilesmith::float32Bits(float(epsilon))}, work,
        {int64_t(tiling.bLength) * tiling.sLength, tiling.hLength, tiling.originalHLength}, where);)
TILESMITH_WITH_WORK(
    TILESMITH_NORM, LayerNorm,
    (const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance,
     const LocalTensor<T> &inputX, const LocalTensor<T> &gamma, const LocalTensor<T> &beta),
    (const tilesmith::Same<T> epsilon, const LayerNormTiling &tiling),
    tilesmith::libraryRows<T>(TS_ROWS_LayerNorm,
                              {{output.tsAddress(), outputMean.tsAddress(), outputVariance.tsAddress()},
                               {inputX.tsAddress(), gamma.tsAddress(), beta.tsAddress()},
                               tilesmith::float32Bits(float(epsilon))},
                              work, {int64_t(tiling.bLength) * tiling.sLength, tiling.hLength, tiling.originalHLength},
                              where);)
#undef TILESMITH_NORM
struct LayerNormPara {
  uint32_t aLength = 0, rLength = 0, rLengthWithPadding = 0;
};
struct LayerNormConfig {
  bool isNoBeta = false, isNoGamma = false, isOnlyOutput = false;
};
#define TILESMITH_NORM template <typename U, typename T, bool isReuseSource = false, const auto & ...config>
TILESMITH_WITH_WORK(
    TILESMITH_NORM, LayerNorm,
    (const LocalTensor<T> &output, const LocalTensor<float> &outputMean, const LocalTensor<float> &outputRstd,
     const LocalTensor<T> &inputX, const LocalTensor<U> &gamma, const LocalTensor<U> &beta, const float epsilon),
    (const LayerNormPara &para, const LayerNormSeparateTiling &tiling),
    static_assert(std::is_same_v<T, U>, "the model has LayerNorm of one element type");
    (void)tiling;
    tilesmith::libraryRows<T, float>(TS_ROWS_LayerNormRstd,
                                     {{output.tsAddress(), outputMean.tsAddress(), outputRstd.tsAddress()},
                                      {inputX.tsAddress(), gamma.tsAddress(), beta.tsAddress()},
                                      tilesmith::float32Bits(epsilon)},
                                     work, {para.aLength, para.rLengthWithPadding, para.rLength}, where);)
#undef TILESMITH_NORM

// Reductions of rows of a matrix, or over its rows.
struct SumParams {
  uint32_t outter = 1, inner = 0, n = 0;
};
struct MeanParams {
  uint32_t outter = 1, inner = 0, n = 0;
};
namespace Pattern {
namespace Reduce {
struct AR {};
struct RA {};
} // namespace Reduce
} // namespace Pattern

#define TILESMITH_ROW_SUM(NAME, FUNCTION, PARAMS)                                                                      \
  template <typename T, auto... options, bool = true>                                                                  \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer,  \
                   const PARAMS &params, tilesmith::Where where = tilesmith::Where::here()) {                          \
    tilesmith::libraryRows<T>(FUNCTION, {{dst.tsAddress()}, {src.tsAddress()}}, sharedTmpBuffer,                       \
                              {params.outter, params.inner, params.n}, where);                                         \
  }                                                                                                                    \
  template <typename T, auto... options, bool = true>                                                                  \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const PARAMS &params,                         \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    tilesmith::libraryRows<T>(FUNCTION, {{dst.tsAddress()}, {src.tsAddress()}}, {},                                    \
                              {params.outter, params.inner, params.n}, where);                                         \
  }
TILESMITH_ROW_SUM(Sum, TS_ROWS_RowSum, SumParams)
TILESMITH_ROW_SUM(Mean, TS_ROWS_RowMean, MeanParams)
#undef TILESMITH_ROW_SUM
// The type a mean is added up in: float32 in any case.
template <typename T, typename Accumulator, auto... options>
inline void Mean(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer,
                 const MeanParams &params, tilesmith::Where where = tilesmith::Where::here()) {
  Mean<T>(dst, src, sharedTmpBuffer, params, where);
}
template <typename T, typename Accumulator, auto... options>
inline void Mean(const LocalTensor<T> &dst, const LocalTensor<T> &src, const MeanParams &params,
                 tilesmith::Where where = tilesmith::Where::here()) {
  Mean<T>(dst, src, params, where);
}

#define TILESMITH_REDUCE(NAME, KIND)                                                                                   \
  template <typename T, typename pattern, bool isReuseSource = false>                                                  \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer,  \
                   const uint32_t srcShape[], bool srcInnerPad, tilesmith::Where where = tilesmith::Where::here()) {   \
    constexpr bool isRows = std::is_same_v<pattern, Pattern::Reduce::AR>;                                              \
    constexpr uint32_t block = uint32_t(tilesmith::chip::blockBytes / sizeof(T));                                      \
    uint32_t columns = srcInnerPad ? (srcShape[1] + block - 1) / block * block : srcShape[1];                          \
    tilesmith::libraryRows<T>(isRows ? TS_ROWS_Row##KIND : TS_ROWS_Column##KIND,                                       \
                              {{dst.tsAddress()}, {src.tsAddress()}}, sharedTmpBuffer,                                 \
                              {srcShape[0], columns, srcShape[1]}, where);                                             \
  }                                                                                                                    \
  template <typename T, typename pattern, bool isReuseSource = false>                                                  \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t srcShape[], bool srcInnerPad,  \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    constexpr bool isRows = std::is_same_v<pattern, Pattern::Reduce::AR>;                                              \
    constexpr uint32_t block = uint32_t(tilesmith::chip::blockBytes / sizeof(T));                                      \
    uint32_t columns = srcInnerPad ? (srcShape[1] + block - 1) / block * block : srcShape[1];                          \
    tilesmith::libraryRows<T>(isRows ? TS_ROWS_Row##KIND : TS_ROWS_Column##KIND,                                       \
                              {{dst.tsAddress()}, {src.tsAddress()}}, {}, {srcShape[0], columns, srcShape[1]}, where); \
  }
TILESMITH_REDUCE(ReduceSum, Sum)
TILESMITH_REDUCE(ReduceMean, Mean)
TILESMITH_REDUCE(ReduceMax, Max)
TILESMITH_REDUCE(ReduceMin, Min)
#undef TILESMITH_REDUCE

// Running sums over the first axis.
struct CumSumInfo {
  uint32_t outter = 0, inner = 0;
};
struct CumSumConfig {
  bool isLastAxis = true, isReuseSource = false, outputLastRow = false;
};
inline constexpr CumSumConfig defaultCumSumConfig{true, false, true};
#define TILESMITH_CUMSUM template <typename T, const CumSumConfig &config = defaultCumSumConfig>
TILESMITH_WITH_WORK(TILESMITH_CUMSUM, CumSum,
                    (const LocalTensor<T> &dst, const LocalTensor<T> &lastRow, const LocalTensor<T> &src),
                    (const CumSumInfo &info),
                    if constexpr (config.isLastAxis) return tilesmith::unsupported(where, "CumSum along the last axis");
                    tilesmith::libraryRows<T>(TS_ROWS_CumSum,
                                              {{dst.tsAddress(), config.outputLastRow ? lastRow.tsAddress() : 0},
                                               {src.tsAddress()}},
                                              work, {info.outter, info.inner, info.inner}, where);)
#undef TILESMITH_CUMSUM

// int8 and back.
struct AscendQuantConfig {
  uint32_t calcCount = 0, offsetCount = 0, scaleCount = 0, workLocalSize = 0;
};
#define TILESMITH_QUANT template <typename T, bool isReuseSource = false, const auto & ...config>
TILESMITH_WITH_WORK(TILESMITH_QUANT, AscendQuant, (const LocalTensor<int8_t> &dst, const LocalTensor<T> &src),
                    (const float scale, const float offset, const uint32_t calCount),
                    tilesmith::libraryMap(TS_MAP_AscendQuant, "AscendQuant", dst, src,
                                          {0, 0, 0, tilesmith::float32Bits(scale), tilesmith::float32Bits(offset)},
                                          work, calCount, where);)
TILESMITH_WITH_WORK(TILESMITH_QUANT, AscendQuant, (const LocalTensor<int8_t> &dst, const LocalTensor<T> &src),
                    (const float scale, const float offset),
                    tilesmith::libraryMap(TS_MAP_AscendQuant, "AscendQuant", dst, src,
                                          {0, 0, 0, tilesmith::float32Bits(scale), tilesmith::float32Bits(offset)},
                                          work, src.GetSize(), where);)
#undef TILESMITH_QUANT
struct AntiQuantShapeInfo {
  uint32_t offsetHeight = 0, offsetWidth = 0, scaleHeight = 0, scaleWidth = 0;
};
template <typename S, typename T, bool isTranspose = false>
inline void AscendAntiQuant(const LocalTensor<T> &dst, const LocalTensor<S> &src, const tilesmith::Same<T> offset,
                            const tilesmith::Same<T> scale, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t,
                            const AntiQuantShapeInfo & = {}, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::libraryMap(TS_MAP_AscendAntiQuant, "AscendAntiQuant", dst, src,
                        {0, 0, 0, tilesmith::float32Bits(float(scale)), tilesmith::float32Bits(float(offset))},
                        sharedTmpBuffer, src.GetSize(), where);
}
template <typename S, typename T, bool isTranspose = false>
inline void AscendAntiQuant(const LocalTensor<T> &dst, const LocalTensor<S> &src, const tilesmith::Same<T> offset,
                            const tilesmith::Same<T> scale, const uint32_t, const AntiQuantShapeInfo & = {},
                            tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::libraryMap(TS_MAP_AscendAntiQuant, "AscendAntiQuant", dst, src,
                        {0, 0, 0, tilesmith::float32Bits(float(scale)), tilesmith::float32Bits(float(offset))}, {},
                        src.GetSize(), where);
}
struct DequantParams {
  uint32_t m = 0, n = 0, calCount = 0;
};
#define TILESMITH_DEQUANT template <typename D, auto... options>
TILESMITH_WITH_WORK(TILESMITH_DEQUANT, AscendDequant,
                    (const LocalTensor<D> &dst, const LocalTensor<int32_t> &src, const LocalTensor<float> &deqScale),
                    (const DequantParams &params),
                    tilesmith::libraryRows<int32_t, D>(TS_ROWS_AscendDequant,
                                                       {{dst.tsAddress()}, {src.tsAddress(), deqScale.tsAddress()}},
                                                       work, {params.m, params.n, params.calCount}, where);)
TILESMITH_WITH_WORK(
    TILESMITH_DEQUANT, AscendDequant,
    (const LocalTensor<D> &dst, const LocalTensor<int32_t> &src, const float deqScale), (const DequantParams &params),
    tilesmith::libraryRows<int32_t, D>(TS_ROWS_AscendDequant,
                                       {{dst.tsAddress()}, {src.tsAddress()}, tilesmith::float32Bits(deqScale), 1},
                                       work, {params.m, params.n, params.calCount}, where);)
#undef TILESMITH_DEQUANT
// The type of the scales is said, too.
template <typename D, typename S, auto... options, typename Scale>
inline void AscendDequant(const LocalTensor<D> &dst, const LocalTensor<int32_t> &src, const Scale &deqScale,
                          const LocalTensor<uint8_t> &sharedTmpBuffer, const DequantParams &params,
                          tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(std::is_same_v<S, float>, "the model has AscendDequant with scales of float");
  AscendDequant<D>(dst, src, deqScale, sharedTmpBuffer, params, where);
}
template <typename D, typename S, auto... options, typename Scale>
inline void AscendDequant(const LocalTensor<D> &dst, const LocalTensor<int32_t> &src, const Scale &deqScale,
                          const DequantParams &params, tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(std::is_same_v<S, float>, "the model has AscendDequant with scales of float");
  AscendDequant<D>(dst, src, deqScale, params, where);
}
enum class DeQuantMode { DEQUANT_WITH_SINGLE_ROW, DEQUANT_WITH_MULTI_ROW };

#undef TILESMITH_WITH_WORK
#undef TILESMITH_OPEN

} // namespace AscendC

#endif
