// What Ascend C has and the model does not have yet: a call does not compile, and says why.
#ifndef TILESMITH_ASCENDC_MISSING_H
#define TILESMITH_ASCENDC_MISSING_H

#include "tilesmith/tensors.h"

namespace AscendC {

#define TILESMITH_MISSING(NAME)                                                                                        \
  template <typename T, auto... options, typename... Args> inline void NAME(const LocalTensor<T> &, Args &&...) {      \
    static_assert(tilesmith::alwaysFalse<T>, #NAME ": this instruction is not in the model yet");                      \
  }
TILESMITH_MISSING(Gatherb)
TILESMITH_MISSING(Scatter)
TILESMITH_MISSING(TransDataTo5HD)
TILESMITH_MISSING(Sort)
TILESMITH_MISSING(MrgSort)
TILESMITH_MISSING(Concat)
TILESMITH_MISSING(Extract)
TILESMITH_MISSING(CastDeq)
TILESMITH_MISSING(AddDeqRelu)
TILESMITH_MISSING(AddReluCast)
TILESMITH_MISSING(SubReluCast)
TILESMITH_MISSING(MulCast)
TILESMITH_MISSING(BilinearInterpolation)
TILESMITH_MISSING(GetCmpMask)
TILESMITH_MISSING(SetCmpMask)
TILESMITH_MISSING(MmadWithSparse)
TILESMITH_MISSING(SoftMax)
TILESMITH_MISSING(RmsNorm)
TILESMITH_MISSING(AscendQuant)
TILESMITH_MISSING(Tanh)
TILESMITH_MISSING(Sin)
TILESMITH_MISSING(Cos)
TILESMITH_MISSING(Erf)
TILESMITH_MISSING(Power)
TILESMITH_MISSING(Xor)
#undef TILESMITH_MISSING

// Accumulating half in float.
template <typename T, typename U, bool isSetMask = true, typename... Args>
inline std::enable_if_t<!std::is_same_v<T, U>> Axpy(const LocalTensor<T> &, const LocalTensor<U> &, Args &&...) {
  static_assert(tilesmith::alwaysFalse<T>, "Axpy from one element type into another is not in the model yet");
}
template <typename T, typename U, bool isSetMask = true, typename... Args>
inline std::enable_if_t<!std::is_same_v<T, U>> MulAddDst(const LocalTensor<T> &, const LocalTensor<U> &,
                                                         const LocalTensor<U> &, Args &&...) {
  static_assert(tilesmith::alwaysFalse<T>, "MulAddDst from one element type into another is not in the model yet");
}

// An mmad that starts from a bias.
template <typename T, typename U, typename V, typename B>
inline void Mmad(const LocalTensor<T> &, const LocalTensor<U> &, const LocalTensor<V> &, const LocalTensor<B> &,
                 const MmadParams &) {
  static_assert(tilesmith::alwaysFalse<B>, "Mmad with a bias is not in the model yet");
}

} // namespace AscendC

#endif
