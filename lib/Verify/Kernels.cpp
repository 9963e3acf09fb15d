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

// |a - g| over the size of g.
inline F32 relOf(F32 difference, F32 g, float threshold) {
  return __builtin_elementwise_abs(difference) /
         __builtin_elementwise_max(__builtin_elementwise_abs(g), F32(threshold));
}

// 16 elements as float32, straight from their bytes. Elements past `left` are 0.
struct LoadF32 {
  static constexpr int64_t size = 4;
  static F32 load(const uint8_t *p, int64_t left) {
    F32 wide = 0.0f;
    std::memcpy(&wide, p, size_t(left * size));
    return wide;
  }
};
struct LoadF16 {
  static constexpr int64_t size = 2;
  static F32 load(const uint8_t *p, int64_t left) {
    using Half = _Float16 __attribute__((ext_vector_type(kLanes)));
    Half narrow = _Float16(0);
    std::memcpy(&narrow, p, size_t(left * size));
    return __builtin_convertvector(narrow, F32);
  }
};
struct LoadBF16 {
  static constexpr int64_t size = 2;
  static F32 load(const uint8_t *p, int64_t left) {
    using Bits = uint16_t __attribute__((ext_vector_type(kLanes)));
    Bits narrow = uint16_t(0);
    std::memcpy(&narrow, p, size_t(left * size));
    return (F32)(__builtin_convertvector(narrow, I32) << 16);
  }
};

struct Totals {
  F64 sum;
  F32 max;
  I32 nans = 0, infs = 0, signs = 0;
  int64_t finite = 0;
};

// The difference of two numbers is finite only if both are; one that overflows is merely looked at carefully.
inline bool allFinite(F32 first, F32 second) {
  const I32 magnitude = 0x7FFFFFFF;
  I32 larger = __builtin_elementwise_max((I32)first & magnitude, (I32)second & magnitude);
  return __builtin_reduce_or(larger >= 0x7F800000) == 0;
}

inline void add(F32 rel, Totals &totals) {
  totals.sum += __builtin_convertvector(rel, F64);
  totals.max = __builtin_elementwise_max(totals.max, rel);
}

// Any 16 places, of which those `inside` count.
__attribute__((noinline)) void stepCarefully(F32 a, F32 g, I32 inside, float threshold, Totals &totals) {
  const I32 magnitude = 0x7FFFFFFF, infinity = 0x7F800000;
  I32 bitsA = (I32)a, bitsG = (I32)g;
  I32 sizeA = bitsA & magnitude, sizeG = bitsG & magnitude;
  I32 valid = (sizeA < infinity) & (sizeG < infinity) & inside;
  I32 infA = sizeA == infinity, infG = sizeG == infinity;
  totals.nans += ((sizeA > infinity) ^ (sizeG > infinity)) & 1;
  totals.infs += (infA ^ infG) & 1;
  totals.signs += infA & infG & ((bitsA ^ bitsG) >> 31) & 1;
  totals.finite -= __builtin_reduce_add(valid);
  add(valid ? relOf(a - g, g, threshold) : F32(0.0f), totals);
}

template <typename Load>
void blockOf(const uint8_t *candidate, const uint8_t *golden, int64_t count, float threshold, Lanes &lanes) {
  Totals totals;
  std::memcpy(&totals.sum, lanes.sum, sizeof(totals.sum));
  std::memcpy(&totals.max, lanes.max, sizeof(totals.max));
  int64_t i = 0;
  auto side = [](const uint8_t *bytes, int64_t at) { return Load::load(bytes + at * Load::size, kLanes); };
  for (; i + 2 * kLanes <= count; i += 2 * kLanes) { // two at a time: one question for both
    F32 a0 = side(candidate, i), g0 = side(golden, i);
    F32 a1 = side(candidate, i + kLanes), g1 = side(golden, i + kLanes);
    F32 d0 = a0 - g0, d1 = a1 - g1;
    if (__builtin_expect(allFinite(d0, d1), true)) { // as nearly all are
      totals.finite += 2 * kLanes;
      add(relOf(d0, g0, threshold), totals);
      add(relOf(d1, g1, threshold), totals);
    } else {
      stepCarefully(a0, g0, -1, threshold, totals);
      stepCarefully(a1, g1, -1, threshold, totals);
    }
  }
  for (; i + kLanes <= count; i += kLanes)
    stepCarefully(side(candidate, i), side(golden, i), -1, threshold, totals);
  if (int64_t left = count - i) {
    I32 inside = 0;
    for (int64_t lane = 0; lane < left; ++lane)
      inside[lane] = -1;
    stepCarefully(Load::load(candidate + i * Load::size, left), Load::load(golden + i * Load::size, left), inside,
                  threshold, totals);
  }
  std::memcpy(lanes.sum, &totals.sum, sizeof(totals.sum));
  std::memcpy(lanes.max, &totals.max, sizeof(totals.max));
  lanes.finite += totals.finite;
  lanes.nanPlaces += __builtin_reduce_add(totals.nans);
  lanes.infPlaces += __builtin_reduce_add(totals.infs);
  lanes.infSigns += __builtin_reduce_add(totals.signs);
}

void block(const float *candidate, const float *golden, int64_t count, float threshold, Lanes &lanes) {
  blockOf<LoadF32>(reinterpret_cast<const uint8_t *>(candidate), reinterpret_cast<const uint8_t *>(golden), count,
                   threshold, lanes);
}

bool direct(DType dtype, const uint8_t *candidate, const uint8_t *golden, int64_t count, float threshold,
            Lanes &lanes) {
  switch (dtype) {
  case DType::F16:
    return blockOf<LoadF16>(candidate, golden, count, threshold, lanes), true;
  case DType::BF16:
    return blockOf<LoadBF16>(candidate, golden, count, threshold, lanes), true;
  case DType::F32:
  case DType::C64:
    return blockOf<LoadF32>(candidate, golden, count, threshold, lanes), true;
  default:
    return false;
  }
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

const Kernels kernels{widen, block, direct, unequal};

} // namespace tilesmith::verify::TS_VERIFY_VARIANT
