// Functions of the library that are compositions in the headers, on tensors at fixed addresses. Rows and columns are
// arguments; tilings are filled by the host's functions where they only read a shape.
#include "kernel_operator.h"
#include "tiling/tiling_api.h"

using namespace AscendC;

constexpr uint32_t kib = 1024;

template <typename T> LocalTensor<T> at(uint32_t address, uint32_t count) {
  return LocalTensor<T>(TPosition::VECCALC, address, count);
}
template <typename T> LocalTensor<T> in(GM_ADDR source, uint32_t address, uint32_t count) {
  GlobalTensor<T> global;
  global.SetGlobalBuffer((__gm__ T *)source, count);
  auto local = at<T>(address, (count * sizeof(T) + 31) / 32 * 32 / sizeof(T));
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(local, global, DataCopyExtParams(1, uint32_t(count * sizeof(T)), 0, 0, 0),
              DataCopyPadExtParams<T>(false, 0, 0, 0));
  PipeBarrier<PIPE_ALL>();
  return local;
}
template <typename T> void out(GM_ADDR result, const LocalTensor<T> &local, uint32_t count) {
  GlobalTensor<T> global;
  global.SetGlobalBuffer((__gm__ T *)result, count);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(global, local, DataCopyExtParams(1, uint32_t(count * sizeof(T)), 0, 0, 0));
  PipeBarrier<PIPE_ALL>();
}
LocalTensor<uint8_t> work() { return at<uint8_t>(128 * kib, 48 * kib); }

template <typename T>
void layerNormGrad(GM_ADDR dy, GM_ADDR x, GM_ADDR variance, GM_ADDR mean, GM_ADDR gamma, GM_ADDR dx, GM_ADDR forGamma,
                   uint32_t rows, uint32_t columns) {
  uint32_t n = rows * columns;
  optiling::LayerNormGradTiling tiling;
  GetLayerNormGradNDTilingInfo(ge::Shape({1, int64_t(rows), int64_t(columns)}), 48 * kib, sizeof(T), false, tiling);
  auto outDx = at<T>(64 * kib, n), outRes = at<T>(80 * kib, n);
  LayerNormGrad<T>(outDx, outRes, in<T>(dy, 0, n), in<T>(x, 16 * kib, n), in<T>(variance, 32 * kib, rows),
                   in<T>(mean, 34 * kib, rows), in<T>(gamma, 36 * kib, columns), work(), T(1e-5f), tiling);
  out(dx, outDx, n);
  out(forGamma, outRes, n);
}
extern "C" __global__ __aicore__ void layer_norm_grad_float(GM_ADDR dy, GM_ADDR x, GM_ADDR variance, GM_ADDR mean,
                                                            GM_ADDR gamma, GM_ADDR dx, GM_ADDR forGamma, uint32_t rows,
                                                            uint32_t columns) {
  layerNormGrad<float>(dy, x, variance, mean, gamma, dx, forGamma, rows, columns);
}
extern "C" __global__ __aicore__ void layer_norm_grad_half(GM_ADDR dy, GM_ADDR x, GM_ADDR variance, GM_ADDR mean,
                                                           GM_ADDR gamma, GM_ADDR dx, GM_ADDR forGamma, uint32_t rows,
                                                           uint32_t columns) {
  layerNormGrad<half>(dy, x, variance, mean, gamma, dx, forGamma, rows, columns);
}

extern "C" __global__ __aicore__ void layer_norm_grad_beta(GM_ADDR res, GM_ADDR dy, GM_ADDR ofGamma, GM_ADDR ofBeta,
                                                           uint32_t rows, uint32_t columns) {
  uint32_t n = rows * columns;
  optiling::LayerNormGradBetaTiling tiling;
  GetLayerNormGradBetaNDTilingInfo(ge::Shape({1, int64_t(rows), int64_t(columns)}), 48 * kib, 4, false, tiling);
  auto gamma = at<float>(64 * kib, columns), beta = at<float>(80 * kib, columns);
  LayerNormGradBeta<float>(gamma, beta, in<float>(res, 0, n), in<float>(dy, 16 * kib, n), tiling);
  out(ofGamma, gamma, columns);
  out(ofBeta, beta, columns);
}

