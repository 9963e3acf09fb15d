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

#define TILESMITH_WARP(NAME, LONG_NAME)                                                                                \
  template <typename T>                                                                                                \
  TILESMITH_UNSEEN inline T NAME(T value, int32_t lane, int32_t width = warpSize,                                      \
                                 tilesmith::Where where = tilesmith::Where::here()) {                                  \
    return AscendC::Simt::LONG_NAME(value, lane, width, where);                                                        \
  }
TILESMITH_WARP(asc_shfl, WarpShflSync)
TILESMITH_WARP(asc_shfl_up, WarpShflUpSync)
TILESMITH_WARP(asc_shfl_down, WarpShflDownSync)
TILESMITH_WARP(asc_shfl_xor, WarpShflXorSync)
#undef TILESMITH_WARP
#define TILESMITH_WARP(NAME, LONG_NAME)                                                                                \
  template <typename T> TILESMITH_UNSEEN inline T NAME(T value, tilesmith::Where where = tilesmith::Where::here()) {   \
    return AscendC::Simt::LONG_NAME(value, where);                                                                     \
  }
TILESMITH_WARP(asc_reduce_add, WarpReduceAddSync)
TILESMITH_WARP(asc_reduce_max, WarpReduceMaxSync)
TILESMITH_WARP(asc_reduce_min, WarpReduceMinSync)
#undef TILESMITH_WARP
TILESMITH_UNSEEN inline int32_t asc_all(int32_t holds, tilesmith::Where where = tilesmith::Where::here()) {
  return AscendC::Simt::WarpAllSync(holds, where);
}
TILESMITH_UNSEEN inline int32_t asc_any(int32_t holds, tilesmith::Where where = tilesmith::Where::here()) {
  return AscendC::Simt::WarpAnySync(holds, where);
}
TILESMITH_UNSEEN inline uint32_t asc_ballot(int32_t holds, tilesmith::Where where = tilesmith::Where::here()) {
  return AscendC::Simt::WarpBallotSync(holds, where);
}
TILESMITH_UNSEEN inline uint32_t asc_activemask(tilesmith::Where where = tilesmith::Where::here()) {
  return AscendC::Simt::WarpActiveMask(where);
}

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
