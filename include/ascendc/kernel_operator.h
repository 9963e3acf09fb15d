// Ascend C for ordinary compilers: kernels written for the chip compile with any C++17 compiler and run on Tilesmith's
// Machine.
//
// Declarations of instructions come from the instruction table (tilesmith/instructions.inc); their meaning is the
// Machine's, which a library is bound to when it is loaded (tilesmith/Machine/Api.h). What the Machine does not have
// does not compile, with a text that says so, or is a finding.
#ifndef TILESMITH_ASCENDC_KERNEL_OPERATOR_H
#define TILESMITH_ASCENDC_KERNEL_OPERATOR_H

#include "tilesmith/cube.h"
#include "tilesmith/moves.h"
#include "tilesmith/permute.h"
#include "tilesmith/queues.h"

namespace AscendC {

// Reductions of a whole tensor by repeats: contiguous ones are a number of elements, others leave one result each
// first. Where the extreme lies is known for contiguous ones only. COUNTED(source, count) is the call by count.
#define TILESMITH_REDUCE_REPEATS(NAME, ENTRY, INDEX, COUNTED, ...)                                                     \
  template <typename T, bool isSetMask = true>                                                                         \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work, int32_t mask,     \
                   int32_t repeatTimes, int32_t srcRepStride __VA_ARGS__,                                              \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    auto counted = [&](const LocalTensor<T> &from, const LocalTensor<T> &in, int64_t count) { COUNTED; };              \
    if (repeatTimes <= 1 || (srcRepStride == 8 && mask == int32_t(256 / sizeof(T))))                                   \
      return counted(src, work, int64_t(mask) * repeatTimes);                                                          \
    if (INDEX)                                                                                                         \
      return tilesmith::unsupported(where, #NAME " with an index of repeats that do not follow each other");           \
    tilesmith::api->tsm_whole_##ENTRY(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), work.tsAddress(),         \
                                      src.tsAddress(), mask, repeatTimes, 1, 1, srcRepStride);                         \
    tilesmith::api->tsm_pipe_barrier(tilesmith::core, where.loc(), PIPE_V);                                            \
    constexpr int64_t perBlock = tilesmith::chip::blockBytes / int64_t(sizeof(T));                                     \
    counted(work, work[(repeatTimes + perBlock - 1) / perBlock * perBlock], repeatTimes);                              \
  }
TILESMITH_REDUCE_REPEATS(ReduceSum, reduce_sum, false, ReduceSum(dst, from, in, count, where))
TILESMITH_REDUCE_REPEATS(ReduceMax, reduce_max, index, ReduceMax(dst, from, in, count, int64_t(index), where), ,
                         bool index = false)
TILESMITH_REDUCE_REPEATS(ReduceMin, reduce_min, index, ReduceMin(dst, from, in, count, int64_t(index), where), ,
                         bool index = false)
#undef TILESMITH_REDUCE_REPEATS
} // namespace AscendC

#include "tilesmith/bitwise.h"
#include "tilesmith/broadcast.h"
#include "tilesmith/library_rows.h"
#include "tilesmith/missing.h"
#include "tilesmith/names.h"
#include "tilesmith/print.h"
#include "tilesmith/register_integers.h"
#include "tilesmith/simt.h"
#include "tilesmith/sorting.h"
#include "tilesmith/tiling.h"
#include "tilesmith/topk.h"
#include "tilesmith/utilities.h"
#include "tilesmith/vector_functions.h"

#endif
