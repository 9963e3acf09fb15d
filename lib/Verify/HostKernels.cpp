#include "Kernels.h"
#include "tilesmith/Support/CpuLevel.h"

namespace tilesmith::verify {

const Kernels &hostKernels() {
  static const Kernels &chosen = []() -> const Kernels & {
    switch (cpuLevel()) {
    case CpuLevel::Avx512:
      return avx512::kernels;
    case CpuLevel::Avx2:
      return avx2::kernels;
    case CpuLevel::Baseline:
      break;
    }
    return baseline::kernels;
  }();
  return chosen;
}

} // namespace tilesmith::verify
