// Element functions as plain loops over 32-bit words, so that one test can call builds for different CPUs.
#ifndef TILESMITH_UNITTESTS_MACHINE_ELEMENTKERNELS_H
#define TILESMITH_UNITTESTS_MACHINE_ELEMENTKERNELS_H

#include <cstdint>

namespace tilesmith::unittests {

// Results are written as arithmetic writes them. Unary functions ignore b, ternary ones take c = dst. Narrow results
// come back widened to 32 bits.
struct ElementKernel {
  const char *name;
  bool isFloat;    // takes floats
  bool givesFloat; // as 32 bits
  void (*run)(uint32_t *dst, const uint32_t *a, const uint32_t *b, int64_t count);
};

// Ends with a null name.
extern const ElementKernel elementKernelsBaseline[];
extern const ElementKernel elementKernelsAvx2[];
extern const ElementKernel elementKernelsAvx512[];

} // namespace tilesmith::unittests

#endif
