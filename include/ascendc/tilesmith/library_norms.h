// Norms and their gradients (lib/normalization): compositions of instructions, a row at a time in float32. The rows of
// a call are a multiple of 32 bytes long.
#ifndef TILESMITH_ASCENDC_LIBRARY_NORMS_H
#define TILESMITH_ASCENDC_LIBRARY_NORMS_H

#include "tilesmith/library_rows.h"
#include "tilesmith/library_tilings_more.h"

namespace tilesmith {

// Rows of float32 in a temporary buffer. A row of the caller's that is float32 already is used where it lies.
class RowWork {
public:
  // Room for `rows` rows of `columns` elements and the partial results of a sum.
  RowWork(const AscendC::LocalTensor<uint8_t> &buffer, const char *name, int64_t rows, int64_t columns, Where where)
      : columns(columns), where(where), buffer(buffer) {
    if (int64_t(buffer.GetLength()) >= bytes(rows, columns))
      return;
    char text[160];
    __builtin_snprintf(text, sizeof text, "%s needs %lld bytes for intermediate results; the temporary buffer has %u",
                       name, static_cast<long long>(bytes(rows, columns)), buffer.GetLength());
    fail(where, TS_FINDING_LibraryWork, text);
  }
  static constexpr int64_t pitch(int64_t columns) { return (columns * 4 + 31) / 32 * 32; }
  static constexpr int64_t sums(int64_t columns) { return ((columns + 63) / 64 * 4 + 31) / 32 * 32 + 64; }
  static constexpr int64_t bytes(int64_t rows, int64_t columns) { return rows * pitch(columns) + sums(columns); }

  AscendC::LocalTensor<float> row() {
    auto part = buffer[at].template ReinterpretCast<float>();
    part.SetSize(uint32_t(columns));
    at += pitch(columns);
    return part;
  }
  // Elements as float32: in `to`, or where they are.
  template <typename T>
  AscendC::LocalTensor<float> load(const AscendC::LocalTensor<float> &to, const AscendC::LocalTensor<T> &from) {
    if constexpr (std::is_same_v<T, float>) {
      (void)to;
      return from;
    } else {
      AscendC::Cast(to, from, AscendC::RoundMode::CAST_NONE, uint32_t(columns), where);
      return to;
    }
  }
  template <typename T> void store(const AscendC::LocalTensor<T> &to, const AscendC::LocalTensor<float> &from) {
    if constexpr (std::is_same_v<T, float>)
      AscendC::Muls(to, from, 1.0f, int64_t(columns), where);
    else
      AscendC::Cast(to, from, AscendC::RoundMode::CAST_RINT, uint32_t(columns), where);
  }
  // The sum of the first `count` elements, for the scalar unit.
  float sum(const AscendC::LocalTensor<float> &of, int64_t count) {
    auto place = buffer[at].template ReinterpretCast<float>();
    AscendC::ReduceSum(place, of, place[8], int32_t(count), where);
    return place.GetValue(0, where);
  }
  template <typename T> float number(const AscendC::LocalTensor<T> &of, int64_t index) {
    return float(of.GetValue(uint32_t(index), where));
  }

  int64_t columns;
  Where where;

private:
  AscendC::LocalTensor<uint8_t> buffer;
  int64_t at = 0;
};

// UB the pipe has not given out, for functions that are called without a buffer: a buffer of no bytes begins there. In
// a kernel without a pipe the last 16 KiB, where addresses given by hand seldom reach.
inline AscendC::LocalTensor<uint8_t> freeBytes(Where where = Where::here()) {
  constexpr int64_t withoutPipe = 16384;
  int64_t end = api->tsm_capacity(core, int64_t(Memory::UB)) / 32 * 32;
  int64_t begin = api->tsm_pipe_current(core)
                      ? api->tsm_buffer_init(core, where.loc(), int64_t(AscendC::TPosition::VECCALC), 0)
                      : addressOf(Memory::UB, end - withoutPipe);
  int64_t left = end - offsetOf(begin);
  return AscendC::LocalTensor<uint8_t>::tsAt(begin, uint32_t(left > 0 ? left : 0), AscendC::TPosition::VECCALC);
}

inline float rootOf(float value) { return __builtin_sqrtf(value); }

} // namespace tilesmith