extern "C" __global__ __aicore__ void batch_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR mean,
                                                 GM_ADDR variance, uint32_t rows, uint32_t columns) {
  uint32_t n = rows * columns;
  optiling::BatchNormTiling tiling;
  ge::Shape shape({int64_t(rows), 1, int64_t(columns)});
  GetBatchNormNDTilingInfo(shape, shape, 48 * kib, 4, false, tiling);
  auto to = at<float>(64 * kib, n), m = at<float>(80 * kib, columns), v = at<float>(84 * kib, columns);
  BatchNorm<float, false>(to, m, v, in<float>(x, 0, n), in<float>(gamma, 32 * kib, rows),
                          in<float>(beta, 34 * kib, rows), work(), 1e-5f, tiling);
  out(y, to, n);
  out(mean, m, columns);
  out(variance, v, columns);
}

extern "C" __global__ __aicore__ void deep_norm(GM_ADDR x, GM_ADDR gx, GM_ADDR beta, GM_ADDR gamma, GM_ADDR y,
                                                GM_ADDR mean, GM_ADDR variance, uint32_t rows, uint32_t columns) {
  uint32_t n = rows * columns;
  optiling::DeepNormTiling tiling;
  ge::Shape shape({1, int64_t(rows), int64_t(columns)});
  GetDeepNormTilingInfo(shape, shape, 48 * kib, 2, false, false, tiling);
  auto to = at<half>(64 * kib, n), m = at<half>(80 * kib, rows), v = at<half>(84 * kib, rows);
  DeepNorm<half>(to, m, v, in<half>(x, 0, n), in<half>(gx, 16 * kib, n), in<half>(beta, 32 * kib, columns),
                 in<half>(gamma, 36 * kib, columns), work(), half(0.5f), half(1e-3f), tiling);
  out(y, to, n);
  out(mean, m, rows);
  out(variance, v, rows);
}

// rows: channels in two groups, of one image.
extern "C" __global__ __aicore__ void group_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR mean,
                                                 GM_ADDR variance, uint32_t rows, uint32_t columns) {
  uint32_t n = rows * columns;
  optiling::GroupNormTiling tiling;
  GetGroupNormNDTilingInfo(ge::Shape({1, int64_t(rows), 1, int64_t(columns)}), 48 * kib, 4, false, 2, tiling);
  auto to = at<float>(64 * kib, n), m = at<float>(80 * kib, 8), v = at<float>(84 * kib, 8);
  GroupNorm<float>(to, m, v, in<float>(x, 0, n), in<float>(gamma, 32 * kib, rows), in<float>(beta, 34 * kib, rows),
                   work(), 1e-5f, tiling);
  out(y, to, n);
  out(mean, m, 2);
  out(variance, v, 2);
}

extern "C" __global__ __aicore__ void normalize(GM_ADDR x, GM_ADDR mean, GM_ADDR variance, GM_ADDR gamma, GM_ADDR beta,
                                                GM_ADDR y, GM_ADDR rstd, uint32_t rows, uint32_t columns) {
  uint32_t n = rows * columns;
  auto to = at<half>(64 * kib, n);
  auto r = at<float>(80 * kib, rows);
  NormalizePara para;
  para.aLength = rows;
  para.rLength = para.rLengthWithPadding = columns;
  Normalize<half, half>(to, r, in<float>(mean, 32 * kib, rows), in<float>(variance, 34 * kib, rows), in<half>(x, 0, n),
                        in<half>(gamma, 36 * kib, columns), in<half>(beta, 40 * kib, columns), work(), 1e-5f, para);
  out(y, to, n);
  out(rstd, r, rows);
}

