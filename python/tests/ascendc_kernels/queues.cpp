// Kernels in the manner of samples: a class with Init, Process, CopyIn, Compute and CopyOut, queues of two buffers,
// blocks that share the elements, tiles with a tail that copies pad. What is computed is one call.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t TILE = 512;
constexpr int32_t BUFFER_NUM = 2;

// At most two arrays in, one out. `Compute` gets tensors, a temporary buffer and a number of elements.
template <typename X, typename Z, int sources, class Compute> class KernelOf {
public:
  __aicore__ inline KernelOf() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total, float s) {
    uint32_t each = (total + GetBlockNum() - 1) / GetBlockNum();
    each = (each + 63) / 64 * 64;
    uint32_t begin = GetBlockIdx() * each;
    this->length = begin >= total ? 0 : total - begin < each ? total - begin : each;
    this->scalar = s;
    xGm.SetGlobalBuffer((__gm__ X *)x + begin, length);
    yGm.SetGlobalBuffer((__gm__ X *)y + begin, length);
    zGm.SetGlobalBuffer((__gm__ Z *)z + begin, length);
    pipe.InitBuffer(inQueueX, BUFFER_NUM, TILE * sizeof(X));
    if constexpr (sources == 2)
      pipe.InitBuffer(inQueueY, BUFFER_NUM, TILE * sizeof(X));
    pipe.InitBuffer(outQueueZ, BUFFER_NUM, TILE * sizeof(Z));
    pipe.InitBuffer(tmpBuf, 24 * 1024);
  }
  __aicore__ inline void Process() {
    for (uint32_t done = 0; done < length; done += TILE) {
      uint32_t count = length - done < TILE ? length - done : TILE;
      CopyIn(done, count);
      DoCompute(count);
      CopyOut(done, count);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t from, uint32_t count) {
    DataCopyExtParams params{1, uint32_t(count * sizeof(X)), 0, 0, 0};
    uint8_t block = 32 / sizeof(X), tail = uint8_t((block - count % block) % block);
    DataCopyPadExtParams<X> pad{tail != 0, 0, tail, X(1)};
    LocalTensor<X> xLocal = inQueueX.template AllocTensor<X>();
    DataCopyPad(xLocal, xGm[from], params, pad);
    inQueueX.EnQue(xLocal);
    if constexpr (sources == 2) {
      LocalTensor<X> yLocal = inQueueY.template AllocTensor<X>();
      DataCopyPad(yLocal, yGm[from], params, pad);
      inQueueY.EnQue(yLocal);
    }
  }
  __aicore__ inline void DoCompute(uint32_t count) {
    LocalTensor<X> xLocal = inQueueX.template DeQue<X>(), yLocal;
    if constexpr (sources == 2)
      yLocal = inQueueY.template DeQue<X>();
    LocalTensor<Z> zLocal = outQueueZ.template AllocTensor<Z>();
    LocalTensor<uint8_t> tmp = tmpBuf.template Get<uint8_t>();
    Compute::Do(zLocal, xLocal, yLocal, tmp, count, scalar);
    outQueueZ.template EnQue<Z>(zLocal);
    inQueueX.FreeTensor(xLocal);
    if constexpr (sources == 2)
      inQueueY.FreeTensor(yLocal);
  }
  __aicore__ inline void CopyOut(uint32_t to, uint32_t count) {
    LocalTensor<Z> zLocal = outQueueZ.template DeQue<Z>();
    DataCopyPad(zGm[to], zLocal, DataCopyExtParams{1, uint32_t(count * sizeof(Z)), 0, 0, 0});
    outQueueZ.FreeTensor(zLocal);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, BUFFER_NUM> inQueueX, inQueueY;
  TQue<TPosition::VECOUT, BUFFER_NUM> outQueueZ;
  TBuf<TPosition::VECCALC> tmpBuf;
  GlobalTensor<X> xGm, yGm;
  GlobalTensor<Z> zGm;
  uint32_t length = 0;
  float scalar = 0;
};

#define KERNEL(NAME, X, Z, SOURCES, ...)                                                                               \
  struct Of_##NAME {                                                                                                   \
    static void Do(const LocalTensor<Z> &z, const LocalTensor<X> &x, const LocalTensor<X> &y,                          \
                   const LocalTensor<uint8_t> &tmp, uint32_t n, float s) {                                             \
      (void)y, (void)tmp, (void)s;                                                                                     \
      __VA_ARGS__;                                                                                                     \
    }                                                                                                                  \
  };                                                                                                                   \
  extern "C" __global__ __aicore__ void NAME(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total, float s) {               \
    KernelOf<X, Z, SOURCES, Of_##NAME> op;                                                                             \
    op.Init(x, y, z, total, s);                                                                                        \
    op.Process();                                                                                                      \
  }
