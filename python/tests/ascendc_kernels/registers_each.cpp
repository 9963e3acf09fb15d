// Vector functions of the 950, one for each register instruction: loads, the instruction, stores, by masks that end
// with the elements. Copies and flags around them are written out.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t TILE = 1024;

template <typename T, class Step>
__simd_vf__ inline void each(__ubuf__ T *z, __ubuf__ T *x, __ubuf__ T *y, float s, uint32_t n, uint16_t trips) {
  constexpr uint32_t lanes = GetVecLen() / sizeof(T);
  Reg::RegTensor<T> a, b, c;
  for (uint16_t i = 0; i < trips; ++i) {
    Reg::MaskReg mask = Reg::UpdateMask<T>(n);
    Reg::AddrReg at = Reg::CreateAddrReg<T>(i, lanes);
    Reg::LoadAlign(a, x, at);
    Reg::LoadAlign(b, y, at);
    Step::Do(c, a, b, s, mask);
    Reg::StoreAlign(z, c, at, mask);
  }
}

template <typename T, class Step>
__aicore__ inline void run(GM_ADDR xGm, GM_ADDR yGm, GM_ADDR zGm, uint32_t total, float s) {
  LocalTensor<T> x(TPosition::VECIN, 0, TILE), y(TPosition::VECIN, 8192, TILE), z(TPosition::VECOUT, 16384, TILE);
  GlobalTensor<T> from, with, to;
  from.SetGlobalBuffer((__gm__ T *)xGm);
  with.SetGlobalBuffer((__gm__ T *)yGm);
  to.SetGlobalBuffer((__gm__ T *)zGm);
  SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
  SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
  for (uint32_t done = GetBlockIdx() * TILE; done < total; done += GetBlockNum() * TILE) {
    uint32_t count = total - done < TILE ? total - done : TILE;
    DataCopyExtParams params{1, uint32_t(count * sizeof(T)), 0, 0, 0};
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    DataCopyPad(x, from[done], params, DataCopyPadExtParams<T>{});
    DataCopyPad(y, with[done], params, DataCopyPadExtParams<T>{});
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
    asc_vf_call<each<T, Step>>((__ubuf__ T *)z.GetPhyAddr(), (__ubuf__ T *)x.GetPhyAddr(), (__ubuf__ T *)y.GetPhyAddr(),
                               s, count, uint16_t((count * sizeof(T) + GetVecLen() - 1) / GetVecLen()));
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopyPad(to[done], z, params);
    SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
  }
  WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
}

#define KERNEL(NAME, T, ...)                                                                                           \
  struct Of_##NAME {                                                                                                   \
    using R = Reg::RegTensor<T>;                                                                                       \
    static void Do(R &c, R &a, R &b, float s, Reg::MaskReg &m) {                                                       \
      (void)b, (void)s;                                                                                                \
      __VA_ARGS__;                                                                                                     \
    }                                                                                                                  \
  };                                                                                                                   \
  extern "C" __global__ __aicore__ void NAME(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total, float s) {               \
    run<T, Of_##NAME>(x, y, z, total, s);                                                                              \
  }

KERNEL(reg_add, float, Reg::Add(c, a, b, m))
KERNEL(reg_sub, half, Reg::Sub(c, a, b, m))
KERNEL(reg_mul, float, Reg::Mul(c, a, b, m))
KERNEL(reg_div, float, Reg::Div(c, a, b, m))
KERNEL(reg_max, int16_t, Reg::Max(c, a, b, m))
KERNEL(reg_min, int32_t, Reg::Min(c, a, b, m))
KERNEL(reg_and, uint16_t, Reg::And(c, a, b, m))
KERNEL(reg_or, int32_t, Reg::Or(c, a, b, m))
KERNEL(reg_xor, int16_t, Reg::Xor(c, a, b, m))
KERNEL(reg_prelu, float, Reg::Prelu(c, a, b, m))
KERNEL(reg_exp_sub, float, Reg::ExpSub(c, a, b, m))
KERNEL(reg_abs_sub, float, Reg::AbsSub(c, a, b, m))
KERNEL(reg_abs, half, Reg::Abs(c, a, m))
KERNEL(reg_neg, int32_t, Reg::Neg(c, a, m))
KERNEL(reg_not, uint16_t, Reg::Not(c, a, m))
KERNEL(reg_exp, float, Reg::Exp(c, a, m))
KERNEL(reg_ln, float, Reg::Ln(c, a, m))
KERNEL(reg_sqrt, float, Reg::Sqrt(c, a, m))
KERNEL(reg_relu, float, Reg::Relu(c, a, m))
KERNEL(reg_adds, float, Reg::Adds(c, a, s, m))
KERNEL(reg_muls, half, Reg::Muls(c, a, half(s), m))
KERNEL(reg_leaky_relu, float, Reg::LeakyRelu(c, a, s, m))
KERNEL(reg_axpy, float, Reg::Move(c, b); Reg::Axpy(c, a, s, m))
KERNEL(reg_fma, float, Reg::Move(c, b); Reg::MulAddDst(c, a, b, m))
KERNEL(reg_select, float, Reg::MaskReg greater; Reg::RegTensor<float> other; Reg::Duplicate(other, s);
       Reg::Compare<float, CMPMODE::GT>(greater, a, b, m); Reg::Select(c, a, other, greater))
KERNEL(reg_compare_scalar, float, Reg::MaskReg less; Reg::Compares<float, CMPMODE::LT>(less, a, s, m);
       Reg::Select(c, a, b, less))
KERNEL(reg_truncate, float, Reg::Truncate<float, RoundMode::CAST_FLOOR>(c, a, m))
KERNEL(reg_shift, int32_t, Reg::ShiftLefts(c, a, int16_t(3), m))
KERNEL(reg_sigmoid, float, Reg::Neg(c, a, m); Reg::Exp(c, c, m); Reg::Adds(c, c, 1.0f, m); Reg::RegTensor<float> one;
       Reg::Duplicate(one, 1.0f); Reg::Div(c, one, c, m))
KERNEL(reg_norm, float, Reg::Mul(c, a, a, m); Reg::MulAddDst(c, b, b, m); Reg::Sqrt(c, c, m))
