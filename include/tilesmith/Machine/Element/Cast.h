// Casts between lane types, with the rounding modes of Ascend C's Cast.
//
// Float to integer saturates and turns NaN into 0. Integer to narrower integer keeps the low bits (element::wrapI8 and
// friends, or the truncating store). Float to f16/bf16 overflows to infinity where the mode rounds outwards, to the
// largest finite number where it rounds inwards.
#ifndef TILESMITH_MACHINE_ELEMENT_CAST_H
#define TILESMITH_MACHINE_ELEMENT_CAST_H

#include "tilesmith/Machine/Element/Math.h"

namespace tilesmith::element {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

// The numbering of Ascend C's RoundMode.
enum class Round : int64_t { None = 0, Rint = 1, Floor = 2, Ceil = 3, Away = 4, Trunc = 5, Odd = 6 };

// To an integral float. None means "exact or nearest even".
template <Round mode> TS_ELEMENT F32x64 roundToIntegral(F32x64 x) {
  if constexpr (mode == Round::Floor)
    return floor(x);
  else if constexpr (mode == Round::Ceil)
    return ceil(x);
  else if constexpr (mode == Round::Away)
    return roundAway(x);
  else if constexpr (mode == Round::Trunc)
    return trunc(x);
  else
    return roundEven(x);
}

//===-- Float to integer ------------------------------------------------------------------------------------------===//

// `x` is integral (or NaN, or infinite). Lanes that do not fit are replaced before the conversion, which would
// otherwise be undefined.
TS_ELEMENT I32x64 saturateToI32(F32x64 x) {
  I32x64 tooLarge = x >= splat(0x1p+31f);
  I32x64 tooSmall = x < splat(-0x1p+31f);
  I32x64 isNaN = x != x;
  F32x64 safe = select(tooLarge | tooSmall | isNaN, splat(0.0f), x);
  I32x64 y = __builtin_convertvector(safe, I32x64);
  y = select(tooLarge, splat(INT32_MAX), y);
  return select(tooSmall, splat(INT32_MIN), y);
}
TS_ELEMENT I32x64 saturateToU32(F32x64 x) {
  I32x64 tooLarge = x >= splat(0x1p+32f);
  I32x64 fits = (x >= splat(0.0f)) & ~tooLarge;
  F32x64 safe = select(fits, x, splat(0.0f));
  // Halves of the range are converted apart: AVX2 only knows the signed conversion.
  I32x64 upper = safe >= splat(0x1p+31f);
  F32x64 reduced = select(upper, safe - splat(0x1p+31f), safe);
  I32x64 y = __builtin_convertvector(reduced, I32x64) ^ (upper & splat(INT32_MIN));
  return select(tooLarge, splat(-1), y);
}
TS_ELEMENT I32x64 clampTo(I32x64 x, int32_t low, int32_t high) { return min(max(x, splat(low)), splat(high)); }

// T is the integer type of the result.
template <typename T, Round mode> TS_ELEMENT I32x64 floatToInt(F32x64 x) {
  F32x64 whole = roundToIntegral<mode>(x);
  if constexpr (sizeof(T) == 4 && T(-1) > T(0))
    return saturateToU32(whole);
  else if constexpr (sizeof(T) == 4)
    return saturateToI32(whole);
  else if constexpr (T(-1) > T(0))
    return clampTo(saturateToI32(whole), 0, T(-1));
  else
    return clampTo(saturateToI32(whole), -(1 << (8 * sizeof(T) - 1)), (1 << (8 * sizeof(T) - 1)) - 1);
}

//===-- Integer to float ------------------------------------------------------------------------------------------===//

// One step of an ulp away from or towards zero; x is finite and not zero.
TS_ELEMENT F32x64 oneUlpUp(F32x64 x) { return asFloat(asInt(x) + select(asInt(x) < splat(0), splat(-1), splat(1))); }
TS_ELEMENT F32x64 oneUlpDown(F32x64 x) { return asFloat(asInt(x) - select(asInt(x) < splat(0), splat(-1), splat(1))); }

TS_ELEMENT F32x64 intToFloat(I32x64 x) { return __builtin_convertvector(x, F32x64); }
TS_ELEMENT F32x64 unsignedToFloat(I32x64 x) { return __builtin_convertvector(asUnsigned(x), F32x64); }

// i32 to f32 in the other modes: the nearest value is corrected by the sign of what was lost.
template <Round mode> TS_ELEMENT F32x64 intToFloat(I32x64 x) {
  F32x64 nearest = intToFloat(x);
  if constexpr (mode == Round::None || mode == Round::Rint || mode == Round::Odd)
    return nearest;
  else {
    // 2^31 does not come back, but is always above x.
    I32x64 isTop = nearest == splat(0x1p+31f);
    I32x64 back = __builtin_convertvector(select(isTop, splat(0.0f), nearest), I32x64);
    I32x64 lost = select(isTop, splat(-1), sub(x, back));
    I32x64 negative = x < splat(0);
    if constexpr (mode == Round::Floor)
      return select(lost < splat(0), oneUlpDown(nearest), nearest);
    else if constexpr (mode == Round::Ceil)
      return select(lost > splat(0), oneUlpUp(nearest), nearest);
    else if constexpr (mode == Round::Trunc) {
      I32x64 outward = select(negative, lost > splat(0), lost < splat(0));
      return select(outward, asFloat(asInt(nearest) - splat(1)), nearest);
    } else {
      // A tie was rounded towards zero when the same distance leads outwards to the next float.
      F32x64 outer = asFloat(asInt(nearest) + splat(1));
      I32x64 outerTop = abs(outer) == splat(0x1p+31f);
      I32x64 outerInt = __builtin_convertvector(select(outerTop, splat(0.0f), outer), I32x64);
      I32x64 toOuter = sub(select(outerTop, splat(INT32_MIN), outerInt), x);
      I32x64 tie = (lost == toOuter) & (lost != splat(0)) & ~isTop;
      return select(tie, outer, nearest);
    }
  }
}

//===-- f32 to f16 and bf16 ---------------------------------------------------------------------------------------===//

// Narrow floats are handled as integers in magnitude order: t is the result rounded towards zero, t + 1 the next one
// away from zero (infinity after the largest finite number).
namespace detail {
TS_ELEMENT I32x64 toF16Bits(F32x64 x) { return __builtin_convertvector((Lanes<uint16_t>)toHalves<F16x64>(x), I32x64); }
TS_ELEMENT F32x64 fromF16Bits(I32x64 bits) {
  return fromHalves<F32x64>((F16x64) __builtin_convertvector(bits, Lanes<uint16_t>));
}
TS_ELEMENT I32x64 toBF16Bits(F32x64 x) { return asSigned(bf16InUpperHalf(x) >> 16); }
TS_ELEMENT F32x64 fromBF16Bits(I32x64 bits) { return asFloat(bits << 16); }

template <Round mode, bool isF16> TS_ELEMENT F32x64 roundNarrow(F32x64 x) {
  F32x64 size = abs(x);
  I32x64 nearest = isF16 ? toF16Bits(size) : toBF16Bits(size);
  F32x64 nearestValue = isF16 ? fromF16Bits(nearest) : fromBF16Bits(nearest);
  I32x64 inexact = nearestValue != size;
  I32x64 truncated = nearest + (nearestValue > size);
  I32x64 outward = truncated - inexact;
  I32x64 negative = asInt(x) < splat(0);
  I32x64 bits;
  if constexpr (mode == Round::Trunc)
    bits = truncated;
  else if constexpr (mode == Round::Floor)
    bits = select(negative, outward, truncated);
  else if constexpr (mode == Round::Ceil)
    bits = select(negative, truncated, outward);
  else if constexpr (mode == Round::Odd)
    bits = select(inexact, truncated | splat(1), truncated);
  else {
    // Ties away from zero. Beyond the largest finite number the next step counts as if the range went on.
    F32x64 low = isF16 ? fromF16Bits(truncated) : fromBF16Bits(truncated);
    F32x64 high = isF16 ? fromF16Bits(outward) : fromBF16Bits(outward);
    I32x64 largest = truncated == splat(isF16 ? 0x7bff : 0x7f7f);
    F32x64 step = select(largest, splat(isF16 ? 0x1p+5f : 0x1p+120f), high - low);
    bits = select(size - low >= step * splat(0.5f), outward, truncated);
  }
  F32x64 value = isF16 ? fromF16Bits(bits) : fromBF16Bits(bits);
  value = asFloat(asInt(value) | (asInt(x) & splat(INT32_MIN)));
  return select(x != x, isF16 ? roundF16(x) : roundBF16(x), value);
}
} // namespace detail

template <Round mode> TS_ELEMENT F32x64 roundF16(F32x64 x) {
  if constexpr (mode == Round::None || mode == Round::Rint)
    return roundF16(x);
  else
    return detail::roundNarrow<mode, true>(x);
}
template <Round mode> TS_ELEMENT F32x64 roundBF16(F32x64 x) {
  if constexpr (mode == Round::None || mode == Round::Rint)
    return roundBF16(x);
  else
    return detail::roundNarrow<mode, false>(x);
}

#pragma clang diagnostic pop

} // namespace tilesmith::element

#endif
