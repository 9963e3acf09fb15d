// What registers compute: the arithmetic of the instructions of the table, lanes chosen by a mask.
#ifndef TILESMITH_ASCENDC_REGISTER_ARITHMETIC_H
#define TILESMITH_ASCENDC_REGISTER_ARITHMETIC_H

#include "tilesmith/registers.h"

namespace AscendC {
namespace Reg {

//===- Arithmetic
//---------------------------------------------------------------------------------------------------------===//

template <typename X, const RegTrait &trait>
void tsBlend(RegTensor<X, trait> &dst, const uint8_t *result, const MaskReg &mask, bool merging) {
  constexpr int64_t size = sizeof(X);
  if (!merging) {
    uint8_t zeroed[tilesmith::registerBytes] = {};
    tsEachRun(mask, size, [&](int64_t first, int64_t count) {
      memcpy(zeroed + first * size, result + first * size, size_t(count * size));
    });
    memcpy(dst.bytes, zeroed, sizeof dst.bytes);
    return;
  }
  tsEachRun(mask, size, [&](int64_t first, int64_t count) {
    memcpy(dst.bytes + first * size, result + first * size, size_t(count * size));
  });
}

template <tilesmith::Op op, MaskMergeMode mode, bool readsDst, typename X, const RegTrait &trait>
void tsCompute(RegTensor<X, trait> &dst, const RegTensor<X, trait> &a, const tilesmith::Same<RegTensor<X, trait>> *b,
               int64_t scalar, const MaskReg &mask, const char *name, tilesmith::Where where) {
  if (!tilesmith::running(where))
    return;
  int64_t ready = tilesmith::latest(a.ready, b ? b->ready : 0);
  if (readsDst || mode == MaskMergeMode::MERGING)
    ready = tilesmith::latest(ready, dst.ready);
  ready = tilesmith::counted(op, sizeof(X), tilesmith::latest(ready, mask.ready));
  int64_t last = mask.last();
  a.sources.use(last);
  if (b)
    b->sources.use(last);
  if (readsDst || mode == MaskMergeMode::MERGING)
    dst.sources.use(last);
  mask.sources.use(last);
  alignas(64) uint8_t result[tilesmith::registerBytes];
  if (readsDst)
    memcpy(result, dst.bytes, sizeof result);
  if (!tilesmith::api->tsm_reg_compute(int64_t(op), tilesmith::dtypeOf<X>(), tilesmith::dtypeOf<X>(), 0, result,
                                       a.bytes, b ? b->bytes : nullptr, scalar, RegTensor<X, trait>::lanes))
    return tilesmith::unsupportedType<X>(where, name);
  tsBlend(dst, result, mask, mode == MaskMergeMode::MERGING);
  dst.ready = ready;
  if (mode != MaskMergeMode::MERGING)
    dst.sources.clear();
}

#define TILESMITH_REG_UNARY(NAME, OP)                                                                                  \
  template <typename T = void, MaskMergeMode mode = MaskMergeMode::ZEROING, typename X, const RegTrait & trait>        \
  void NAME(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,                             \
            tilesmith::Where where = tilesmith::Where::here()) {                                                       \
    tsCompute<tilesmith::Op::OP, mode, false>(dst, src, nullptr, 0, mask, #NAME, where);                               \
  }
TILESMITH_REG_UNARY(Abs, Abs)
TILESMITH_REG_UNARY(Relu, Relu)
TILESMITH_REG_UNARY(Neg, Neg)
TILESMITH_REG_UNARY(Not, Not)
TILESMITH_REG_UNARY(Exp, Exp)
TILESMITH_REG_UNARY(Ln, Ln)
TILESMITH_REG_UNARY(Log, Ln)
TILESMITH_REG_UNARY(Sqrt, Sqrt)
#undef TILESMITH_REG_UNARY

#define TILESMITH_REG_BINARY(NAME, OP, READS)                                                                          \
  template <typename T = void, MaskMergeMode mode = MaskMergeMode::ZEROING, typename X, const RegTrait & trait>        \
  void NAME(RegTensor<X, trait> &dst, const RegTensor<X, trait> &a, const RegTensor<X, trait> &b, const MaskReg &mask, \
            tilesmith::Where where = tilesmith::Where::here()) {                                                       \
    tsCompute<tilesmith::Op::OP, mode, READS>(dst, a, &b, 0, mask, #NAME, where);                                      \
  }
TILESMITH_REG_BINARY(Add, Add, false)
TILESMITH_REG_BINARY(Sub, Sub, false)
TILESMITH_REG_BINARY(Mul, Mul, false)
TILESMITH_REG_BINARY(Div, Div, false)
TILESMITH_REG_BINARY(Max, Max, false)
TILESMITH_REG_BINARY(Min, Min, false)
TILESMITH_REG_BINARY(And, And, false)
TILESMITH_REG_BINARY(Or, Or, false)
TILESMITH_REG_BINARY(MulAddDst, MulAddDst, true)
TILESMITH_REG_BINARY(Mula, MulAddDst, true)
TILESMITH_REG_BINARY(MulDstAdd, FusedMulAdd, true)
TILESMITH_REG_BINARY(FusedMulDstAdd, FusedMulAdd, true)
#undef TILESMITH_REG_BINARY

#define TILESMITH_REG_SCALAR(NAME, OP, READS)                                                                          \
  template <typename T = void, typename U = void, MaskMergeMode mode = MaskMergeMode::ZEROING, typename X,             \
            const RegTrait & trait>                                                                                    \
  void NAME(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, tilesmith::Same<X> scalar, const MaskReg &mask,  \
            tilesmith::Where where = tilesmith::Where::here()) {                                                       \
    tsCompute<tilesmith::Op::OP, mode, READS>(dst, src, nullptr, tilesmith::bitsOf<X>(scalar), mask, #NAME, where);    \
  }
TILESMITH_REG_SCALAR(Adds, Adds, false)
TILESMITH_REG_SCALAR(Muls, Muls, false)
TILESMITH_REG_SCALAR(Maxs, Maxs, false)
TILESMITH_REG_SCALAR(Mins, Mins, false)
TILESMITH_REG_SCALAR(LeakyRelu, LeakyRelu, false)
TILESMITH_REG_SCALAR(Axpy, Axpy, true)
#undef TILESMITH_REG_SCALAR

#define TILESMITH_REG_SHIFT(NAME, OP)                                                                                  \
  template <typename T = void, typename U = void, MaskMergeMode mode = MaskMergeMode::ZEROING, typename X,             \
            const RegTrait & trait>                                                                                    \
  void NAME##s(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, int16_t amount, const MaskReg &mask,          \
               tilesmith::Where where = tilesmith::Where::here()) {                                                    \
    tsCompute<tilesmith::Op::OP, mode, false>(dst, src, nullptr, tilesmith::bitsOf<X>(X(amount)), mask, #NAME "s",     \
                                              where);                                                                  \
  }                                                                                                                    \
  template <typename T = void, typename U = void, MaskMergeMode mode = MaskMergeMode::ZEROING, typename X, typename S, \
            const RegTrait & trait>                                                                                    \
  void NAME(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const RegTensor<S, trait> &amount,               \
            const MaskReg &mask, tilesmith::Where where = tilesmith::Where::here()) {                                  \
    static_assert(sizeof(X) == sizeof(S), #NAME ": amounts have the width of the elements");                           \
    if (!tilesmith::running(where))                                                                                    \
      return;                                                                                                          \
    int64_t ready = tilesmith::counted(tilesmith::Op::OP, sizeof(X), tilesmith::latest(src.ready, amount.ready));      \
    src.sources.use(mask.last());                                                                                      \
    amount.sources.use(mask.last());                                                                                   \
    alignas(64) uint8_t result[tilesmith::registerBytes] = {};                                                         \
    for (int64_t i = 0; i < RegTensor<X, trait>::lanes; ++i)                                                           \
      tilesmith::api->tsm_reg_compute(int64_t(tilesmith::Op::OP), tilesmith::dtypeOf<X>(), 0, 0,                       \
                                      result + i * int64_t(sizeof(X)), src.bytes + i * int64_t(sizeof(X)), nullptr,    \
                                      tilesmith::bitsOf<X>(X(amount.tsLane(i))), 1);                                   \
    tsBlend(dst, result, mask, mode == MaskMergeMode::MERGING);                                                        \
    dst.ready = ready;                                                                                                 \
    dst.sources.clear();                                                                                               \
  }
TILESMITH_REG_SHIFT(ShiftLeft, ShiftLeft)
TILESMITH_REG_SHIFT(ShiftRight, ShiftRight)
#undef TILESMITH_REG_SHIFT

} // namespace Reg
} // namespace AscendC

#endif
