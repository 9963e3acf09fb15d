// Single elements as numbers. A double holds every value of the types of up to 32 bits.
#ifndef TILESMITH_LIB_MACHINE_EXEC_SCALARS_H
#define TILESMITH_LIB_MACHINE_EXEC_SCALARS_H

#include "tilesmith/Isa/Isa.h"
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace tilesmith::machine::exec {

inline double loadAs(isa::DType dtype, const uint8_t *at) {
  auto as = [&]<typename T>(T value) {
    std::memcpy(&value, at, sizeof(T));
    return double(value);
  };
  switch (dtype) {
  case isa::DType::F16:
    return as(_Float16(0));
  case isa::DType::BF16: {
    uint16_t bits;
    std::memcpy(&bits, at, 2);
    return double(__builtin_bit_cast(float, uint32_t(bits) << 16));
  }
  case isa::DType::F32:
    return as(0.0f);
  case isa::DType::I8:
    return as(int8_t(0));
  case isa::DType::U8:
    return as(uint8_t(0));
  case isa::DType::I16:
    return as(int16_t(0));
  case isa::DType::U16:
    return as(uint16_t(0));
  case isa::DType::I32:
    return as(int32_t(0));
  default:
    return as(uint32_t(0));
  }
}

inline double scalarOf(isa::DType dtype, int64_t bits) {
  return loadAs(dtype, reinterpret_cast<const uint8_t *>(&bits));
}

// Floats round to nearest even, and a NaN is the canonical one; integers round too, and saturate, NaN becomes 0.
inline void storeAs(isa::DType dtype, uint8_t *at, double value) {
  auto integer = [&]<typename T>(T) {
    double whole = std::isnan(value) ? 0 : std::nearbyint(value);
    T result = whole <= double(std::numeric_limits<T>::min())   ? std::numeric_limits<T>::min()
               : whole >= double(std::numeric_limits<T>::max()) ? std::numeric_limits<T>::max()
                                                                : T(whole);
    std::memcpy(at, &result, sizeof(T));
  };
  if (std::isnan(value))
    value = std::numeric_limits<double>::quiet_NaN();
  switch (dtype) {
  case isa::DType::F16: {
    _Float16 half = _Float16(value);
    std::memcpy(at, &half, 2);
    return;
  }
  case isa::DType::BF16: {
    // Through float without rounding twice: what float drops is put into its last bit (round to odd).
    float single = float(value);
    uint32_t bits = __builtin_bit_cast(uint32_t, single);
    if (double(single) != value && !std::isnan(value)) {
      if (std::fabs(double(single)) > std::fabs(value))
        --bits;
      bits |= 1;
    }
    uint16_t result = uint16_t(std::isnan(value) ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    std::memcpy(at, &result, 2);
    return;
  }
  case isa::DType::F32: {
    float single = float(value);
    std::memcpy(at, &single, 4);
    return;
  }
  case isa::DType::I8:
    return integer(int8_t(0));
  case isa::DType::U8:
    return integer(uint8_t(0));
  case isa::DType::I16:
    return integer(int16_t(0));
  case isa::DType::U16:
    return integer(uint16_t(0));
  case isa::DType::I32:
    return integer(int32_t(0));
  default:
    return integer(uint32_t(0));
  }
}

// The value an element of this type would have.
inline double roundTo(isa::DType dtype, double value) {
  uint8_t bytes[8] = {};
  storeAs(dtype, bytes, value);
  return loadAs(dtype, bytes);
}

} // namespace tilesmith::machine::exec

#endif // TILESMITH_LIB_MACHINE_EXEC_SCALARS_H
