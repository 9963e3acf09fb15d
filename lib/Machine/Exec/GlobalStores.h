// Stores of whole runs to global memory.
//
// Results larger than a host's private caches will not be read from them again: they are written past the caches, which
// saves reading every line before it is overwritten. The thread that wrote them sees them at once, others after
// showStores, which a core calls when it ends and before other cores may wait for it.
#ifndef TILESMITH_LIB_MACHINE_EXEC_GLOBALSTORES_H
#define TILESMITH_LIB_MACHINE_EXEC_GLOBALSTORES_H

#include "Kernels.h"
#include "tilesmith/Machine/Core.h"
#include <cstring>

namespace tilesmith::machine::exec {

inline bool isStreamed(const uint8_t *dst, int64_t bytes, const MemoryView &memory) {
  constexpr int64_t largeRange = int64_t(4) << 20, longRun = 2048;
  if (bytes < longRun)
    return false;
  for (const GlobalRange &range : memory.global)
    if (dst >= range.host && dst < range.host + range.size)
      return range.size >= largeRange;
  return false;
}

inline void storeBytes(uint8_t *dst, const uint8_t *src, int64_t bytes, bool streamed) {
  if (streamed)
    hostKernels().stream(dst, src, bytes);
  else
    std::memcpy(dst, src, size_t(bytes));
}

inline void showStores() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

} // namespace tilesmith::machine::exec

#endif // TILESMITH_LIB_MACHINE_EXEC_GLOBALSTORES_H
