// Compiled once for each CPU level (TS_VERIFY_VARIANT); see Kernels.h.
#include "Kernels.h"
#include <cmath>
#include <cstring>

namespace tilesmith::verify::TS_VERIFY_VARIANT {
namespace {

using F32 = float __attribute__((ext_vector_type(kLanes)));
using F64 = double __attribute__((ext_vector_type(kLanes)));
using I32 = int32_t __attribute__((ext_vector_type(kLanes)));

template <typename T> bool widenTo(const uint8_t *p, int64_t count, float *out) {
  for (int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, p + i * sizeof(T), sizeof(T));
    out[i] = float(value);
  }
  return true;
}

bool widenDouble(const uint8_t *p, int64_t count, float *out) {
  int64_t lost = 0;
  for (int64_t i = 0; i < count; ++i) {
    double value;
    std::memcpy(&value, p + i * 8, 8);
    out[i] = float(value);
    lost += std::isinf(out[i]) && !std::isinf(value);
  }
  return lost == 0;
}

bool widenBFloat(const uint8_t *p, int64_t count, float *out) {
  for (int64_t i = 0; i < count; ++i) {
    uint16_t bits;
    std::memcpy(&bits, p + i * 2, 2);
    uint32_t wide = uint32_t(bits) << 16;
    std::memcpy(out + i, &wide, 4);
  }
  return true;
}

bool widenBool(const uint8_t *p, int64_t count, float *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = p[i] != 0;
  return true;
}

template <DType dtype> bool widenByte(const uint8_t *p, int64_t count, float *out) {
  struct Table {
    float values[256];
    Table() {
      for (int i = 0; i < 256; ++i) {
        uint8_t byte = uint8_t(i);
        values[i] = asFloat(dtype, &byte);
      }
    }
  };
  static const Table table;
  for (int64_t i = 0; i < count; ++i)
    out[i] = table.values[p[i]];
  return true;
}

bool widen(DType dtype, const uint8_t *p, int64_t count, float *out) {
  switch (dtype) {
  case DType::Bool:
    return widenBool(p, count, out);
  case DType::U8:
    return widenTo<uint8_t>(p, count, out);
  case DType::I8:
    return widenTo<int8_t>(p, count, out);
  case DType::U16:
    return widenTo<uint16_t>(p, count, out);
  case DType::I16:
    return widenTo<int16_t>(p, count, out);
  case DType::U32:
    return widenTo<uint32_t>(p, count, out);
  case DType::I32:
    return widenTo<int32_t>(p, count, out);
  case DType::U64:
    return widenTo<uint64_t>(p, count, out);
  case DType::I64:
    return widenTo<int64_t>(p, count, out);
  case DType::F8E4M3FN:
    return widenByte<DType::F8E4M3FN>(p, count, out);
  case DType::F8E4M3FNUZ:
    return widenByte<DType::F8E4M3FNUZ>(p, count, out);
  case DType::F8E5M2:
    return widenByte<DType::F8E5M2>(p, count, out);
  case DType::F8E5M2FNUZ:
    return widenByte<DType::F8E5M2FNUZ>(p, count, out);
  case DType::F16:
    return widenTo<_Float16>(p, count, out);
  case DType::BF16:
    return widenBFloat(p, count, out);
  case DType::F32:
  case DType::C64:
    std::memcpy(out, p, count * 4);
    return true;
  case DType::F64:
  case DType::C128:
    return widenDouble(p, count, out);
  }
  __builtin_unreachable();
}

// rel of 16 places; lanes that are not `valid` give 0.
inline F32 relOf(F32 a, F32 g, I32 valid, float threshold) {
  F32 below = __builtin_elementwise_max(__builtin_elementwise_abs(g), F32(threshold));
  return valid ? __builtin_elementwise_abs(a - g) / below : F32(0.0f);
}

template <bool tail>
inline void step(const float *candidate, const float *golden, int64_t left, float threshold, F64 &sum, F32 &max,
                 I32 &finite, I32 &nans, I32 &infs, I32 &signs) {
  F32 a = 0.0f, g = 0.0f;
  I32 inside = -1;
  if constexpr (tail) {
    for (int i = 0; i < kLanes; ++i)
      inside[i] = i < left ? -1 : 0;
    std::memcpy(&a, candidate, size_t(left) * 4);
    std::memcpy(&g, golden, size_t(left) * 4);
  } else {
    std::memcpy(&a, candidate, sizeof(a));
    std::memcpy(&g, golden, sizeof(g));
  }
  const I32 magnitude = 0x7FFFFFFF, infinity = 0x7F800000;
  I32 bitsA = (I32)a, bitsG = (I32)g;
  I32 sizeA = bitsA & magnitude, sizeG = bitsG & magnitude;
  I32 valid = (sizeA < infinity) & (sizeG < infinity) & inside;
  // All finite is what nearly every vector is.
  if (__builtin_reduce_and(valid | ~inside) == 0) {
    I32 infA = sizeA == infinity, infG = sizeG == infinity;
    nans += ((sizeA > infinity) ^ (sizeG > infinity)) & 1;
    infs += (infA ^ infG) & 1;
    signs += infA & infG & ((bitsA ^ bitsG) >> 31) & 1;
  }
  finite += valid & 1;
  F32 rel = relOf(a, g, valid, threshold);
  sum += __builtin_convertvector(rel, F64);
  max = __builtin_elementwise_max(max, rel);
}

void block(const float *candidate, const float *golden, int64_t count, float threshold, Lanes &lanes) {
  F64 sum;
  F32 max;
  std::memcpy(&sum, lanes.sum, sizeof(sum));
  std::memcpy(&max, lanes.max, sizeof(max));
  I32 finite = 0, nans = 0, infs = 0, signs = 0;
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    step<false>(candidate + i, golden + i, kLanes, threshold, sum, max, finite, nans, infs, signs);
  if (i < count)
    step<true>(candidate + i, golden + i, count - i, threshold, sum, max, finite, nans, infs, signs);
  std::memcpy(lanes.sum, &sum, sizeof(sum));
  std::memcpy(lanes.max, &max, sizeof(max));
  lanes.finite += __builtin_reduce_add(finite);
  lanes.nanPlaces += __builtin_reduce_add(nans);
  lanes.infPlaces += __builtin_reduce_add(infs);
  lanes.infSigns += __builtin_reduce_add(signs);
}

template <typename T> int64_t unequalOf(const uint8_t *a, const uint8_t *b, int64_t count) {
  int64_t found = 0;
  for (int64_t i = 0; i < count; ++i) {
    T x, y;
    std::memcpy(&x, a + i * sizeof(T), sizeof(T));
    std::memcpy(&y, b + i * sizeof(T), sizeof(T));
    found += x != y;
  }
  return found;
}

int64_t unequal(const uint8_t *a, const uint8_t *b, int64_t count, int64_t size) {
  switch (size) {
  case 1:
    return unequalOf<uint8_t>(a, b, count);
  case 2:
    return unequalOf<uint16_t>(a, b, count);
  case 4:
    return unequalOf<uint32_t>(a, b, count);
  default:
    return unequalOf<uint64_t>(a, b, count);
  }
}

} // namespace

const Kernels kernels{widen, block, unequal};

} // namespace tilesmith::verify::TS_VERIFY_VARIANT
