// Whole tensors in operators: `c = a + b` is Add of all elements, `mask = a < b` a Compare.
#ifndef TILESMITH_ASCENDC_OPERATORS_H
#define TILESMITH_ASCENDC_OPERATORS_H

#include "tilesmith/instructions.h"

namespace tilesmith {

// Two tensors and what an assignment does with them.
template <typename T, typename Call> struct TensorsOf {
  AscendC::LocalTensor<T> left, right;
  Where where;

  template <typename D> void into(const AscendC::LocalTensor<D> &dst) const { Call{}(dst, left, right, where); }
};
template <typename T> inline constexpr bool isTensor = false; // of elements of a tensor: no
template <typename T> inline constexpr bool isTensor<AscendC::LocalTensor<T>> = true;

} // namespace tilesmith

namespace AscendC {

#define TILESMITH_OPERATOR(SIGN, NAME, ...)                                                                            \
  } /* namespace AscendC */                                                                                            \
  namespace tilesmith {                                                                                                \
  struct Assign##NAME {                                                                                                \
    template <typename D, typename T>                                                                                  \
    void operator()(const AscendC::LocalTensor<D> &dst, const AscendC::LocalTensor<T> &a,                              \
                    const AscendC::LocalTensor<T> &b, Where where) const {                                             \
      __VA_ARGS__;                                                                                                     \
    }                                                                                                                  \
  };                                                                                                                   \
  }                                                                                                                    \
  namespace AscendC {                                                                                                  \
  template <typename Tensor, typename = std::enable_if_t<tilesmith::isTensor<Tensor>>>                                 \
  auto operator SIGN(const Tensor &a, const Tensor &b) {                                                               \
    return tilesmith::TensorsOf<typename Tensor::PrimType, tilesmith::Assign##NAME>{a, b, {nullptr, 0}};               \
  }
TILESMITH_OPERATOR(+, Add, AscendC::Add(dst, a, b, int64_t(a.GetSize()), where))
TILESMITH_OPERATOR(-, Sub, AscendC::Sub(dst, a, b, int64_t(a.GetSize()), where))
TILESMITH_OPERATOR(*, Mul, AscendC::Mul(dst, a, b, int64_t(a.GetSize()), where))
TILESMITH_OPERATOR(/, Div, AscendC::Div(dst, a, b, int64_t(a.GetSize()), where))
TILESMITH_OPERATOR(&, And, AscendC::And(dst, a, b, int64_t(a.GetSize()), where))
TILESMITH_OPERATOR(|, Or, AscendC::Or(dst, a, b, int64_t(a.GetSize()), where))
TILESMITH_OPERATOR(<, Less, AscendC::Compare(dst, a, b, AscendC::CMPMODE::LT, a.GetSize(), where))
TILESMITH_OPERATOR(>, Greater, AscendC::Compare(dst, a, b, AscendC::CMPMODE::GT, a.GetSize(), where))
TILESMITH_OPERATOR(==, Equal, AscendC::Compare(dst, a, b, AscendC::CMPMODE::EQ, a.GetSize(), where))
TILESMITH_OPERATOR(<=, AtMost, AscendC::Compare(dst, a, b, AscendC::CMPMODE::LE, a.GetSize(), where))
TILESMITH_OPERATOR(>=, AtLeast, AscendC::Compare(dst, a, b, AscendC::CMPMODE::GE, a.GetSize(), where))
TILESMITH_OPERATOR(!=, Unequal, AscendC::Compare(dst, a, b, AscendC::CMPMODE::NE, a.GetSize(), where))
#undef TILESMITH_OPERATOR

} // namespace AscendC

#endif