namespace AscendC {

struct LayerNormGradShapeInfo {
  DataFormat dataFormat = DataFormat::ND;
};

// With a temporary buffer and without.
#define TILESMITH_WITH_BUFFER(TEMPLATE, NAME, BEFORE, AFTER, ...)                                                      \
  TEMPLATE inline void NAME(TILESMITH_OPEN BEFORE, const LocalTensor<uint8_t> &sharedTmpBuffer, TILESMITH_OPEN AFTER,  \
                            tilesmith::Where where = tilesmith::Where::here()){                                        \
      __VA_ARGS__} TEMPLATE inline void NAME(TILESMITH_OPEN BEFORE, TILESMITH_OPEN AFTER,                              \
                                             tilesmith::Where where = tilesmith::Where::here()) {                      \
    LocalTensor<uint8_t> sharedTmpBuffer = tilesmith::freeBytes();                                                     \
    __VA_ARGS__                                                                                                        \
  }
#define TILESMITH_OPEN(...) __VA_ARGS__

#define TILESMITH_NORM template <typename T, bool isReuseSource = false>
TILESMITH_WITH_BUFFER(
    TILESMITH_NORM, LayerNormGrad,
    (const LocalTensor<T> &outputPdX, const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy,
     const LocalTensor<T> &inputX, const LocalTensor<T> &inputVariance, const LocalTensor<T> &inputMean,
     const LocalTensor<T> &inputGamma),
    (const tilesmith::Same<T> epsilon, const LayerNormGradTiling &tiling, const LayerNormGradShapeInfo & = {}),
    int64_t rows = int64_t(tiling.bLength) * tiling.sLength, columns = tiling.hLength, length = tiling.originalHLength;
    tilesmith::RowWork work(sharedTmpBuffer, "LayerNormGrad", 5, columns, where);
    auto r0 = work.row(), r1 = work.row(), r2 = work.row(), product = work.row(), centred = work.row();
    auto gamma = work.load(r0, inputGamma); for (int64_t row = 0; row < rows; ++row) {
      int64_t at = row * columns;
      float inverse = 1.0f / (work.number(inputVariance, row) + float(epsilon)), root = tilesmith::rootOf(inverse);
      Adds(centred, work.load(r1, inputX[at]), -work.number(inputMean, row), columns, where);
      Mul(r2, work.load(r2, inputDy[at]), gamma, columns, where);
      Mul(product, r2, centred, columns, where);
      float ofVariance = -0.5f * inverse * root * work.sum(product, length);
      float ofMean = -root * work.sum(r2, length) - 2.0f * ofVariance / float(length) * work.sum(centred, length);
      Muls(product, centred, root, columns, where);
      work.store(resForGamma[at], product);
      Muls(r2, r2, root, columns, where);
      Muls(centred, centred, 2.0f * ofVariance / float(length), columns, where);
      Add(r2, r2, centred, columns, where);
      Adds(r2, r2, ofMean / float(length), columns, where);
      work.store(outputPdX[at], r2);
    })
TILESMITH_WITH_BUFFER(
    TILESMITH_NORM, LayerNormGradBeta,
    (const LocalTensor<T> &outputPdGamma, const LocalTensor<T> &outputPdBeta, const LocalTensor<T> &resForGamma,
     const LocalTensor<T> &inputDy),
    (const LayerNormGradBetaTiling &tiling), int64_t rows = int64_t(tiling.bLength) * tiling.sLength,
    columns = tiling.hLength;
    tilesmith::RowWork work(sharedTmpBuffer, "LayerNormGradBeta", 4, columns, where);
    auto r0 = work.row(), r1 = work.row(), ofGamma = work.row(), ofBeta = work.row();
    Duplicate(ofGamma, 0.0f, columns, where); Duplicate(ofBeta, 0.0f, columns, where);
    for (int64_t row = 0; row < rows; ++row) {
      auto dy = work.load(r0, inputDy[row * columns]);
      Mul(r1, work.load(r1, resForGamma[row * columns]), dy, columns, where);
      Add(ofGamma, ofGamma, r1, columns, where);
      Add(ofBeta, ofBeta, dy, columns, where);
    } work.store(outputPdGamma, ofGamma);
    work.store(outputPdBeta, ofBeta);)
#undef TILESMITH_NORM

// Mean and variance over the first axis of [b, sh]; gamma and beta are numbers of it.
#define TILESMITH_NORM template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
TILESMITH_WITH_BUFFER(
    TILESMITH_NORM, BatchNorm,
    (const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance,
     const LocalTensor<T> &inputX, const LocalTensor<T> &gamm, const LocalTensor<T> &beta),
    (const tilesmith::Same<T> epsilon, const BatchNormTiling &tiling), int64_t rows = tiling.originalBLength,
    columns = tiling.shCurLength;
    tilesmith::RowWork work(sharedTmpBuffer, "BatchNorm", 4, columns, where);
    auto r0 = work.row(), r1 = work.row(), mean = work.row(), variance = work.row(); float share = 1.0f / float(rows);
    Duplicate(mean, 0.0f, columns, where); Duplicate(variance, 0.0f, columns, where);
    for (int64_t row = 0; row < rows; ++row) {
      Muls(r0, work.load(r0, inputX[row * columns]), share, columns, where);
      Add(mean, mean, r0, columns, where);
    } for (int64_t row = 0; row < rows; ++row) {
      Sub(r0, work.load(r0, inputX[row * columns]), mean, columns, where);
      Mul(r0, r0, r0, columns, where);
      Muls(r0, r0, share, columns, where);
      Add(variance, variance, r0, columns, where);
    } work.store(outputMean, mean);
    work.store(outputVariance, variance); Adds(r1, variance, float(epsilon), columns, where);
    Sqrt(variance, r1, columns, where); for (int64_t row = 0; row < rows; ++row) {
      float scale = work.number(gamm, row), offset = work.number(beta, row);
      Sub(r0, work.load(r0, inputX[row * columns]), mean, columns, where);
      Div(r0, r0, variance, columns, where);
      Muls(r0, r0, scale, columns, where);
      Adds(r0, r0, offset, columns, where);
      work.store(output[row * columns], r0);
    })
// A layer norm of alpha * x + gx.
TILESMITH_WITH_BUFFER(
    TILESMITH_NORM, DeepNorm,
    (const LocalTensor<T> &dst, const LocalTensor<T> &meanLocal, const LocalTensor<T> &rstdLocal,
     const LocalTensor<T> &src, const LocalTensor<T> &gxLocal, const LocalTensor<T> &betaLocal,
     const LocalTensor<T> &gammaLocal),
    (const tilesmith::Same<T> alpha, const tilesmith::Same<T> epsilon, const DeepNormTiling &tiling),
    int64_t rows = int64_t(tiling.bLength) * tiling.sLength, columns = tiling.hLength, length = tiling.originalHLength;
    tilesmith::RowWork work(sharedTmpBuffer, "DeepNorm", 5, columns, where);
    auto r0 = work.row(), r1 = work.row(), r2 = work.row(), x = work.row(), y = work.row();
    auto gamma = work.load(r0, gammaLocal), beta = work.load(r1, betaLocal); for (int64_t row = 0; row < rows; ++row) {
      int64_t at = row * columns;
      Muls(x, work.load(x, src[at]), float(alpha), columns, where);
      Add(x, x, work.load(r2, gxLocal[at]), columns, where);
      float mean = work.sum(x, length) / float(length);
      Adds(x, x, -mean, columns, where);
      Mul(y, x, x, columns, where);
      float variance = work.sum(y, length) / float(length);
      meanLocal.SetValue(uint32_t(row), T(mean), where);
      rstdLocal.SetValue(uint32_t(row), T(variance), where);
      Muls(x, x, 1.0f / tilesmith::rootOf(variance + float(epsilon)), columns, where);
      Mul(x, x, gamma, columns, where);
      Add(x, x, beta, columns, where);
      work.store(dst[at], x);
    })
#undef TILESMITH_NORM

// Groups of channels of [n, c, hw], whose rows of hw elements are hwAlignSize elements apart.
#define TILESMITH_NORM template <typename T, bool isReuseSource = false>
TILESMITH_WITH_BUFFER(
    TILESMITH_NORM, GroupNorm,
    (const LocalTensor<T> &output, const LocalTensor<T> &outputMean, const LocalTensor<T> &outputVariance,
     const LocalTensor<T> &inputX, const LocalTensor<T> &gamma, const LocalTensor<T> &beta),
    (const tilesmith::Same<T> epsilon, const GroupNormTiling &tiling), int64_t columns = tiling.hwAlignSize,
    length = tiling.hw, channels = tiling.d;
    tilesmith::RowWork work(sharedTmpBuffer, "GroupNorm", 1, columns, where); auto x = work.row();
    float share = 1.0f / float(channels * length);
    for (int64_t group = 0; group < int64_t(tiling.n) * tiling.g; ++group) {
      float mean = 0;
      float variance = 0;
      for (int64_t channel = 0; channel < channels; ++channel)
        mean += work.sum(work.load(x, inputX[(group * channels + channel) * columns]), length) * share;
      for (int64_t channel = 0; channel < channels; ++channel) {
        Adds(x, work.load(x, inputX[(group * channels + channel) * columns]), -mean, columns, where);
        Mul(x, x, x, columns, where);
        variance += work.sum(x, length) * share;
      }
      outputMean.SetValue(uint32_t(group), T(mean), where);
      outputVariance.SetValue(uint32_t(group), T(variance), where);
      float root = 1.0f / tilesmith::rootOf(variance + float(epsilon));
      for (int64_t channel = 0; channel < channels; ++channel) {
        int64_t row = group * channels + channel;
        int64_t which = group % int64_t(tiling.g) * channels + channel;
        float scale = work.number(gamma, which), offset = work.number(beta, which);
        Adds(x, work.load(x, inputX[row * columns]), -mean, columns, where);
        Muls(x, x, root * scale, columns, where);
        Adds(x, x, offset, columns, where);
        work.store(output[row * columns], x);
      }
    })
#undef TILESMITH_NORM

// Rows whose mean and variance are known.
enum class ReducePattern : uint32_t { AR = 0, RA = 1, R, ARA, ARAR, ARARA, ARARAR, ARARARA, ARARARAR, RAR, RARA };
struct NormalizeConfig {
  ReducePattern reducePattern = ReducePattern::AR;
  int32_t aLength = -1;
  bool isNoBeta = false, isNoGamma = false, isOnlyOutput = false;
};
inline constexpr NormalizeConfig NLCFG_NORM{};
constexpr NormalizeConfig GetNormalizeConfig(bool isNoBeta, bool isNoGamma) {
  return {ReducePattern::AR, -1, isNoBeta, isNoGamma, false};
}
struct NormalizePara {
  uint32_t aLength = 0, rLength = 0, rLengthWithPadding = 0;
};
#define TILESMITH_NORM                                                                                                 \
  template <typename U, typename T, bool isReuseSource = false, const NormalizeConfig &config = NLCFG_NORM>
TILESMITH_WITH_BUFFER(
    TILESMITH_NORM, Normalize,
    (const LocalTensor<T> &output, const LocalTensor<float> &outputRstd, const LocalTensor<float> &inputMean,
     const LocalTensor<float> &inputVariance, const LocalTensor<T> &inputX, const LocalTensor<U> &gamma,
     const LocalTensor<U> &beta),
    (const float epsilon, const NormalizePara &para), int64_t columns = para.rLengthWithPadding;
    tilesmith::RowWork work(sharedTmpBuffer, "Normalize", 3, columns, where);
    auto x = work.row(), r0 = work.row(), r1 = work.row(); for (int64_t row = 0; row < para.aLength; ++row) {
      float root = 1.0f / tilesmith::rootOf(work.number(inputVariance, row) + epsilon);
      if constexpr (!config.isOnlyOutput)
        outputRstd.SetValue(uint32_t(row), root, where);
      Adds(x, work.load(x, inputX[row * columns]), -work.number(inputMean, row), columns, where);
      Muls(x, x, root, columns, where);
      if constexpr (!config.isNoGamma)
        Mul(x, x, work.load(r0, gamma), columns, where);
      if constexpr (!config.isNoBeta)
        Add(x, x, work.load(r1, beta), columns, where);
      work.store(output[row * columns], x);
    })
#undef TILESMITH_NORM

// Welford's running mean and sum of squares: one more row, and what many running values come to.
struct WelfordUpdateConfig {
  bool isInplace = false;
};
inline constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG{false};
struct WelfordUpdateParam {
  uint32_t rnLength = 1, abLength = 0, abComputeLength = 0;
  float nRec = 0;
};
#define TILESMITH_NORM                                                                                                 \
  template <typename T, typename U, bool isReuseSource = false,                                                        \
            const WelfordUpdateConfig &config = WFUPDATE_DEFAULT_CFG>
TILESMITH_WITH_BUFFER(
    TILESMITH_NORM, WelfordUpdate,
    (const LocalTensor<U> &outputMean, const LocalTensor<U> &outputVariance, const LocalTensor<T> &inputX,
     const LocalTensor<U> &inputMean, const LocalTensor<U> &inputVariance),
    (const WelfordUpdateParam &para), static_assert(std::is_same_v<U, float>, "WelfordUpdate keeps float");
    int64_t count = para.abComputeLength; tilesmith::RowWork work(sharedTmpBuffer, "WelfordUpdate", 2, count, where);
    auto before = work.row(), after = work.row(); Sub(before, work.load(before, inputX), inputMean, count, where);
    Muls(after, before, para.nRec, count, where); Add(outputMean, inputMean, after, count, where);
    Sub(after, work.load(after, inputX), outputMean, count, where); Mul(before, before, after, count, where);
    Add(outputVariance, inputVariance, before, count, where);)
#undef TILESMITH_NORM

struct WelfordFinalizeConfig {
  bool isCorrection = false;
};
inline constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG{false};
struct WelfordFinalizePara {
  uint32_t rnLength = 0, abLength = 0, headCount = 0, headCountLength = 0, tailCount = 0, tailCountLength = 0;
  float abRec = 0, rRec = 0;
};
} // namespace AscendC

