// Cast between element types of at most 32 bits; 64-bit integers are scalar loops at the end.
#include "Variant.h"

namespace tilesmith::machine::TS_EXEC_VARIANT {

namespace {
using el::Round;
using isa::RoundMode;

template <typename To, Round mode> TS_ELEMENT F32x64 narrowed(F32x64 x) {
  if constexpr (TypeInfo<To>::dtype == DType::F16)
    return el::roundF16<mode>(x);
  else if constexpr (TypeInfo<To>::dtype == DType::BF16)
    return el::roundBF16<mode>(x);
  else
    return x;
}

template <typename To, typename From, Round mode> TS_ELEMENT LaneOf<To> convert(LaneOf<From> x) {
  if constexpr (isFloat<From> && !isFloat<To>)
    return el::floatToInt<To, mode>(x);
  else if constexpr (!isFloat<From> && !isFloat<To>)
    return x; // the store keeps the low bits
  else if constexpr (isUnsigned32<From>)
    return narrowed<To, mode>(el::unsignedToFloat(x));
  else if constexpr (!isFloat<From>)
    return narrowed<To, mode>(el::intToFloat<sizeof(From) == 4 ? mode : Round::None>(x));
  else if constexpr (TypeInfo<To>::dtype != TypeInfo<From>::dtype)
    return narrowed<To, mode>(x);
  else if constexpr (mode == Round::None)
    return x;
  else
    return el::roundToIntegral<mode>(x);
}

// Whether the mode can change any result.
template <typename To, typename From> constexpr bool rounds() {
  if (isFloat<From>)
    return !isFloat<To> || sizeof(To) == 2 || TypeInfo<To>::dtype == TypeInfo<From>::dtype;
  return isFloat<To> && sizeof(From) > 1 && (sizeof(From) == 4 || sizeof(To) == 2);
}

template <typename To, typename From, Round mode> void castRows(const Rows &r) {
  eachChunk(r, [&](int64_t row, int64_t column, int64_t count) __attribute__((always_inline)) {
    LaneOf<From> x = el::load<From>(source<From>(r, 0, row, column), count);
    el::storeResult<To>(target<To>(r, row, column), convert<To, From, mode>(x), count);
  });
}

template <typename To, typename From> RowsFn pickMode(RoundMode mode) {
  if constexpr (rounds<To, From>())
    switch (mode) {
    case RoundMode::Rint:
      return onCopy<castRows<To, From, Round::Rint>>;
    case RoundMode::Floor:
      return onCopy<castRows<To, From, Round::Floor>>;
    case RoundMode::Ceil:
      return onCopy<castRows<To, From, Round::Ceil>>;
    case RoundMode::Round:
      return onCopy<castRows<To, From, Round::Away>>;
    case RoundMode::Trunc:
      return onCopy<castRows<To, From, Round::Trunc>>;
    case RoundMode::Odd:
      if constexpr (TypeInfo<From>::dtype == DType::F32 && TypeInfo<To>::dtype == DType::F16)
        return onCopy<castRows<To, From, Round::Odd>>;
      else
        return nullptr;
    case RoundMode::None:
      break;
    }
  return onCopy<castRows<To, From, Round::None>>;
}

template <typename To> RowsFn pickSource(DType from, RoundMode mode) {
  switch (from) {
  case DType::F16:
    return pickMode<To, F16>(mode);
  case DType::BF16:
    return pickMode<To, BF16>(mode);
  case DType::F32:
    return pickMode<To, float>(mode);
  case DType::I8:
    return pickMode<To, int8_t>(mode);
  case DType::I16:
    return pickMode<To, int16_t>(mode);
  case DType::I32:
    return pickMode<To, int32_t>(mode);
  case DType::U8:
    return pickMode<To, uint8_t>(mode);
  case DType::U16:
    return pickMode<To, uint16_t>(mode);
  case DType::U32:
    return pickMode<To, uint32_t>(mode);
  default:
    return nullptr;
  }
}

//===-- 64-bit integers -------------------------------------------------------------------------------------------===//

float integral(float x, int64_t mode) {
  switch (RoundMode(mode)) {
  case RoundMode::Floor:
    return __builtin_floorf(x);
  case RoundMode::Ceil:
    return __builtin_ceilf(x);
  case RoundMode::Round:
    return __builtin_roundf(x);
  case RoundMode::Trunc:
    return __builtin_truncf(x);
  default:
    return __builtin_roundevenf(x);
  }
}

int64_t toI64(float x, int64_t mode) {
  float whole = integral(x, mode);
  if (whole != whole)
    return 0;
  if (whole >= 0x1p+63f)
    return INT64_MAX;
  return whole < -0x1p+63f ? INT64_MIN : int64_t(whole);
}

template <typename To, typename From> void castRows64(const Rows &r) {
  for (int64_t row = 0; row < r.rows; ++row)
    for (int64_t column = 0; column < r.cols; ++column) {
      From x;
      __builtin_memcpy(&x, source<From>(r, 0, row, column), sizeof(From));
      To y;
      if constexpr (From(0.5f) != From(0)) // from float
        y = To(toI64(x, r.mode));
      else
        y = To(x);
      __builtin_memcpy(target<To>(r, row, column), &y, sizeof(To));
    }
}

RowsFn pick64(DType to, DType from) {
  bool to64 = to == DType::I64 || to == DType::U64, from64 = from == DType::I64 || from == DType::U64;
  if (to64 && from64)
    return castRows64<int64_t, int64_t>;
  if (to64)
    switch (from) {
    case DType::F32:
      return castRows64<int64_t, float>;
    case DType::I32:
      return castRows64<int64_t, int32_t>;
    case DType::U32:
      return castRows64<int64_t, uint32_t>;
    default:
      return nullptr;
    }
  if (from == DType::I64 && to == DType::F32)
    return castRows64<float, int64_t>;
  if (from64 && (to == DType::I32 || to == DType::U32))
    return castRows64<int32_t, int64_t>;
  return nullptr;
}
} // namespace

RowsFn castKernel(DType to, DType from, RoundMode mode) {
  switch (to) {
  case DType::F16:
    return pickSource<F16>(from, mode);
  case DType::BF16:
    return pickSource<BF16>(from, mode);
  case DType::F32:
    if (from == DType::I64)
      return pick64(to, from);
    return pickSource<float>(from, mode);
  case DType::I8:
    return pickSource<int8_t>(from, mode);
  case DType::I16:
    return pickSource<int16_t>(from, mode);
  case DType::I32:
  case DType::U32:
    if (from == DType::I64 || from == DType::U64)
      return pick64(to, from);
    return to == DType::I32 ? pickSource<int32_t>(from, mode) : pickSource<uint32_t>(from, mode);
  case DType::U8:
    return pickSource<uint8_t>(from, mode);
  case DType::U16:
    return pickSource<uint16_t>(from, mode);
  case DType::I64:
  case DType::U64:
    return pick64(to, from);
  default:
    return nullptr;
  }
}

} // namespace tilesmith::machine::TS_EXEC_VARIANT
