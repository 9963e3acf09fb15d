// Stores past the host's caches, a cache line at a time.
#include "Variant.h"

namespace tilesmith::machine::TS_EXEC_VARIANT {

#if defined(__AVX512F__)
constexpr int64_t width = 64;
#define TS_WHOLE_LINES __attribute__((min_vector_width(512)))
#elif defined(__AVX__)
constexpr int64_t width = 32;
#else
constexpr int64_t width = 16;
#endif
#ifndef TS_WHOLE_LINES
#define TS_WHOLE_LINES
#endif

TS_WHOLE_LINES void stream(uint8_t *dst, const uint8_t *src, int64_t bytes) {
  typedef int64_t Words __attribute__((vector_size(width)));
  typedef Words UnalignedWords __attribute__((aligned(1), may_alias));
  constexpr int64_t line = 64;
  int64_t head = -reinterpret_cast<intptr_t>(dst) & (line - 1);
  if (head > bytes)
    head = bytes;
  if (head)
    __builtin_memcpy(dst, src, size_t(head));
  int64_t i = head;
  for (; i + line <= bytes; i += line)
    for (int64_t part = 0; part < line; part += width)
      __builtin_nontemporal_store(*reinterpret_cast<const UnalignedWords *>(src + i + part),
                                  reinterpret_cast<Words *>(dst + i + part));
  if (i < bytes)
    __builtin_memcpy(dst + i, src + i, size_t(bytes - i));
}

} // namespace tilesmith::machine::TS_EXEC_VARIANT