// A running mean of all rows, and the mean of the columns' means.
extern "C" __global__ __aicore__ void welford(GM_ADDR x, GM_ADDR mean, GM_ADDR variance, GM_ADDR total, uint32_t rows,
                                              uint32_t columns) {
  auto m = at<float>(64 * kib, columns), v = at<float>(68 * kib, columns), t = at<float>(72 * kib, 16);
  Duplicate(m, 0.0f, columns);
  Duplicate(v, 0.0f, columns);
  Duplicate(t, 0.0f, 16);
  for (uint32_t row = 0; row < rows; ++row) {
    WelfordUpdateParam para;
    para.abLength = para.abComputeLength = columns;
    para.nRec = 1.0f / float(row + 1);
    WelfordUpdate<half, float>(m, v, in<half>(x + row * columns * 2, 0, columns), m, v, work(), para);
  }
  out(mean, m, columns);
  out(variance, v, columns);
  WelfordFinalizePara para;
  para.rnLength = rows;
  para.abLength = para.headCountLength = columns;
  para.headCount = rows;
  para.rRec = 1.0f / float(rows * columns);
  WelfordFinalize<false>(t, t[8], m, v, work(), para);
  out(total, t, 16);
}

extern "C" __global__ __aicore__ void log_soft_max(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
  uint32_t n = rows * columns;
  optiling::LogSoftMaxTiling tiling;
  ge::Shape shape({int64_t(rows), int64_t(columns)});
  LogSoftMaxTilingFunc(shape, 4, 48 * kib, tiling);
  auto to = at<float>(64 * kib, n), sum = at<float>(80 * kib, rows * 8), max = at<float>(88 * kib, rows * 8);
  LogSoftMax<float>(to, sum, max, in<float>(x, 0, n), work(), tiling, {rows, columns, rows, columns});
  out(y, to, n);
}

extern "C" __global__ __aicore__ void adjust(GM_ADDR y, GM_ADDR max, GM_ADDR result, uint32_t rows, uint32_t columns) {
  auto t = in<half>(y, 0, rows * columns);
  auto m = in<float>(max, 16 * kib, rows * 8);
  AdjustSoftMaxRes<half, float>(t, m, 0xFF7FFFFF, half(0.25f), {rows, columns, rows, columns});
  out(result, t, rows * columns);
}

extern "C" __global__ __aicore__ void drop_out_bytes(GM_ADDR x, GM_ADDR mask, GM_ADDR y, uint32_t rows,
                                                     uint32_t columns) {
  auto to = at<float>(64 * kib, rows * columns);
  DropOut<float>(to, in<float>(x, 0, rows * columns), in<uint8_t>(mask, 16 * kib, rows * columns), work(), 0.75f,
                 {rows, columns, columns});
  out(y, to, rows * columns);
}
extern "C" __global__ __aicore__ void drop_out_bits(GM_ADDR x, GM_ADDR mask, GM_ADDR y, uint32_t rows,
                                                    uint32_t columns) {
  auto to = at<half>(64 * kib, rows * columns);
  DropOut<half, false, 3>(to, in<half>(x, 0, rows * columns), in<uint8_t>(mask, 16 * kib, rows * columns / 8), work(),
                          0.5f, {1, rows * columns, rows * columns / 8});
  out(y, to, rows * columns);
}
extern "C" __global__ __aicore__ void select_bytes(GM_ADDR x, GM_ADDR mask, GM_ADDR y, GM_ADDR z, uint32_t rows,
                                                   uint32_t columns) {
  auto to = at<half>(64 * kib, rows * columns);
  auto from = in<half>(x, 0, rows * columns);
  auto m = in<uint8_t>(mask, 16 * kib, rows * columns);
  SelectWithBytesMaskShapeInfo info{rows, columns, columns};
  Select(to, from, half(-2), m, work(), info);
  out(y, to, rows * columns);
  Select(to, half(-2), from, m, work(), info);
  out(z, to, rows * columns);
}
extern "C" __global__ __aicore__ void where_bytes(GM_ADDR x, GM_ADDR mask, GM_ADDR y, uint32_t rows, uint32_t columns) {
  auto to = at<float>(64 * kib, rows * columns);
  auto from = in<float>(x, 0, rows * columns);
  AscendC::Where(to, from, 4.0f, in<bool>(mask, 16 * kib, rows * columns), rows * columns);
  out(y, to, rows * columns);
}