#define UNARY(NAME, T, CALL) KERNEL(NAME, T, T, 1, CALL(z, x, n))
#define LIBRARY(NAME, T, CALL) KERNEL(NAME, T, T, 1, CALL<T>(z, x, tmp, n))
#define BINARY(NAME, T, CALL) KERNEL(NAME, T, T, 2, CALL(z, x, y, n))
#define SCALAR(NAME, T, CALL) KERNEL(NAME, T, T, 1, CALL(z, x, T(s), n))

UNARY(abs_float, float, Abs)
UNARY(exp_float, float, Exp)
UNARY(ln_float, float, Ln)
UNARY(sqrt_half, half, Sqrt)
UNARY(rsqrt_float, float, Rsqrt)
UNARY(reciprocal_float, float, Reciprocal)
UNARY(relu_half, half, Relu)
UNARY(not_int16, int16_t, Not)
LIBRARY(tanh_float, float, Tanh)
LIBRARY(tanh_half, half, Tanh)
LIBRARY(sigmoid_half, half, Sigmoid)
LIBRARY(erf_float, float, Erf)
LIBRARY(sin_float, float, Sin)
LIBRARY(cos_half, half, Cos)
LIBRARY(atan_float, float, Atan)
LIBRARY(asinh_float, float, Asinh)
LIBRARY(ceil_float, float, Ceil)
LIBRARY(floor_float, float, Floor)
LIBRARY(trunc_float, float, Trunc)
LIBRARY(frac_float, float, Frac)
LIBRARY(sign_half, half, Sign)
KERNEL(silu_float, float, float, 1, Silu<float>(z, x, n))
KERNEL(log2_float, float, float, 1, Log2<float>(z, x, tmp, n))
KERNEL(power_float, float, float, 2, Power<float>(z, x, y, tmp, n))
KERNEL(fmod_float, float, float, 2, Fmod<float>(z, x, y, tmp, n))
BINARY(add_float, float, Add)
BINARY(add_int32, int32_t, Add)
BINARY(sub_half, half, Sub)
BINARY(mul_float, float, Mul)
BINARY(mul_int16, int16_t, Mul)
BINARY(div_float, float, Div)
BINARY(max_half, half, Max)
BINARY(min_int32, int32_t, Min)
BINARY(and_uint16, uint16_t, And)
BINARY(or_int16, int16_t, Or)
BINARY(add_relu_float, float, AddRelu)
BINARY(sub_relu_half, half, SubRelu)
SCALAR(adds_float, float, Adds)
SCALAR(muls_half, half, Muls)
SCALAR(maxs_int32, int32_t, Maxs)
SCALAR(mins_float, float, Mins)
SCALAR(leaky_relu_float, float, LeakyRelu)
KERNEL(shift_left_int32, int32_t, int32_t, 1, ShiftLeft(z, x, int32_t(s), n))
KERNEL(shift_right_uint16, uint16_t, uint16_t, 1, ShiftRight(z, x, uint16_t(s), n))
KERNEL(half_to_float, half, float, 1, Cast(z, x, RoundMode::CAST_NONE, n))
KERNEL(float_to_half, float, half, 1, Cast(z, x, RoundMode::CAST_RINT, n))
KERNEL(float_to_int32_floor, float, int32_t, 1, Cast(z, x, RoundMode::CAST_FLOOR, n))
KERNEL(float_to_int32_round, float, int32_t, 1, Cast(z, x, RoundMode::CAST_ROUND, n))
KERNEL(int32_to_float, int32_t, float, 1, Cast(z, x, RoundMode::CAST_NONE, n))
KERNEL(half_to_int8, half, int8_t, 1, Cast(z, x, RoundMode::CAST_RINT, n))
KERNEL(half_to_int16_trunc, half, int16_t, 1, Cast(z, x, RoundMode::CAST_TRUNC, n))
KERNEL(axpy_float, float, float, 2, Adds(z, y, 0.0f, n); Axpy(z, x, s, n))
KERNEL(mul_add_float, float, float, 2, Adds(z, y, 1.0f, n); MulAddDst(z, x, y, n))
KERNEL(hard_swish_float, float, float, 1, Adds(z, x, 3.0f, n); Maxs(z, z, 0.0f, n); Mins(z, z, 6.0f, n);
       Mul(z, z, x, n); Muls(z, z, 1.0f / 6, n))
KERNEL(mish_float, float, float, 1, Exp(z, x, n); Adds(z, z, 1.0f, n); Ln(z, z, n); Tanh(z, z, tmp, n); Mul(z, z, x, n))
KERNEL(square_sum_half, half, half, 2, Mul(z, x, x, n); MulAddDst(z, y, y, n))
KERNEL(distance_float, float, float, 2, Sub(z, x, y, n); Mul(z, z, z, n); Sqrt(z, z, n))
