// What Ascend C has and the model does not have yet (missing.def): a call does not compile, and says why.
#ifndef TILESMITH_ASCENDC_MISSING_H
#define TILESMITH_ASCENDC_MISSING_H

#include "tilesmith/tensors.h"

namespace AscendC {

#define TILESMITH_MISSING_CALL(PART, NAME)                                                                             \
  template <typename T, auto... options, typename... Args> inline void NAME(const LocalTensor<T> &, Args &&...) {      \
    static_assert(tilesmith::alwaysFalse<T>, #NAME ": this instruction is not in the model yet");                      \
  }
#include "tilesmith/missing.def"

} // namespace AscendC

#endif