extern "C" __global__ __aicore__ void pad(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
  optiling::PadTiling tiling;
  PadTilingFunc(ge::Shape({int64_t(rows), int64_t(columns + 2)}), ge::Shape({int64_t(rows), int64_t(columns)}),
                48 * kib, 2, tiling);
  PadParams params{0, uint16_t(columns % 16 ? 16 - columns % 16 : 0), 7};
  uint32_t wide = columns + params.rightPad;
  tiling.srcWidth = columns;
  auto to = at<half>(64 * kib, rows * wide);
  Pad(to, in<half>(x, 0, rows * columns), params, work(), tiling);
  out(y, to, rows * wide);
}
extern "C" __global__ __aicore__ void unpad(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
  optiling::UnPadTiling tiling;
  UnPadTilingFunc(ge::Shape({int64_t(rows), int64_t(columns)}), 48 * kib, 4, tiling);
  UnPadParams params{0, 3};
  auto to = at<float>(64 * kib, rows * columns);
  UnPad(to, in<float>(x, 0, rows * columns), params, work(), tiling);
  out(y, to, rows * (columns - 3));
}
extern "C" __global__ __aicore__ void transpose(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
  optiling::ConfusionTransposeTiling tiling;
  GetConfusionTransposeOnlyTilingInfo(ge::Shape({int64_t(rows), int64_t(columns)}), 48 * kib, 2, tiling);
  auto to = at<half>(64 * kib, rows * columns);
  ConfusionTranspose(to, in<half>(x, 0, rows * columns), work(), TransposeType::TRANSPOSE_ND2ND_ONLY, tiling);
  out(y, to, rows * columns);
}

extern "C" __global__ __aicore__ void reduce_prod(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t rows, uint32_t columns) {
  auto from = in<float>(x, 0, rows * columns);
  auto byRow = at<float>(64 * kib, rows), byColumn = at<float>(68 * kib, columns);
  uint32_t shape[] = {rows, columns};
  ReduceProd<float, Pattern::Reduce::AR>(byRow, from, work(), shape, true);
  ReduceProd<float, Pattern::Reduce::RA>(byColumn, from, work(), shape, true);
  out(y, byRow, rows);
  out(z, byColumn, columns);
}
extern "C" __global__ __aicore__ void reduce_truth(GM_ADDR x, GM_ADDR all, GM_ADDR any, uint32_t rows,
                                                   uint32_t columns) {
  auto from = in<uint8_t>(x, 0, rows * columns);
  auto a = at<uint8_t>(64 * kib, rows), b = at<uint8_t>(68 * kib, rows);
  uint32_t shape[] = {rows, columns};
  ReduceAll<uint8_t, Pattern::Reduce::AR>(a, from, work(), shape, true);
  ReduceAny<uint8_t, Pattern::Reduce::AR>(b, from, shape, true);
  out(all, a, rows);
  out(any, b, rows);
}
extern "C" __global__ __aicore__ void reduce_xor_sum(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t rows, uint32_t columns) {
  auto to = at<int16_t>(64 * kib, 16);
  ReduceXorSum(to, in<int16_t>(x, 0, rows * columns), in<int16_t>(y, 16 * kib, rows * columns), work(), rows * columns);
  out(z, to, 1);
}

extern "C" __global__ __aicore__ void quantise_columns(GM_ADDR x, GM_ADDR scale, GM_ADDR offset, GM_ADDR y,
                                                       uint32_t rows, uint32_t columns) {
  auto to = at<int8_t>(64 * kib, rows * columns);
  AscendQuant<half>(to, in<half>(x, 0, rows * columns), work(), in<half>(scale, 32 * kib, columns),
                    in<half>(offset, 36 * kib, columns), columns, columns, rows * columns);
  out(y, to, rows * columns);
}
extern "C" __global__ __aicore__ void antiquantise_columns(GM_ADDR x, GM_ADDR scale, GM_ADDR offset, GM_ADDR y,
                                                           uint32_t rows, uint32_t columns) {
  auto to = at<half>(64 * kib, rows * columns);
  AscendAntiQuant<int8_t, half, false>(to, in<int8_t>(x, 0, rows * columns), in<half>(offset, 36 * kib, columns),
                                       in<half>(scale, 32 * kib, columns), work(), rows, {1, columns, 1, columns});
  out(y, to, rows * columns);
}
