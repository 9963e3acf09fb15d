// Arithmetic of lanes: what Add, Max, Div, ShiftRight ... compute.
//
// Floats follow IEEE 754 with rounding to nearest even. Integers wrap; division by zero gives zero and the one
// overflowing quotient (minimum / -1) wraps, so no operand can trap. Signed and unsigned share a function wherever the
// bits agree; where they do not, the unsigned one ends in `Unsigned`.
#ifndef TILESMITH_MACHINE_ELEMENT_ARITHMETIC_H
#define TILESMITH_MACHINE_ELEMENT_ARITHMETIC_H

#include "tilesmith/Machine/Element/Lanes.h"

namespace tilesmith::element {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

//===-- Floating point --------------------------------------------------------------------------------------------===//

TS_ELEMENT F32x64 add(F32x64 a, F32x64 b) { return a + b; }
TS_ELEMENT F32x64 sub(F32x64 a, F32x64 b) { return a - b; }
TS_ELEMENT F32x64 mul(F32x64 a, F32x64 b) { return a * b; }
TS_ELEMENT F32x64 div(F32x64 a, F32x64 b) { return a / b; }

// One rounding: a * b + c.
TS_ELEMENT F32x64 fma(F32x64 a, F32x64 b, F32x64 c) { return __builtin_elementwise_fma(a, b, c); }

TS_ELEMENT F32x64 abs(F32x64 x) { return asFloat(asInt(x) & splat(0x7fffffff)); }
TS_ELEMENT F32x64 neg(F32x64 x) { return -x; }

// A NaN operand wins; +0 is larger than -0. Ordering the operands by the sign of `a` makes the hardware's "second
// operand when equal" pick the right zero.
TS_ELEMENT F32x64 max(F32x64 a, F32x64 b) {
  I32x64 negative = asInt(a) < splat(0);
  F32x64 first = select(negative, a, b), second = select(negative, b, a);
  F32x64 larger = select(first > second, first, second);
  return select(first != first, first, larger);
}
TS_ELEMENT F32x64 min(F32x64 a, F32x64 b) {
  I32x64 negative = asInt(a) < splat(0);
  F32x64 first = select(negative, b, a), second = select(negative, a, b);
  F32x64 smaller = select(first < second, first, second);
  return select(first != first, first, smaller);
}

// Negative zero becomes +0, as max(x, +0) does; NaN stays.
TS_ELEMENT F32x64 relu(F32x64 x) { return select(x <= splat(0.0f), splat(0.0f), x); }
TS_ELEMENT F32x64 leakyRelu(F32x64 x, F32x64 slope) { return select(x >= splat(0.0f), x, x * slope); }

//===-- Integers --------------------------------------------------------------------------------------------------===//

TS_ELEMENT I32x64 add(I32x64 a, I32x64 b) { return asSigned(asUnsigned(a) + asUnsigned(b)); }
TS_ELEMENT I32x64 sub(I32x64 a, I32x64 b) { return asSigned(asUnsigned(a) - asUnsigned(b)); }
TS_ELEMENT I32x64 mul(I32x64 a, I32x64 b) { return asSigned(asUnsigned(a) * asUnsigned(b)); }
TS_ELEMENT I32x64 neg(I32x64 x) { return asSigned(-asUnsigned(x)); }
TS_ELEMENT I32x64 abs(I32x64 x) { return select(x < splat(0), neg(x), x); }
TS_ELEMENT I32x64 relu(I32x64 x) { return select(x > splat(0), x, splat(0)); }

TS_ELEMENT I32x64 max(I32x64 a, I32x64 b) { return __builtin_elementwise_max(a, b); }
TS_ELEMENT I32x64 min(I32x64 a, I32x64 b) { return __builtin_elementwise_min(a, b); }
TS_ELEMENT I32x64 maxUnsigned(I32x64 a, I32x64 b) {
  return asSigned(__builtin_elementwise_max(asUnsigned(a), asUnsigned(b)));
}
TS_ELEMENT I32x64 minUnsigned(I32x64 a, I32x64 b) {
  return asSigned(__builtin_elementwise_min(asUnsigned(a), asUnsigned(b)));
}

// Quotients of 32-bit integers through f64 are exact: the rounding error is far below 1/|b|, the smallest distance of
// a fractional quotient from the next integer. Vector division of integers would be 64 scalar instructions.
TS_ELEMENT I32x64 div(I32x64 a, I32x64 b) {
  I32x64 overflows = (a == splat(INT32_MIN)) & (b == splat(-1));
  I32x64 byZero = b == splat(0);
  I32x64 divisor = select(overflows | byZero, splat(1), b);
  F64x64 quotient = __builtin_convertvector(a, F64x64) / __builtin_convertvector(divisor, F64x64);
  return select(byZero, splat(0), __builtin_convertvector(quotient, I32x64));
}
TS_ELEMENT I32x64 divUnsigned(I32x64 a, I32x64 b) {
  I32x64 byZero = b == splat(0);
  U32x64 divisor = asUnsigned(select(byZero, splat(1), b));
  F64x64 quotient = __builtin_convertvector(asUnsigned(a), F64x64) / __builtin_convertvector(divisor, F64x64);
  return select(byZero, splat(0), asSigned(__builtin_convertvector(quotient, U32x64)));
}

TS_ELEMENT I32x64 bitAnd(I32x64 a, I32x64 b) { return a & b; }
TS_ELEMENT I32x64 bitOr(I32x64 a, I32x64 b) { return a | b; }
TS_ELEMENT I32x64 bitXor(I32x64 a, I32x64 b) { return a ^ b; }
TS_ELEMENT I32x64 bitNot(I32x64 x) { return ~x; }

// A shift by 32 or more (or by a negative amount) shifts everything out.
TS_ELEMENT I32x64 shiftLeft(I32x64 x, I32x64 amount) {
  I32x64 inRange = asUnsigned(amount) < (U32x64)32u;
  return select(inRange, asSigned(asUnsigned(x) << (asUnsigned(amount) & (U32x64)31u)), splat(0));
}
TS_ELEMENT I32x64 shiftRight(I32x64 x, I32x64 amount) {
  U32x64 limited = __builtin_elementwise_min(asUnsigned(amount), (U32x64)31u);
  return x >> asSigned(limited);
}
TS_ELEMENT I32x64 shiftRightUnsigned(I32x64 x, I32x64 amount) {
  I32x64 inRange = asUnsigned(amount) < (U32x64)32u;
  return select(inRange, asSigned(asUnsigned(x) >> (asUnsigned(amount) & (U32x64)31u)), splat(0));
}

#pragma clang diagnostic pop

} // namespace tilesmith::element

#endif
