// half and bfloat16_t: 16 bits in memory, float in expressions. Rounding to nearest even, as every conversion of the
// chip.
#ifndef TILESMITH_ASCENDC_SCALARS_H
#define TILESMITH_ASCENDC_SCALARS_H

#include <stdint.h>
#include <string.h>
#include <type_traits>

namespace tilesmith {

constexpr uint32_t floatBits(float value) { return __builtin_bit_cast(uint32_t, value); }
constexpr float floatOf(uint32_t bits) { return __builtin_bit_cast(float, bits); }

constexpr uint16_t halfBits(float value) {
  uint32_t bits = floatBits(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return uint16_t(sign | 0x7e00);
  if (magnitude >= 0x477ff000) // rounds to 65536 or more
    return uint16_t(sign | 0x7c00);
  if (magnitude < 0x38800000) { // subnormal: adding 0.5 leaves the rounded mantissa in the low bits
    float shifted = floatOf(magnitude) + 0.5f;
    return uint16_t(sign | (floatBits(shifted) - 0x3f000000));
  }
  uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return uint16_t(sign | ((rounded - 0x38000000) >> 13));
}
constexpr float halfValue(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16, exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
  if (exponent == 31)
    return floatOf(sign | 0x7f800000 | mantissa << 13);
  if (exponent == 0) {
    float value = float(mantissa) * (1.0f / 16777216.0f);
    return sign ? -value : value;
  }
  return floatOf(sign | (exponent + 112) << 23 | mantissa << 13);
}

constexpr uint16_t bfloatBits(float value) {
  uint32_t bits = floatBits(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return uint16_t(bits >> 16 | 0x40);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
constexpr float bfloatValue(uint16_t bits) { return floatOf(uint32_t(bits) << 16); }

} // namespace tilesmith

#define TILESMITH_NARROW_FLOAT(NAME, TO_BITS, TO_VALUE)                                                                \
  struct NAME {                                                                                                        \
    uint16_t bits = 0;                                                                                                 \
    constexpr NAME() = default;                                                                                        \
    template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>>                                   \
    constexpr NAME(T value) : bits(::tilesmith::TO_BITS(float(value))) {}                                              \
    constexpr operator float() const { return ::tilesmith::TO_VALUE(bits); }                                           \
    constexpr NAME operator-() const { return fromBits(uint16_t(bits ^ 0x8000)); }                                     \
    NAME &operator+=(float value) { return *this = NAME(float(*this) + value); }                                       \
    NAME &operator-=(float value) { return *this = NAME(float(*this) - value); }                                       \
    NAME &operator*=(float value) { return *this = NAME(float(*this) * value); }                                       \
    NAME &operator/=(float value) { return *this = NAME(float(*this) / value); }                                       \
    static constexpr NAME fromBits(uint16_t bits) {                                                                    \
      NAME result;                                                                                                     \
      result.bits = bits;                                                                                              \
      return result;                                                                                                   \
    }                                                                                                                  \
  };
TILESMITH_NARROW_FLOAT(half, halfBits, halfValue)
TILESMITH_NARROW_FLOAT(bfloat16_t, bfloatBits, bfloatValue)
#undef TILESMITH_NARROW_FLOAT

using float16_t = half;

// Floats of a byte and less: kernels move and multiply them, and the matrix unit alone knows their values. A byte of
// fp4x2 holds two, the first in its low half. A number makes one of its bits.
#define TILESMITH_STORED_FLOAT(NAME)                                                                                   \
  struct NAME {                                                                                                        \
    uint8_t bits = 0;                                                                                                  \
    constexpr NAME() = default;                                                                                        \
    constexpr explicit NAME(int pattern) : bits(uint8_t(pattern)) {}                                                   \
    static constexpr NAME fromBits(uint8_t bits) { return NAME(int(bits)); }                                           \
  };
TILESMITH_STORED_FLOAT(fp8_e4m3fn_t)
TILESMITH_STORED_FLOAT(fp8_e5m2_t)
TILESMITH_STORED_FLOAT(fp8_e8m0_t)
TILESMITH_STORED_FLOAT(hifloat8_t)
TILESMITH_STORED_FLOAT(fp4x2_e2m1_t)
TILESMITH_STORED_FLOAT(fp4x2_e1m2_t)
#undef TILESMITH_STORED_FLOAT

namespace AscendC {
using ::fp4x2_e1m2_t;
using ::fp4x2_e2m1_t;
using ::fp8_e4m3fn_t;
using ::fp8_e5m2_t;
using ::fp8_e8m0_t;
using ::hifloat8_t;
inline float ToFloat(const bfloat16_t &value) { return value; }
inline float ToFloat(const half &value) { return value; }
inline bfloat16_t ToBfloat16(const float &value) { return bfloat16_t(value); }
} // namespace AscendC

#endif
