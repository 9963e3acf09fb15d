#include "Kernels.h"
#include <cstdlib>
#include <string_view>

namespace tilesmith::verify {

// AVX-512 as x86-64-v4 defines it, AVX2 otherwise; TILESMITH_CPU=avx2 holds a larger CPU back, as in the Machine.
static const Kernels &choose() {
  __builtin_cpu_init();
  if (const char *wanted = std::getenv("TILESMITH_CPU"); wanted && std::string_view(wanted) == "avx2")
    return avx2::kernels;
  bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl");
  return v4 ? avx512::kernels : avx2::kernels;
}

const Kernels &hostKernels() {
  static const Kernels &chosen = choose();
  return chosen;
}

} // namespace tilesmith::verify
