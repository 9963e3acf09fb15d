// How much of the host CPU is used: x86-64 as it began, AVX2 (x86-64-v3), or AVX-512 (x86-64-v4).
//
// Inner loops are built once per level, and generated code is limited to it. Results are the same at every level, by
// construction and by test; TILESMITH_CPU=baseline|avx2|avx512 holds a larger CPU back so that this can be shown.
//
// Header-only and free of everything else, because rooms that may not know each other ask here.
#ifndef TILESMITH_SUPPORT_CPULEVEL_H
#define TILESMITH_SUPPORT_CPULEVEL_H

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tilesmith {

enum class CpuLevel { Baseline, Avx2, Avx512 };

inline constexpr const char *cpuLevelNames[] = {"baseline", "avx2", "avx512"};

// What the CPU itself has.
inline CpuLevel hostCpuLevel() {
  __builtin_cpu_init();
  bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
            __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt") &&
            __builtin_cpu_supports("movbe");
  bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl");
  return v4 ? CpuLevel::Avx512 : v3 ? CpuLevel::Avx2 : CpuLevel::Baseline;
}

// The level to use, decided once per process. A wish the CPU cannot meet, or that is not a level, is said and ignored.
inline CpuLevel cpuLevel() {
  static const CpuLevel chosen = [] {
    CpuLevel host = hostCpuLevel();
    const char *wanted = std::getenv("TILESMITH_CPU");
    if (!wanted || !*wanted)
      return host;
    for (int level = 0; level <= int(CpuLevel::Avx512); ++level)
      if (std::strcmp(wanted, cpuLevelNames[level]) == 0) {
        if (level <= int(host))
          return CpuLevel(level);
        std::fprintf(stderr, "tilesmith: warning: TILESMITH_CPU=%s, but this CPU has only %s\n", wanted,
                     cpuLevelNames[int(host)]);
        return host;
      }
    std::fprintf(stderr, "tilesmith: warning: TILESMITH_CPU=%s is not one of baseline, avx2, avx512\n", wanted);
    return host;
  }();
  return chosen;
}

// Whether TILESMITH_CPU holds the CPU back.
inline bool isCpuLimited() { return cpuLevel() < hostCpuLevel(); }

} // namespace tilesmith

#endif // TILESMITH_SUPPORT_CPULEVEL_H