namespace tilesmith {

// `counts`: how many values each running mean is of, as float32 in the row it is given.
template <bool isCorrection, typename Counts>
void welfordFinalize(const AscendC::LocalTensor<float> &outputMean, const AscendC::LocalTensor<float> &outputVariance,
                     const AscendC::LocalTensor<float> &inputMean, const AscendC::LocalTensor<float> &inputVariance,
                     const AscendC::LocalTensor<uint8_t> &buffer, const AscendC::WelfordFinalizePara &para,
                     Counts counts, Where where) {
  int64_t n = para.abLength;
  RowWork work(buffer, "WelfordFinalize", 2, n, where);
  auto weights = work.row(), x = work.row();
  counts(weights);
  AscendC::Mul(x, inputMean, weights, n, where);
  float all = work.sum(weights, n), mean = work.sum(x, n) * para.rRec;
  AscendC::Adds(x, inputMean, -mean, n, where);
  AscendC::Mul(x, x, x, n, where);
  AscendC::Mul(x, x, weights, n, where);
  AscendC::Add(x, x, inputVariance, n, where);
  float squares = work.sum(x, n);
  outputMean.SetValue(0, mean, where);
  outputVariance.SetValue(0, isCorrection ? squares / (all - 1) : squares * para.rRec, where);
}

} // namespace tilesmith

