// Threads by their global names: threadIdx and its like, asc_* functions of warps, barriers and atomic operations.
#ifndef TILESMITH_ASCENDC_ASC_SIMT_H
#define TILESMITH_ASCENDC_ASC_SIMT_H

#include "kernel_operator.h"
#include "simt_api/math_functions.h"
#include "simt_api/vector_types.h"
#include "tilesmith/simt.h"

using tilesmith::blockDim;
using tilesmith::blockIdx;
using tilesmith::gridDim;
using tilesmith::threadIdx;
using dim3 = tilesmith::ThreadCounts;
inline constexpr int32_t warpSize = tilesmith::warpLanes;

inline void asc_syncthreads(tilesmith::Where where = tilesmith::Where::here()) { AscendC::Simt::ThreadBarrier(where); }
// What a thread wrote the others see at once.
inline void asc_threadfence() {}
inline void asc_threadfence_block() {}

TILESMITH_SHUFFLES(asc_shfl, asc_shfl_up, asc_shfl_down, asc_shfl_xor)
TILESMITH_VOTES(asc_ballot, asc_activemask, asc_any, asc_all)
TILESMITH_REDUCTIONS(asc_reduce_add, asc_reduce_max, asc_reduce_min)

#define TILESMITH_ATOMIC(NAME, LONG_NAME)                                                                              \
  template <typename T> TILESMITH_UNSEEN inline T NAME(T *address, tilesmith::Same<T> value) {                         \
    return AscendC::Simt::LONG_NAME(address, value);                                                                   \
  }
TILESMITH_ATOMIC(asc_atomic_add, AtomicAdd)
TILESMITH_ATOMIC(asc_atomic_sub, AtomicSub)
TILESMITH_ATOMIC(asc_atomic_exch, AtomicExch)
TILESMITH_ATOMIC(asc_atomic_max, AtomicMax)
TILESMITH_ATOMIC(asc_atomic_min, AtomicMin)
TILESMITH_ATOMIC(asc_atomic_inc, AtomicInc)
TILESMITH_ATOMIC(asc_atomic_dec, AtomicDec)
TILESMITH_ATOMIC(asc_atomic_and, AtomicAnd)
TILESMITH_ATOMIC(asc_atomic_or, AtomicOr)
TILESMITH_ATOMIC(asc_atomic_xor, AtomicXor)
#undef TILESMITH_ATOMIC
template <typename T>
TILESMITH_UNSEEN inline T asc_atomic_cas(T *address, tilesmith::Same<T> expected, tilesmith::Same<T> value) {
  return AscendC::Simt::AtomicCas(address, expected, value);
}

// Loads and stores with a hint for the caches, which changes nothing here.
template <typename T> inline T asc_ldcg(const T *address) { return *address; }
template <typename T> inline T asc_ldca(const T *address) { return *address; }
template <typename T> inline void asc_stcg(T *address, tilesmith::Same<T> value) { *address = value; }
template <typename T> inline void asc_stwt(T *address, tilesmith::Same<T> value) { *address = value; }

#endif
