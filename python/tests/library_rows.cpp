// The functions of rows of the library, for test_library_rows.py: operands into UB, one call with or without a
// temporary buffer, results out.
#include "kernel_operator.h"
using namespace AscendC;

struct Request {
  int32_t function, rows, columns, length, work; // bytes of the temporary buffer; 0: none
  float scalar;
};

constexpr uint32_t SLOT = 16384;

template <typename T> LocalTensor<T> At(TBuf<TPosition::VECCALC> *buffers, int slot) { return buffers[slot].Get<T>(); }

enum {
  Softmax,
  Simple,
  Flash,
  FlashFirst,
  FlashV2,
  Grad,
  GradFront,
  Rms,
  Layer,
  LayerRstd,
  RowSum,
  RowMean,
  RowMax,
  RowMin,
  ColumnSum,
  ColumnMean,
  ColumnMax,
  ColumnMin,
  Cumulative,
  Dequant,
  DequantScalar,
  SoftmaxAlone
};
constexpr CumSumConfig firstAxis{false, false, true};

// With the temporary buffer, or without.
#define CALL(NAME, ...) return r.work ? NAME(BEFORE, work, __VA_ARGS__) : NAME(BEFORE, __VA_ARGS__)

template <typename T, typename U>
void Call(const Request &r, TBuf<TPosition::VECCALC> *buffers, LocalTensor<uint8_t> work) {
  LocalTensor<T> d = At<T>(buffers, 0), x = At<T>(buffers, 3), y = At<T>(buffers, 4), z = At<T>(buffers, 5),
                 e = At<T>(buffers, 6);
  LocalTensor<U> d1 = At<U>(buffers, 1), d2 = At<U>(buffers, 2), b = At<U>(buffers, 4), c = At<U>(buffers, 5);
  SoftMaxTiling tiling;
  SoftMaxShapeInfo shape;
  shape.srcM = shape.oriSrcM = r.rows;
  shape.srcK = r.columns;
  shape.oriSrcK = r.length;
  RmsNormTiling rms;
  rms.bLength = 1;
  rms.sLength = r.rows;
  rms.hLength = r.columns;
  rms.originalHLength = r.length;
  LayerNormTiling layer;
  layer.bLength = r.rows;
  layer.sLength = 1;
  layer.hLength = r.columns;
  layer.originalHLength = r.length;
  uint32_t matrix[] = {uint32_t(r.rows), uint32_t(r.length)};
  SumParams sum{uint32_t(r.rows), uint32_t(r.columns), uint32_t(r.length)};
  MeanParams mean{uint32_t(r.rows), uint32_t(r.columns), uint32_t(r.length)};
  switch (r.function) {
  case Softmax:
    return r.work ? SoftMax<T>(d, d1, d2, x, work, tiling, shape) : SoftMax<T>(d, d1, d2, x, tiling, shape);
  case SoftmaxAlone:
    return r.work ? SoftMax<T>(d, x, work, tiling, shape) : SoftMax<T>(d, x, tiling, shape);
  case Simple:
    return r.work ? SimpleSoftMax<T>(d, b, c, x, work, tiling, shape) : SimpleSoftMax<T>(d, b, c, x, tiling, shape);
  case Flash:
    return r.work ? SoftmaxFlash<T>(d, d1, d2, x, e, b, c, work, tiling, true, shape)
                  : SoftmaxFlash<T>(d, d1, d2, x, e, b, c, tiling, true, shape);
  case FlashV2:
    return r.work ? SoftmaxFlashV2<T, true>(d, d1, d2, x, e, b, c, work, tiling, shape)
                  : SoftmaxFlashV2<T, true>(d, d1, d2, x, e, b, c, tiling, shape);
  case FlashFirst:
    return r.work ? SoftmaxFlashV2<T, false>(d, d1, d2, x, e, b, c, work, tiling, shape)
                  : SoftmaxFlashV2<T, false>(d, d1, d2, x, e, b, c, tiling, shape);
  case Grad:
    return r.work ? SoftmaxGrad<T>(d, x, y, work, tiling, false, shape) : SoftmaxGrad<T>(d, x, y, tiling, false, shape);
  case GradFront:
    return r.work ? SoftmaxGradFront<T>(d, x, y, work, tiling, shape) : SoftmaxGradFront<T>(d, x, y, tiling, shape);
  case Rms:
    return r.work ? RmsNorm<T>(d, x, y, work, T(r.scalar), rms) : RmsNorm<T>(d, x, y, T(r.scalar), rms);
  case Layer:
    if constexpr (std::is_same_v<T, U>)
      return r.work ? LayerNorm<T>(d, d1, d2, x, y, z, work, T(r.scalar), layer)
                    : LayerNorm<T>(d, d1, d2, x, y, z, T(r.scalar), layer);
    return;
  case LayerRstd:
    if constexpr (std::is_same_v<U, float>) {
      LayerNormPara para{uint32_t(r.rows), uint32_t(r.length), uint32_t(r.columns)};
      LayerNormSeparateTiling separate;
      return r.work ? LayerNorm<T, T>(d, d1, d2, x, y, z, r.scalar, work, para, separate)
                    : LayerNorm<T, T>(d, d1, d2, x, y, z, r.scalar, para, separate);
    }
    return;
  case RowSum:
    return r.work ? Sum<T>(d, x, work, sum) : Sum<T>(d, x, sum);
  case RowMean:
    return r.work ? Mean<T>(d, x, work, mean) : Mean<T>(d, x, mean);
  case RowMax:
    return r.work ? ReduceMax<T, Pattern::Reduce::AR>(d, x, work, matrix, true)
                  : ReduceMax<T, Pattern::Reduce::AR>(d, x, matrix, true);
  case RowMin:
    return r.work ? ReduceMin<T, Pattern::Reduce::AR>(d, x, work, matrix, true)
                  : ReduceMin<T, Pattern::Reduce::AR>(d, x, matrix, true);
  case ColumnSum:
    return r.work ? ReduceSum<T, Pattern::Reduce::RA>(d, x, work, matrix, true)
                  : ReduceSum<T, Pattern::Reduce::RA>(d, x, matrix, true);
  case ColumnMean:
    return r.work ? ReduceMean<T, Pattern::Reduce::RA>(d, x, work, matrix, true)
                  : ReduceMean<T, Pattern::Reduce::RA>(d, x, matrix, true);
  case ColumnMax:
    return r.work ? ReduceMax<T, Pattern::Reduce::RA>(d, x, work, matrix, true)
                  : ReduceMax<T, Pattern::Reduce::RA>(d, x, matrix, true);
  case ColumnMin:
    return r.work ? ReduceMin<T, Pattern::Reduce::RA>(d, x, work, matrix, true)
                  : ReduceMin<T, Pattern::Reduce::RA>(d, x, matrix, true);
  case Cumulative: {
    CumSumInfo info{uint32_t(r.rows), uint32_t(r.columns)};
    return r.work ? CumSum<T, firstAxis>(d, y, x, work, info) : CumSum<T, firstAxis>(d, y, x, info);
  }
  case Dequant: {
    DequantParams params{uint32_t(r.rows), uint32_t(r.columns), uint32_t(r.length)};
    auto whole = x.template ReinterpretCast<int32_t>();
    auto scale = y.template ReinterpretCast<float>();
    return r.work ? AscendDequant(d, whole, scale, work, params) : AscendDequant(d, whole, scale, params);
  }
  case DequantScalar: {
    DequantParams params{uint32_t(r.rows), uint32_t(r.columns), uint32_t(r.length)};
    auto whole = x.template ReinterpretCast<int32_t>();
    return r.work ? AscendDequant(d, whole, r.scalar, work, params) : AscendDequant(d, whole, r.scalar, params);
  }
  }
}

