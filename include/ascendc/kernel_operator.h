// Ascend C for ordinary compilers: kernels written for the chip compile with any C++17 compiler and run on Tilesmith's
// Machine.
//
// Declarations of instructions come from the instruction table (tilesmith/instructions.inc); their meaning is the
// Machine's, which a library is bound to when it is loaded (tilesmith/Machine/Api.h). What the Machine does not have
// does not compile, with a text that says so, or is a finding.
#ifndef TILESMITH_ASCENDC_KERNEL_OPERATOR_H
#define TILESMITH_ASCENDC_KERNEL_OPERATOR_H

#include "tilesmith/choices.h"
#include "tilesmith/cube.h"
#include "tilesmith/moves.h"
#include "tilesmith/permute.h"
#include "tilesmith/queues.h"

namespace AscendC {
#include "tilesmith/instructions.inc"

// Reductions of a whole tensor by repeats: contiguous ones are a number of elements.
#define TILESMITH_REDUCE_REPEATS(NAME, COUNTED, ...)                                                                   \
  template <typename T, bool isSetMask = true>                                                                         \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work, int32_t mask,     \
                   int32_t repeatTimes, int32_t srcRepStride __VA_ARGS__,                                              \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    if (repeatTimes > 1 && (srcRepStride != 8 || mask != int32_t(256 / sizeof(T))))                                    \
      return tilesmith::unsupported(where, #NAME " of repeats that do not follow each other");                         \
    COUNTED;                                                                                                           \
  }
TILESMITH_REDUCE_REPEATS(ReduceSum, ReduceSum(dst, src, work, int64_t(mask) * repeatTimes, where))
TILESMITH_REDUCE_REPEATS(ReduceMax, ReduceMax(dst, src, work, int64_t(mask) * repeatTimes, int64_t(index), where), ,
                         bool index = false)
TILESMITH_REDUCE_REPEATS(ReduceMin, ReduceMin(dst, src, work, int64_t(mask) * repeatTimes, int64_t(index), where), ,
                         bool index = false)
#undef TILESMITH_REDUCE_REPEATS
} // namespace AscendC

#include "tilesmith/missing.h"
#include "tilesmith/mixed.h"
#include "tilesmith/print.h"
#include "tilesmith/register_choices.h"
#include "tilesmith/register_moves.h"
#include "tilesmith/sorting.h"
#include "tilesmith/tiling.h"
#include "tilesmith/utilities.h"
#include "tilesmith/vector_functions.h"

#endif