namespace AscendC {
#define TILESMITH_NORM                                                                                                 \
  template <bool isReuseSource = false, const WelfordFinalizeConfig &config = WFFINALIZE_DEFAULT_CFG>
TILESMITH_WITH_BUFFER(TILESMITH_NORM, WelfordFinalize,
                      (const LocalTensor<float> &outputMean, const LocalTensor<float> &outputVariance,
                       const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance),
                      (const WelfordFinalizePara &para),
                      tilesmith::welfordFinalize<config.isCorrection>(
                          outputMean, outputVariance, inputMean, inputVariance, sharedTmpBuffer, para,
                          [&](const LocalTensor<float> &weights) {
                            Duplicate(weights, float(para.tailCountLength ? para.tailCount : para.headCount),
                                      int64_t(para.abLength), where);
                            if (para.headCountLength)
                              Duplicate(weights, float(para.headCount), int64_t(para.headCountLength), where);
                          },
                          where);)
TILESMITH_WITH_BUFFER(TILESMITH_NORM, WelfordFinalize,
                      (const LocalTensor<float> &outputMean, const LocalTensor<float> &outputVariance,
                       const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance,
                       const LocalTensor<int32_t> &counts),
                      (const WelfordFinalizePara &para),
                      tilesmith::welfordFinalize<config.isCorrection>(
                          outputMean, outputVariance, inputMean, inputVariance, sharedTmpBuffer, para,
                          [&](const LocalTensor<float> &weights) {
                            Cast(weights, counts, RoundMode::CAST_NONE, uint32_t(para.abLength), where);
                          },
                          where);)
#undef TILESMITH_NORM
#undef TILESMITH_WITH_BUFFER
#undef TILESMITH_OPEN

} // namespace AscendC

#endif
