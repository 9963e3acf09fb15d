// A product that starts from a bias.
#ifndef TILESMITH_LIB_MACHINE_EXEC_BIAS_H
#define TILESMITH_LIB_MACHINE_EXEC_BIAS_H

#include "Kernels.h"
#include "tilesmith/Isa/Chip.h"
#include <algorithm>
#include <cstring>

namespace tilesmith::machine::exec {

// Every row of the result becomes the bias, n elements of 4 bytes; L0C holds columns of 16 elements.
inline void startFromBias(const MatrixProduct &product, const uint8_t *bias) {
  int64_t column = (product.m + 15) / 16 * isa::fractalBytes * 2;
  for (int64_t n = 0; n < product.n; n += 16)
    for (int64_t row = 0; row < product.m; ++row)
      std::memcpy(product.c + n / 16 * column + row * 64, bias + n * 4,
                  size_t(std::min<int64_t>(product.n - n, 16) * 4));
}

} // namespace tilesmith::machine::exec

#endif
