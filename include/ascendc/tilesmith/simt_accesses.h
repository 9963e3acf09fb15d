// The functions that -fsanitize=thread calls before each access to memory: those of a thread are told to the Machine.
//
// Nothing of the sanitizer's own library takes part. Atomic operations of the host language are what they always are.
#ifndef TILESMITH_ASCENDC_SIMT_ACCESSES_H
#define TILESMITH_ASCENDC_SIMT_ACCESSES_H

#include "tilesmith/simt.h"

#define TILESMITH_HOOK extern "C" __attribute__((weak, visibility("hidden"), no_sanitize("thread")))
#define TILESMITH_HERE int64_t(reinterpret_cast<intptr_t>(__builtin_return_address(0)))

namespace tilesmith {
TILESMITH_UNSEEN inline void accessed(const void *pointer, int64_t bytes, TsSimtAccess kind, int64_t place) {
  if (threadIdx.runs)
    api->tsm_simt_access(core, pointer, bytes, kind, place);
}
} // namespace tilesmith

#define TILESMITH_ACCESS(BYTES)                                                                                        \
  TILESMITH_HOOK void __tsan_read##BYTES(void *p) { tilesmith::accessed(p, BYTES, TS_SIMT_READ, TILESMITH_HERE); }     \
  TILESMITH_HOOK void __tsan_write##BYTES(void *p) { tilesmith::accessed(p, BYTES, TS_SIMT_WRITE, TILESMITH_HERE); }   \
  TILESMITH_HOOK void __tsan_unaligned_read##BYTES(void *p) {                                                          \
    tilesmith::accessed(p, BYTES, TS_SIMT_READ, TILESMITH_HERE);                                                       \
  }                                                                                                                    \
  TILESMITH_HOOK void __tsan_unaligned_write##BYTES(void *p) {                                                         \
    tilesmith::accessed(p, BYTES, TS_SIMT_WRITE, TILESMITH_HERE);                                                      \
  }                                                                                                                    \
  TILESMITH_HOOK void __tsan_volatile_read##BYTES(void *p) {                                                           \
    tilesmith::accessed(p, BYTES, TS_SIMT_READ, TILESMITH_HERE);                                                       \
  }                                                                                                                    \
  TILESMITH_HOOK void __tsan_volatile_write##BYTES(void *p) {                                                          \
    tilesmith::accessed(p, BYTES, TS_SIMT_WRITE, TILESMITH_HERE);                                                      \
  }                                                                                                                    \
  TILESMITH_HOOK void __tsan_read_write##BYTES(void *p) {                                                              \
    tilesmith::accessed(p, BYTES, TS_SIMT_READ, TILESMITH_HERE);                                                       \
    tilesmith::accessed(p, BYTES, TS_SIMT_WRITE, TILESMITH_HERE + 1);                                                  \
  }
TILESMITH_ACCESS(1)
TILESMITH_ACCESS(2)
TILESMITH_ACCESS(4)
TILESMITH_ACCESS(8)
TILESMITH_ACCESS(16)
#undef TILESMITH_ACCESS

TILESMITH_HOOK void __tsan_init() {}
TILESMITH_HOOK void __tsan_func_entry(void *) {}
TILESMITH_HOOK void __tsan_func_exit() {}
TILESMITH_HOOK void __tsan_vptr_update(void **, void *) {}
TILESMITH_HOOK void __tsan_vptr_read(void **) {}
TILESMITH_HOOK void __tsan_read_range(void *p, unsigned long bytes) {
  tilesmith::accessed(p, int64_t(bytes), TS_SIMT_READ, TILESMITH_HERE);
}
TILESMITH_HOOK void __tsan_write_range(void *p, unsigned long bytes) {
  tilesmith::accessed(p, int64_t(bytes), TS_SIMT_WRITE, TILESMITH_HERE);
}
TILESMITH_HOOK void *__tsan_memcpy(void *to, const void *from, unsigned long bytes) {
  tilesmith::accessed(from, int64_t(bytes), TS_SIMT_READ, TILESMITH_HERE);
  tilesmith::accessed(to, int64_t(bytes), TS_SIMT_WRITE, TILESMITH_HERE + 1);
  return memcpy(to, from, bytes);
}
TILESMITH_HOOK void *__tsan_memmove(void *to, const void *from, unsigned long bytes) {
  tilesmith::accessed(from, int64_t(bytes), TS_SIMT_READ, TILESMITH_HERE);
  tilesmith::accessed(to, int64_t(bytes), TS_SIMT_WRITE, TILESMITH_HERE + 1);
  return memmove(to, from, bytes);
}
TILESMITH_HOOK void *__tsan_memset(void *to, int value, unsigned long bytes) {
  tilesmith::accessed(to, int64_t(bytes), TS_SIMT_WRITE, TILESMITH_HERE);
  return memset(to, value, bytes);
}

#define TILESMITH_ATOMICS(BITS, T)                                                                                     \
  TILESMITH_HOOK T __tsan_atomic##BITS##_load(const volatile T *p, int) { return __atomic_load_n(p, 5); }              \
  TILESMITH_HOOK void __tsan_atomic##BITS##_store(volatile T *p, T v, int) { __atomic_store_n(p, v, 5); }              \
  TILESMITH_HOOK T __tsan_atomic##BITS##_exchange(volatile T *p, T v, int) { return __atomic_exchange_n(p, v, 5); }    \
  TILESMITH_HOOK T __tsan_atomic##BITS##_fetch_add(volatile T *p, T v, int) { return __atomic_fetch_add(p, v, 5); }    \
  TILESMITH_HOOK T __tsan_atomic##BITS##_fetch_sub(volatile T *p, T v, int) { return __atomic_fetch_sub(p, v, 5); }    \
  TILESMITH_HOOK T __tsan_atomic##BITS##_fetch_and(volatile T *p, T v, int) { return __atomic_fetch_and(p, v, 5); }    \
  TILESMITH_HOOK T __tsan_atomic##BITS##_fetch_or(volatile T *p, T v, int) { return __atomic_fetch_or(p, v, 5); }      \
  TILESMITH_HOOK T __tsan_atomic##BITS##_fetch_xor(volatile T *p, T v, int) { return __atomic_fetch_xor(p, v, 5); }    \
  TILESMITH_HOOK int __tsan_atomic##BITS##_compare_exchange_strong(volatile T *p, T *e, T v, int, int) {               \
    return __atomic_compare_exchange_n(p, e, v, false, 5, 5);                                                          \
  }                                                                                                                    \
  TILESMITH_HOOK int __tsan_atomic##BITS##_compare_exchange_weak(volatile T *p, T *e, T v, int, int) {                 \
    return __atomic_compare_exchange_n(p, e, v, true, 5, 5);                                                           \
  }                                                                                                                    \
  TILESMITH_HOOK T __tsan_atomic##BITS##_compare_exchange_val(volatile T *p, T e, T v, int, int) {                     \
    __atomic_compare_exchange_n(p, &e, v, false, 5, 5);                                                                \
    return e;                                                                                                          \
  }
TILESMITH_ATOMICS(8, uint8_t)
TILESMITH_ATOMICS(16, uint16_t)
TILESMITH_ATOMICS(32, uint32_t)
TILESMITH_ATOMICS(64, uint64_t)
#undef TILESMITH_ATOMICS
TILESMITH_HOOK void __tsan_atomic_thread_fence(int) { __sync_synchronize(); }
TILESMITH_HOOK void __tsan_atomic_signal_fence(int) {}

#undef TILESMITH_HERE
#undef TILESMITH_HOOK

#endif
