// Functions of lanes: exp, ln, roots, reciprocals.
//
// exp and ln are polynomials after range reduction, without tables or branches, correct within 1 ulp over the whole
// range including subnormal arguments and results (measured over all floats: unittests/Machine/ElementTest.cpp).
// Square root and division are the exactly rounded ones; rsqrt and reciprocal are built from them.
#ifndef TILESMITH_MACHINE_ELEMENT_MATH_H
#define TILESMITH_MACHINE_ELEMENT_MATH_H

#include "tilesmith/Machine/Element/Arithmetic.h"

namespace tilesmith::element {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

TS_ELEMENT F32x64 sqrt(F32x64 x) { return __builtin_elementwise_sqrt(x); }
TS_ELEMENT F32x64 reciprocal(F32x64 x) { return splat(1.0f) / x; }
TS_ELEMENT F32x64 rsqrt(F32x64 x) { return splat(1.0f) / sqrt(x); }

// exp(x) = 2^n exp(r), n the integer nearest to x / ln 2, |r| <= ln 2 / 2, exp(r) = 1 + r + r^2 q(r) with q a minimax
// polynomial of degree 4 (error 0.06 ulp). 2^n is applied in two halves: its exponent alone may leave the normal range,
// and one rounding in the last product is what a subnormal result needs.
TS_ELEMENT F32x64 exp(F32x64 x) {
  // Beyond these bounds the result is infinity or zero anyway. A NaN fails both comparisons and stays.
  x = select(x > splat(89.0f), splat(89.0f), x);
  x = select(x < splat(-104.0f), splat(-104.0f), x);

  // Adding 1.5 * 2^23 leaves the nearest integer in the low mantissa bits.
  F32x64 shifted = fma(x, splat(0x1.715476p+0f), splat(0x1.8p+23f));
  F32x64 n = shifted - splat(0x1.8p+23f);
  F32x64 r = fma(n, splat(-0x1.62e430p-1f), x);
  r = fma(n, splat(0x1.05c610p-29f), r);

  F32x64 q = splat(0x1.6a1a76p-10f);
  q = fma(q, r, splat(0x1.123fc6p-7f));
  q = fma(q, r, splat(0x1.555916p-5f));
  q = fma(q, r, splat(0x1.55548ap-3f));
  q = fma(q, r, splat(0x1.fffffcp-2f));
  // What 1 + r loses goes into the small part.
  F32x64 sum = splat(1.0f) + r;
  F32x64 lost = r - (sum - splat(1.0f));
  F32x64 y = sum + fma(r * r, q, lost);

  // n sits below bits that the shifts drop.
  U32x64 bits = asUnsigned(asInt(shifted));
  U32x64 scaleHalf = (bits >> 1 << 23) + (U32x64)0x3f800000u;
  U32x64 scaleRest = (bits << 23) + (U32x64)0x7f000000u - scaleHalf;
  return y * asFloat(asSigned(scaleHalf)) * asFloat(asSigned(scaleRest));
}

// ln(x) = e ln 2 + ln(1 + f), x = 2^e (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), ln(1 + f) = f - f^2/2 + f^3 p(f) with p a
// minimax polynomial of degree 7 (error 0.1 ulp).
TS_ELEMENT F32x64 ln(F32x64 x) {
  I32x64 subnormal = x < splat(0x1p-126f);
  F32x64 scaled = select(subnormal, x * splat(0x1p+23f), x);

  // Subtracting sqrt(1/2) before taking the exponent field puts the mantissa into the interval above.
  U32x64 offset = asUnsigned(asInt(scaled)) - (U32x64)0x3f3504f3u;
  I32x64 e = asSigned(offset) >> 23;
  F32x64 m = asFloat(asSigned((offset & (U32x64)0x007fffffu) + (U32x64)0x3f3504f3u));
  F32x64 exponent = __builtin_convertvector(e, F32x64) - select(subnormal, splat(23.0f), splat(0.0f));
  F32x64 f = m - splat(1.0f);

  F32x64 p = splat(-0x1.38c09cp-4f);
  p = fma(p, f, splat(0x1.055baap-3f));
  p = fma(p, f, splat(-0x1.0d8302p-3f));
  p = fma(p, f, splat(0x1.22d9e4p-3f));
  p = fma(p, f, splat(-0x1.547282p-3f));
  p = fma(p, f, splat(0x1.99a00ep-3f));
  p = fma(p, f, splat(-0x1.000226p-2f));
  p = fma(p, f, splat(0x1.555554p-2f));
  p = fma(p, f, splat(-0.5f));

  // e ln2 = e (hi + lo) with e hi exact; the parts are added from small to large.
  F32x64 tail = fma(f * f, p, exponent * splat(0x1.7f7d1cp-20f));
  F32x64 y = fma(exponent, splat(0x1.62e400p-1f), f + tail);

  // ln(0) = -inf, ln(+inf) = +inf, ln of a negative number and of NaN is NaN.
  y = select(x == splat(0.0f), splat(-__builtin_inff()), y);
  y = select(x == splat(__builtin_inff()), x, y);
  return select((x >= splat(0.0f)), y, splat(__builtin_nanf("")));
}

// Rounding to an integral value, as a float.
TS_ELEMENT F32x64 roundEven(F32x64 x) { return __builtin_elementwise_roundeven(x); }
TS_ELEMENT F32x64 floor(F32x64 x) { return __builtin_elementwise_floor(x); }
TS_ELEMENT F32x64 ceil(F32x64 x) { return __builtin_elementwise_ceil(x); }
TS_ELEMENT F32x64 trunc(F32x64 x) { return __builtin_elementwise_trunc(x); }
// Halves away from zero. x - trunc(x) is exact.
TS_ELEMENT F32x64 roundAway(F32x64 x) {
  F32x64 whole = trunc(x);
  I32x64 sign = asInt(x) & splat(INT32_MIN);
  F32x64 step = asFloat(asInt(splat(1.0f)) | sign);
  return select(abs(x - whole) >= splat(0.5f), whole + step, whole);
}

#pragma clang diagnostic pop

} // namespace tilesmith::element

#endif
