// One instruction alone, on one core.
#include "kernel_operator.h"

using namespace AscendC;

// ---- moves -----------------------------------------------------------------------------------------------------------

extern "C" __global__ __aicore__ void gm_to_ub(GM_ADDR x, int32_t rows, int32_t bytes, int32_t gap) {
  GlobalTensor<int8_t> xGm;
  xGm.SetGlobalBuffer((__gm__ int8_t *)x);
  LocalTensor<int8_t> to(TPosition::VECIN, 0, rows * bytes);
  DataCopy(to, xGm, DataCopyParams(rows, bytes / 32, gap / 32, 0));
}

extern "C" __global__ __aicore__ void ub_to_gm(GM_ADDR x, int32_t bytes) {
  GlobalTensor<int8_t> xGm;
  xGm.SetGlobalBuffer((__gm__ int8_t *)x);
  LocalTensor<int8_t> from(TPosition::VECOUT, 0, bytes);
  DataCopy(from, xGm, DataCopyParams(1, bytes / 32, 0, 0)); // measured stores go to the same place again and again
  PipeBarrier<PIPE_ALL>();
  DataCopy(xGm, from, DataCopyParams(1, bytes / 32, 0, 0));
}

extern "C" __global__ __aicore__ void gm_to_l1(GM_ADDR x, int32_t bytes) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  GlobalTensor<half> xGm;
  xGm.SetGlobalBuffer((__gm__ half *)x);
  LocalTensor<half> to(TPosition::A1, 0, bytes / 2);
  DataCopy(to, xGm, DataCopyParams(1, bytes / 32, 0, 0));
}

extern "C" __global__ __aicore__ void gm_to_l1_nz(GM_ADDR x, int32_t rows, int32_t cols) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  GlobalTensor<half> xGm;
  xGm.SetGlobalBuffer((__gm__ half *)x);
  LocalTensor<half> to(TPosition::A1, 0, rows * cols);
  DataCopy(to, xGm, Nd2NzParams(1, rows, cols, 0, cols, rows, 1, 0));
}

// The measured instructions move plain blocks of fractals, in the same order on both sides.
extern "C" __global__ __aicore__ void l1_to_l0(int32_t bytes, int32_t toB) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  LocalTensor<half> from(TPosition::A1, 0, bytes / 2), a(TPosition::A2, 0, bytes / 2), b(TPosition::B2, 0, bytes / 2);
#if __NPU_ARCH__ == 3510
  LoadData2DParamsV2 params(0, 0, bytes / 512, 1, bytes / 512, bytes / 512, false, 0);
#else
  LoadData2DParams params(0, bytes / 512, 1, 0, 0, false, 0);
#endif
  LoadData(toB ? b : a, from, params);
}

extern "C" __global__ __aicore__ void l0c_to_gm(GM_ADDR x, uint16_t m, uint16_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  GlobalTensor<float> xGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  LocalTensor<float> from(TPosition::CO1, 0, m * n);
  FixpipeParamsV220 params;
  params.nSize = n;
  params.mSize = m;
  params.srcStride = m;
  params.dstStride = n;
  Fixpipe<float, float, CFG_ROW_MAJOR>(xGm, from, params);
}

// ---- arithmetic ------------------------------------------------------------------------------------------------------

enum : int32_t { ADD, MUL, MAX, ADDS, EXP, LN, SQRT, DIV, RECIPROCAL, REDUCE_SUM, MINS, DIVS };

// Operands 16 KiB apart, as tiles that follow each other: both sources in the same bank groups.
template <typename T> __aicore__ inline void one(int32_t operation, uint8_t repeats) {
  constexpr int32_t lanes = 256 / sizeof(T), count = 64 * lanes;
  LocalTensor<T> a(TPosition::VECIN, 0, count), b(TPosition::VECIN, 16384, count), c(TPosition::VECOUT, 32768, count);
  BinaryRepeatParams two(1, 1, 1, 8, 8, 8);
  UnaryRepeatParams other(1, 1, 8, 8);
  uint64_t mask = lanes;
  switch (operation) {
  case ADD: return Add(c, a, b, mask, repeats, two);
  case MUL: return Mul(c, a, b, mask, repeats, two);
  case MAX: return Max(c, a, b, mask, repeats, two);
  case ADDS: return Adds(c, a, T(1), mask, repeats, other);
  case MINS: return Mins(c, a, T(1), mask, repeats, other);
  }
  if constexpr (!std::is_integral<T>::value)
    switch (operation) {
    case EXP: return Exp(c, a, mask, repeats, other);
    case LN: return Ln(c, a, mask, repeats, other);
    case SQRT: return Sqrt(c, a, mask, repeats, other);
    case DIV: return Div(c, a, b, mask, repeats, two);
    case RECIPROCAL: return Reciprocal(c, a, mask, repeats, other);
    case REDUCE_SUM: return WholeReduceSum<T>(c, a, int32_t(lanes), repeats, 1, 1, 8);
    }
}

extern "C" __global__ __aicore__ void vector_float(int32_t operation, uint8_t repeats) { one<float>(operation, repeats); }
extern "C" __global__ __aicore__ void vector_half(int32_t operation, uint8_t repeats) { one<half>(operation, repeats); }
extern "C" __global__ __aicore__ void vector_int(int32_t operation, uint8_t repeats) { one<int32_t>(operation, repeats); }

extern "C" __global__ __aicore__ void vector_cast(uint8_t repeats) {
  LocalTensor<half> a(TPosition::VECIN, 0, 64 * 64);
  LocalTensor<float> c(TPosition::VECOUT, 32768, 64 * 64);
  Cast(c, a, RoundMode::CAST_NONE, uint64_t(64), repeats, {1, 1, 8, 4});
}

template <typename T> __aicore__ inline void oneProduct(uint16_t m, uint16_t n, uint16_t k) {
  LocalTensor<T> a(TPosition::A2, 0, 32768 / sizeof(T)), b(TPosition::B2, 0, 32768 / sizeof(T));
  LocalTensor<float> c(TPosition::CO1, 0, 32768);
  MmadParams params;
  params.m = m;
  params.n = n;
  params.k = k;
  Mmad(c, a, b, params);
}

extern "C" __global__ __aicore__ void product_half(uint16_t m, uint16_t n, uint16_t k) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  oneProduct<half>(m, n, k);
}
extern "C" __global__ __aicore__ void product_float(uint16_t m, uint16_t n, uint16_t k) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  oneProduct<float>(m, n, k);
}

// Nothing at all: what a launch costs.
extern "C" __global__ __aicore__ void nothing(int32_t) {}
extern "C" __global__ __aicore__ void nothing_cube(int32_t) { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY); }
