// Factors of products of floats with shorter mantissas (HF32).
#ifndef TILESMITH_LIB_MACHINE_EXEC_SHORTFLOATS_H
#define TILESMITH_LIB_MACHINE_EXEC_SHORTFLOATS_H

#include "Kernels.h"
#include "tilesmith/Isa/Chip.h"
#include <cstring>
#include <vector>

namespace tilesmith::machine::exec {

// The floats of a factor in L0 with shorter mantissas, where they lie: `rows` along its fractals and k across.
// Infinities and NaNs stay.
inline const uint8_t *shortened(const uint8_t *from, int64_t rows, int64_t k, bool byColumns, int64_t dropped, bool cut,
                                std::vector<uint32_t> &to) {
  constexpr int64_t width = isa::blockBytes / 4, perFractal = isa::fractalBytes / 4;
  int64_t high = (rows + 15) / 16, wide = (k + width - 1) / width;
  if (to.size() < size_t(high * wide * perFractal))
    to.resize(size_t(high * wide * perFractal));
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < k; ++i) {
      int64_t fractal = byColumns ? i / width * high + row / 16 : row / 16 * wide + i / width;
      int64_t at = fractal * perFractal + row % 16 * width + i % width;
      uint32_t bits, last = 1u << dropped;
      std::memcpy(&bits, from + at * 4, 4);
      if ((bits & 0x7f800000) != 0x7f800000) {
        if (!cut)
          bits += last / 2 - 1 + (bits / last & 1);
        bits &= ~(last - 1);
      }
      to[size_t(at)] = bits;
    }
  return reinterpret_cast<const uint8_t *>(to.data());
}

// HF32: the factors of a product of floats lose the last bits of their mantissa.
inline void shortenFactors(MatrixProduct &product, bool cut, Arch arch) {
  static thread_local std::vector<uint32_t> left, right;
  bool newer = arch == Arch::C310;
  int64_t dropped = newer ? 13 : 12;
  constexpr int64_t width = isa::blockBytes / 4;
  if (product.m == 1) // a plain vector, block after block
    product.a = shortened(product.a, (product.k + width - 1) / width, width, true, dropped, cut, left);
  else
    product.a = shortened(product.a, product.m, product.k, newer, dropped, cut, left);
  product.b = shortened(product.b, product.n, product.k, true, dropped, cut, right);
}

} // namespace tilesmith::machine::exec

#endif
