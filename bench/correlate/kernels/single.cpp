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
  LocalTensor<float> old(TPosition::A1, 0, m * n);
  DataCopy(old, xGm, DataCopyParams(1, m * n / 8, 0, 0)); // measured stores go to the same place again and again
  PipeBarrier<PIPE_ALL>();
  FixpipeParamsV220 params;
  params.nSize = n;
  params.mSize = m;
  params.srcStride = m;
  params.dstStride = n;
  Fixpipe<float, float, CFG_ROW_MAJOR>(xGm, from, params);
}

// ---- arithmetic ------------------------------------------------------------------------------------------------------

enum : int32_t { ADD, MUL, MAX, ADDS, EXP, LN, SQRT, DIV, RECIPROCAL, REDUCE_SUM, MINS, AXPY, SUM_BLOCKS };

// Operands 16 KiB apart, as tiles that follow each other: both sources in the same bank groups. On the 950 they lie in
// different banks: the measured formulas hold no conflict, as the vendor's Add of 170 registers shows.
template <typename T> __aicore__ inline void one(int32_t operation, uint8_t repeats) {
  constexpr int32_t lanes = 256 / sizeof(T), count = 64 * lanes;
#if __NPU_ARCH__ == 3510
  constexpr uint32_t apart = 16384 + 256;
#else
  constexpr uint32_t apart = 16384;
#endif
  LocalTensor<T> a(TPosition::VECIN, 0, count), b(TPosition::VECIN, apart, count);
  LocalTensor<T> c(TPosition::VECOUT, 2 * apart, count);
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
    case SUM_BLOCKS: return BlockReduceSum<T>(c, a, repeats, int32_t(lanes), 1, 1, 8);
    case AXPY: return Axpy(c, a, T(2), mask, repeats, other);
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

// Operations that choose elements or move them about, for so many repeats of 256 bytes.
enum : int32_t { GATHER, GATHER_BLOCKS, GATHER_MASK, SORT, MERGE, COMPARE, SELECT };

template <typename T> __aicore__ inline void permute(int32_t operation, uint8_t repeats) {
  constexpr int32_t lanes = 256 / sizeof(T);
  LocalTensor<T> a(TPosition::VECIN, 0, 64 * lanes), c(TPosition::VECOUT, 32768, 128 * lanes);
  LocalTensor<uint32_t> words(TPosition::VECIN, 98304, 64 * lanes);
  LocalTensor<uint8_t> bits(TPosition::VECIN, 163840, 8192);
  uint64_t kept = 0;
  switch (operation) {
  case GATHER: return Gather(c, a, words, 0, uint32_t(repeats * lanes));
  case GATHER_BLOCKS: return Gatherb(c, a, words, repeats, {1, 8});
  case GATHER_MASK: return GatherMask(c, a, 1, false, 0, {1, repeats, 8, 0}, kept);
  case SORT: return Sort32(c, a, words, repeats);
  case MERGE: {
    uint16_t lengths[4] = {uint16_t(repeats * 8), uint16_t(repeats * 8), uint16_t(repeats * 8), uint16_t(repeats * 8)};
    LocalTensor<T> b = a[repeats * 8 * 8 / sizeof(T)];
    return MrgSort(c, MrgSortSrcList<T>(a, b, a, b), MrgSort4Info(lengths, false, 15, 1));
  }
  case COMPARE: return Compare(bits, a, a, CMPMODE::LT, uint64_t(lanes), repeats, BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  case SELECT: return Select(c, bits, a, T(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, uint64_t(lanes), repeats, BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  }
}

extern "C" __global__ __aicore__ void permute_float(int32_t operation, uint8_t repeats) { permute<float>(operation, repeats); }
extern "C" __global__ __aicore__ void permute_half(int32_t operation, uint8_t repeats) { permute<half>(operation, repeats); }

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