template <typename T, typename U> void Around(GM_ADDR *all, const Request &r) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffers[8];
  for (int i = 0; i < 7; ++i)
    pipe.InitBuffer(buffers[i], SLOT);
  LocalTensor<uint8_t> work;
  if (r.work) {
    pipe.InitBuffer(buffers[7], r.work);
    work = buffers[7].Get<uint8_t>();
  }
  for (int i = 0; i < 7; ++i) {
    GlobalTensor<uint8_t> gm;
    gm.SetGlobalBuffer((__gm__ uint8_t *)all[i], SLOT);
    DataCopy(At<uint8_t>(buffers, i), gm, SLOT);
  }
  PipeBarrier<PIPE_ALL>();
  Call<T, U>(r, buffers, work);
  PipeBarrier<PIPE_ALL>();
  for (int i : {0, 1, 2, 6}) {
    GlobalTensor<uint8_t> gm;
    gm.SetGlobalBuffer((__gm__ uint8_t *)all[i], SLOT);
    DataCopy(gm, At<uint8_t>(buffers, i), SLOT);
  }
}

#define ROWS(NAME, T, U)                                                                                               \
  extern "C" __global__ __aicore__ void NAME(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR d, GM_ADDR e, GM_ADDR f,         \
                                             GM_ADDR g, GM_ADDR request) {                                             \
    GM_ADDR all[] = {a, b, c, d, e, f, g};                                                                             \
    Around<T, U>(all, *reinterpret_cast<__gm__ Request *>(request));                                                   \
  }
ROWS(rows_float, float, float)
ROWS(rows_half, half, half)
ROWS(rows_mixed, half, float)
