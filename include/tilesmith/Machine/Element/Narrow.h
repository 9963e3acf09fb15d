// Floats of a byte and less as values: what a pattern of bits means, and the pattern nearest to a value.
//
// e4m3 and e5m2 are OCP's (no infinity in e4m3), e2m1 and e8m0 those of its MX formats. e1m2 has one bit of exponent
// with bias 1: quarters up to 7/4. hif8 is HiFloat8 (arXiv 2409.16626): the number of bits of the exponent stands
// before it. Two 4-bit values share a byte, the first in its low half.
#ifndef TILESMITH_MACHINE_ELEMENT_NARROW_H
#define TILESMITH_MACHINE_ELEMENT_NARROW_H

#include "tilesmith/Isa/DType.h"
#include <array>
#include <cmath>
#include <limits>

namespace tilesmith::machine {

// The value of a pattern of a type with fixed fields.
inline double fieldsValue(unsigned bits, unsigned exponentBits, unsigned mantissaBits) {
  unsigned mantissa = bits & ((1u << mantissaBits) - 1), exponent = bits >> mantissaBits & ((1u << exponentBits) - 1);
  bool negative = bits >> (mantissaBits + exponentBits) & 1;
  int bias = exponentBits == 1 ? 1 : (1 << (exponentBits - 1)) - 1;
  double value = exponent ? std::ldexp(1.0 + std::ldexp(double(mantissa), -int(mantissaBits)), int(exponent) - bias)
                          : std::ldexp(double(mantissa), 1 - bias - int(mantissaBits));
  return negative ? -value : value;
}

inline double hifloat8Value(unsigned bits) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  bool negative = bits >> 7 & 1;
  unsigned rest = bits & 0x7f;
  auto with = [&](double value) { return negative ? -value : value; };
  if (rest < 8) { // powers of two below all others
    if (!rest)
      return negative ? nan : 0.0;
    return with(std::ldexp(1.0, int(rest) - 23));
  }
  if (rest == 0x6f)
    return with(infinity);
  // The field that says how many bits the exponent has: 11 four, 10 three, 01 two, 001 one, 0001 none.
  unsigned exponentBits = rest >= 0x60 ? 4 : rest >= 0x40 ? 3 : rest >= 0x20 ? 2 : rest >= 0x10 ? 1 : 0;
  unsigned dotBits = exponentBits >= 2 ? 2 : exponentBits == 1 ? 3 : 4, mantissaBits = 7 - dotBits - exponentBits;
  unsigned mantissa = rest & ((1u << mantissaBits) - 1);
  unsigned field = rest >> mantissaBits & ((1u << exponentBits) - 1);
  int exponent = 0;
  if (exponentBits) { // sign, then the magnitude without its leading one
    unsigned low = field & ((1u << (exponentBits - 1)) - 1);
    exponent = int(1u << (exponentBits - 1) | low);
    if (field >> (exponentBits - 1))
      exponent = -exponent;
  }
  return with(std::ldexp(1.0 + std::ldexp(double(mantissa), -int(mantissaBits)), exponent));
}

// What a pattern of bits of a narrow type stands for.
inline double narrowValue(isa::DType type, unsigned bits) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  using isa::DType;
  switch (type) {
  case DType::F8E4M3:
    return (bits & 0x7f) == 0x7f ? nan : fieldsValue(bits, 4, 3);
  case DType::F8E5M2:
    if ((bits & 0x7c) == 0x7c)
      return bits & 3 ? nan : bits & 0x80 ? -infinity : infinity;
    return fieldsValue(bits, 5, 2);
  case DType::HIF8:
    return hifloat8Value(bits);
  case DType::F4E2M1:
    return fieldsValue(bits & 15, 2, 1);
  case DType::F4E1M2:
    return fieldsValue(bits & 15, 1, 2);
  case DType::F8E8M0:
    return bits == 255 ? nan : std::ldexp(1.0, int(bits) - 127);
  default:
    return nan;
  }
}

// The values of all 256 bytes, of 4-bit types of their low halves.
inline const std::array<float, 256> &narrowValues(isa::DType type) {
  using Tables = std::array<std::array<float, 256>, isa::numDType>;
  static const Tables tables = [] {
    Tables all;
    for (unsigned type = 0; type < isa::numDType; ++type)
      for (unsigned bits = 0; bits < 256; ++bits)
        all[type][bits] = float(narrowValue(isa::DType(type), bits));
    return all;
  }();
  return tables[unsigned(type)];
}

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_ELEMENT_NARROW_H
