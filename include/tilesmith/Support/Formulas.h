// Functions of f32 elements as sequences of basic operations.
//
// A formula is written once, over a builder: tiles of the compiler (Transforms/TileBuilder.h) and the library of the
// Machine (lib/Machine/Library) both use it, so a function has the same bits wherever it is called. A builder has
//   Value, add, sub, mul, div, min, max, abs, exp, log, sqrt, relu, floor, lt, gt, ge, eq, both, either, no, select
// where the second operand of a binary operation, the first of div, and the operands of select may be numbers.
#ifndef TILESMITH_SUPPORT_FORMULAS_H
#define TILESMITH_SUPPORT_FORMULAS_H

#include <initializer_list>
#include <limits>
#include <utility>

namespace tilesmith::formulas {

template <typename B> using Of = typename B::Value;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
inline constexpr double ln2 = 0.693147180559945309417;
inline constexpr double inversePi = 0.318309886183790671538;

// a[0] + a[1] x + a[2] x^2 + ...
template <typename B> Of<B> polynomial(B &t, Of<B> x, std::initializer_list<double> a) {
  const double *last = a.end() - 1;
  Of<B> sum = t.add(t.mul(x, *last), last[-1]);
  for (const double *c = last - 2; c >= a.begin(); --c)
    sum = t.add(t.mul(sum, x), *c);
  return sum;
}

template <typename B> Of<B> negate(B &t, Of<B> x) { return t.mul(x, -1.0); }
// `size` with the sign of x: never of a zero.
template <typename B> Of<B> withSign(B &t, Of<B> x, Of<B> size) {
  return t.select(t.lt(x, 0.0), size, negate(t, size));
}

// log(1 - erf(t)) / t is smooth, so the error of erf near 1 is that of the last rounding alone and 1 + erf(x) stays
// usable for negative x (GELU). Fitted for the smallest error of erf; 1.1e-7 absolute, 1.9e-7 relative in f32
// arithmetic. Of 0 <= size <= 4: from 4 on erf is 1.
template <typename B> Of<B> erfExponent(B &t, Of<B> size) {
  return t.mul(polynomial(t, size,
                          {-1.1284571886062622, -0.6360421180725098, -0.10455398261547089, 0.022114865481853485,
                           -0.002763175405561924, 8.041876571951434e-05, 1.570425956742838e-05}),
               size);
}

// Near 0 an odd polynomial, elsewhere 1 - exp(t P(t)).
template <typename B> Of<B> erf(B &t, Of<B> x) {
  Of<B> square = t.mul(x, x);
  Of<B> near = t.mul(polynomial(t, square,
                                {1.1283791065216064, -0.37612608075141907, 0.11282822489738464, -0.02675718255341053,
                                 0.00471798749640584}),
                     x);
  Of<B> size = t.min(t.abs(x), 4.0);
  Of<B> below = t.add(t.exp(erfExponent(t, size)), -1.0);
  Of<B> far = withSign(t, x, below);
  return t.select(t.lt(size, 0.5), near, far);
}

// Near 0 an odd polynomial, fitted for the smallest relative error, elsewhere 1 - 2 / (exp(2|x|) + 1): 1.8e-7 relative
// in f32 arithmetic, and near 1 the last rounding alone.
template <typename B> Of<B> tanh(B &t, Of<B> x) {
  Of<B> square = t.mul(x, x);
  Of<B> p =
      polynomial(t, square, {-0.3333294689655304, 0.13320724666118622, -0.05267180874943733, 0.016437575221061707});
  Of<B> near = t.add(t.mul(t.mul(p, square), x), x);
  Of<B> size = t.abs(x);
  Of<B> quotient = t.div(2.0, t.add(t.exp(t.mul(size, 2.0)), 1.0));
  Of<B> below = t.add(quotient, -1.0);
  Of<B> far = withSign(t, x, below);
  return t.select(t.lt(size, 0.55), near, far);
}

// Nearest integer for |x| < 2^22: at this size the lowest bit of a float is 1.
template <typename B> Of<B> nearest(B &t, Of<B> x) { return t.add(t.add(x, 12582912.0), -12582912.0); }

// The argument of a periodic function, NaN from 2^16 on: beyond, the pieces of pi below are too short to say where in
// its period x is. Times 2^112 such an x is infinite, and 0 times infinity is NaN.
template <typename B> Of<B> inPeriodicDomain(B &t, Of<B> x) { return t.add(x, t.mul(t.mul(x, 0x1p+112), 0.0)); }

// x - k * pi * scale. The first three pieces of pi have 8 bits: their products with a k of 16 bits are exact and so are
// the differences, and what is left near a zero or pole is right in all its bits.
template <typename B> Of<B> reduceByPi(B &t, Of<B> x, Of<B> k, double scale) {
  for (double piece : {3.140625, 0.00096893310546875, -1.2814998626708984e-06, 1.984187159361081e-09})
    x = t.add(x, t.mul(k, -piece * scale));
  return x;
}

// 0 for even k, 1/2 for odd k.
template <typename B> Of<B> halfParity(B &t, Of<B> k) {
  Of<B> half = t.mul(k, 0.5);
  return t.sub(half, t.floor(half));
}

// sin(x) on [-pi/2, pi/2].
template <typename B> Of<B> sinNearZero(B &t, Of<B> x) {
  Of<B> square = t.mul(x, x);
  Of<B> p = polynomial(t, square,
                       {-0.166666597127914428710938, 0.00833307858556509017944336, -0.0001981069071916663322258,
                        2.6083159809786593541503e-06});
  return t.add(t.mul(t.mul(p, square), x), x);
}

template <typename B> Of<B> sin(B &t, Of<B> x) {
  x = inPeriodicDomain(t, x);
  Of<B> k = nearest(t, t.mul(x, inversePi));
  Of<B> sign = t.add(t.mul(halfParity(t, k), -4.0), 1.0);
  return t.mul(sinNearZero(t, reduceByPi(t, x, k, 1)), sign);
}

// cos(x) = -(-1)^k sin(x - (k + 1/2) pi).
template <typename B> Of<B> cos(B &t, Of<B> x) {
  x = inPeriodicDomain(t, x);
  Of<B> k = nearest(t, t.add(t.mul(x, inversePi), -0.5));
  Of<B> sign = t.add(t.mul(halfParity(t, k), 4.0), -1.0);
  return t.mul(sinNearZero(t, reduceByPi(t, x, t.add(k, 0.5), 1)), sign);
}

// tan(x - k pi/2), or its negative reciprocal for odd k.
template <typename B> Of<B> tan(B &t, Of<B> x) {
  x = inPeriodicDomain(t, x);
  Of<B> k = nearest(t, t.mul(x, 2 * inversePi));
  Of<B> r = reduceByPi(t, x, k, 0.5);
  Of<B> square = t.mul(r, r);
  Of<B> p = polynomial(t, square,
                       {0.333331853151321411132812, 0.133383005857467651367188, 0.0534495301544666290283203,
                        0.0242998078465461730957031, 0.00331984995864331722259521, 0.00927245803177356719970703});
  Of<B> near = t.add(t.mul(t.mul(p, square), r), r);
  Of<B> odd = t.gt(halfParity(t, k), 0.25);
  return t.select(odd, t.div(-1.0, near), near);
}

// exp(x) / 2, finite wherever sinh and cosh are.
template <typename B> Of<B> halfExp(B &t, Of<B> x) { return t.exp(t.add(x, -ln2)); }

template <typename B> Of<B> cosh(B &t, Of<B> x) {
  Of<B> up = halfExp(t, x);
  return t.add(up, halfExp(t, negate(t, x)));
}

template <typename B> Of<B> sinh(B &t, Of<B> x) {
  Of<B> up = halfExp(t, x);
  Of<B> far = t.sub(up, halfExp(t, negate(t, x)));
  Of<B> square = t.mul(x, x);
  Of<B> p = polynomial(t, square, {1.0 / 6, 1.0 / 120, 1.0 / 5040});
  Of<B> near = t.add(t.mul(t.mul(p, square), x), x);
  return t.select(t.lt(square, 0.25), near, far);
}

// log(u) of the rounded u = 1 + x, times how far u is from x: what rounding took away is made good.
template <typename B> Of<B> log1p(B &t, Of<B> x) {
  Of<B> u = t.add(x, 1.0), grown = t.add(u, -1.0), log = t.log(u);
  Of<B> near = t.select(t.eq(grown, 0.0), x, t.mul(t.div(log, grown), x));
  return t.select(t.lt(t.abs(x), 0.5), near, log);
}

// The same the other way around.
template <typename B> Of<B> expm1(B &t, Of<B> x) {
  Of<B> u = t.exp(x), grown = t.add(u, -1.0);
  Of<B> near = t.select(t.eq(grown, 0.0), x, t.mul(t.div(grown, t.log(u)), x));
  return t.select(t.lt(t.abs(x), 0.5), near, grown);
}

template <typename B> Of<B> onePlusExp(B &t, Of<B> x) { return t.add(t.exp(negate(t, x)), 1.0); }
template <typename B> Of<B> sigmoid(B &t, Of<B> x) { return t.div(1.0, onePlusExp(t, x)); }
template <typename B> Of<B> silu(B &t, Of<B> x) { return t.div(x, onePlusExp(t, x)); }

// max(x, 0) + log(1 + exp(-|x|)): nothing overflows.
template <typename B> Of<B> softplus(B &t, Of<B> x) {
  Of<B> rest = log1p(t, t.exp(negate(t, t.abs(x))));
  return t.add(t.relu(x), rest);
}

// x (1 - erfc(x / sqrt(2)) / 2), and for negative x, where that would cancel, x erfc(-x / sqrt(2)) / 2.
template <typename B> Of<B> gelu(B &t, Of<B> x) {
  Of<B> scaled = t.mul(t.abs(x), 0.70710678118654752440);
  Of<B> size = t.min(scaled, 4.0);
  Of<B> half = t.mul(t.exp(erfExponent(t, size)), 0.5);
  half = t.select(t.lt(scaled, 4.0), half, 0.0);
  Of<B> rest = t.add(negate(t, half), 1.0);
  Of<B> y = t.mul(x, t.select(t.lt(x, 0.0), half, rest));
  return t.select(t.eq(x, x), y, x); // NaN is not below 4
}

// x - trunc(x / y) y, with the sign of x. Exact while the quotient is below 2^22, NaN beyond.
//
// Operands are scaled so that nothing overflows. The quotient and the divisor are cut into halves of 11 and 12 bits:
// their products are exact, and so are the differences in this order. The quotient may be one off, as the division
// rounds; that is put right at the end.
template <typename B> Of<B> remainder(B &t, Of<B> x, Of<B> y) {
  constexpr double mostQuotient = 0x1p+22, half = 0x1p+11, splitter = 4097;
  Of<B> a = t.abs(x), b = t.abs(y);
  Of<B> isLarge = t.gt(b, 1.0);
  Of<B> scale = t.select(isLarge, 0x1p-32, 0x1p+32);
  Of<B> back = t.select(isLarge, 0x1p+32, 0x1p-32);
  Of<B> left = t.mul(a, scale), right = t.mul(b, scale);
  Of<B> quotient = t.floor(t.div(left, right));
  Of<B> high = t.mul(t.floor(t.mul(quotient, 1 / half)), half), low = t.sub(quotient, high);
  Of<B> wide = t.mul(right, splitter), top = t.sub(wide, t.sub(wide, right)), bottom = t.sub(right, top);
  Of<B> rest = left;
  for (auto [q, d] : {std::pair(high, top), {high, bottom}, {low, top}, {low, bottom}})
    rest = t.sub(rest, t.mul(q, d));
  rest = t.select(t.lt(rest, 0.0), t.add(rest, right), rest);
  rest = t.select(t.ge(rest, right), t.sub(rest, right), rest);
  rest = t.mul(rest, back);
  rest = t.select(t.lt(x, 0.0), negate(t, rest), rest);
  rest = t.select(t.lt(quotient, mostQuotient), rest, notANumber);
  return t.select(t.lt(a, b), x, rest);
}

// exp(y log|x|), whose error grows with the logarithm of the result (1e-5 at the ends of f32), with the special cases
// of C.
template <typename B> Of<B> power(B &t, Of<B> x, Of<B> y) {
  Of<B> size = t.exp(t.mul(t.log(t.abs(x)), y));
  // Whether y is an odd integer, an integer; whether x is negative, -0 included.
  Of<B> halves = t.mul(y, 0.5);
  Of<B> isOdd = t.eq(t.sub(halves, t.floor(halves)), 0.5);
  Of<B> isWhole = t.eq(t.floor(y), y);
  Of<B> isNegative = t.either(t.lt(x, 0.0), t.lt(t.div(1.0, x), 0.0));
  Of<B> result = t.select(t.both(isNegative, isOdd), negate(t, size), size);
  Of<B> isFiniteNegative = t.both(t.lt(x, 0.0), t.gt(x, -infinity));
  Of<B> isRoot = t.both(isFiniteNegative, t.no(isWhole));
  result = t.select(isRoot, notANumber, result);
  // |x| of 1 has a logarithm of 0, which an infinite y makes a NaN.
  Of<B> isUnit = t.both(t.eq(x, -1.0), t.eq(t.abs(y), infinity));
  Of<B> isOne = t.either(t.either(t.eq(x, 1.0), t.eq(y, 0.0)), isUnit);
  return t.select(isOne, 1.0, result);
}

} // namespace tilesmith::formulas

#endif // TILESMITH_SUPPORT_FORMULAS_H
