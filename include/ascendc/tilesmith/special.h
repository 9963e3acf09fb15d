// What the scalar unit does besides arithmetic: caches, atomic operations on global memory, the names below the
// classes.
#ifndef TILESMITH_ASCENDC_SPECIAL_H
#define TILESMITH_ASCENDC_SPECIAL_H

#include "tilesmith/sync.h"

namespace AscendC {

// One element of global memory, which no other core touches meanwhile; the result is what it was.
#define TILESMITH_ATOMIC(NAME, ...)                                                                                    \
  template <typename T> inline T NAME(__gm__ T *address, tilesmith::Same<T> value) {                                   \
    T before, after;                                                                                                   \
    __atomic_load(address, &before, __ATOMIC_RELAXED);                                                                 \
    do                                                                                                                 \
      after = T(__VA_ARGS__);                                                                                          \
    while (!__atomic_compare_exchange(address, &before, &after, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));           \
    return before;                                                                                                     \
  }
TILESMITH_ATOMIC(AtomicAdd, before + value)
TILESMITH_ATOMIC(AtomicMax, before > value ? before : value)
TILESMITH_ATOMIC(AtomicMin, before < value ? before : value)
TILESMITH_ATOMIC(AtomicExch, value)
#undef TILESMITH_ATOMIC
template <typename T> inline T AtomicCas(__gm__ T *address, tilesmith::Same<T> expected, tilesmith::Same<T> value) {
  T before = expected;
  __atomic_compare_exchange(address, &before, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  return before;
}

inline uint32_t GetRuntimeUBSize() { return GetUBSizeInBytes(); }

} // namespace AscendC

// Modes and the mask by their lower names.
inline void set_mask_norm() { AscendC::SetMaskNorm(); }
inline void set_mask_count() { AscendC::SetMaskCount(); }
inline void set_vector_mask(uint64_t high, uint64_t low) {
  tilesmith::api->tsm_mask_lanes(tilesmith::core, int64_t(low), int64_t(high));
}
inline void set_atomic_none(tilesmith::Where where = tilesmith::Where::here()) { AscendC::SetAtomicNone(where); }
inline void set_atomic_add_float(tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::SetAtomicAdd<float>(where);
}

// Caches, which the model does not have: memory is always what was written last.
enum class cache_line_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE = 1 };
enum class dcci_dst_t { CACHELINE_ALL = 0, CACHELINE_UB = 1, CACHELINE_OUT = 2, CACHELINE_ATOMIC = 3 };
enum mem_dsb_t { DSB_ALL = 0, DSB_DDR = 1, DSB_UB = 2, DSB_SEQ = 3 };
constexpr auto SINGLE_CACHE_LINE = cache_line_t::SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE = cache_line_t::ENTIRE_DATA_CACHE;
constexpr auto CACHELINE_ALL = dcci_dst_t::CACHELINE_ALL, CACHELINE_UB = dcci_dst_t::CACHELINE_UB,
               CACHELINE_OUT = dcci_dst_t::CACHELINE_OUT, CACHELINE_ATOMIC = dcci_dst_t::CACHELINE_ATOMIC;
template <typename Line> inline void dcci(const volatile void *, Line) {}
template <typename Line, typename To> inline void dcci(const volatile void *, Line, To) {}
inline void dsb(mem_dsb_t) {}
template <typename T> inline T ld_dev(__gm__ T *address, int16_t offset) {
  return AscendC::ReadGmByPassDCache(reinterpret_cast<T *>(reinterpret_cast<char *>(address) + offset));
}
template <typename T> inline void st_dev(tilesmith::Same<T> value, __gm__ T *address, int16_t offset) {
  AscendC::WriteGmByPassDCache(reinterpret_cast<T *>(reinterpret_cast<char *>(address) + offset), value);
}

#endif
