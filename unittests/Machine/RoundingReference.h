// Rounding by comparing with neighbours, in double arithmetic: the reference for casts and half types.
#ifndef TILESMITH_UNITTESTS_MACHINE_ROUNDINGREFERENCE_H
#define TILESMITH_UNITTESTS_MACHINE_ROUNDINGREFERENCE_H

#include <cmath>
#include <limits>
#include <string_view>

namespace tilesmith::unittests {

// Rounds a finite value to a format by comparing with its neighbours; `mantissa` explicit bits, exponents from
// `minExponent` (of the smallest normal) to `maxExponent`.
inline float roundReference(float x, int mantissa, int minExponent, int maxExponent, std::string_view mode) {
  if (std::isnan(x) || std::isinf(x) || x == 0)
    return x;
  double size = std::fabs(static_cast<double>(x));
  int exponent = std::max(std::ilogb(size), minExponent);
  double ulp = std::ldexp(1.0, exponent - mantissa);
  double units = size / ulp, low = std::floor(units), rest = units - low;
  bool negative = std::signbit(x), odd = std::fmod(low, 2) != 0, up = false;
  if (mode == "Rint")
    up = rest > 0.5 || (rest == 0.5 && odd);
  else if (mode == "Away")
    up = rest >= 0.5;
  else if (mode == "Floor")
    up = negative && rest > 0;
  else if (mode == "Ceil")
    up = !negative && rest > 0;
  else if (mode == "Odd")
    up = rest > 0 && !odd;
  double largest = std::ldexp(2.0 - std::ldexp(1.0, -mantissa), maxExponent);
  double y = (low + up) * ulp;
  if (y > largest) {
    bool inward = mode == "Trunc" || mode == "Odd" || (mode == "Floor" && !negative) || (mode == "Ceil" && negative);
    y = inward ? largest : std::numeric_limits<double>::infinity();
  }
  return std::copysign(static_cast<float>(y), x);
}

inline double integralReference(double x, std::string_view mode) {
  if (mode == "Floor")
    return std::floor(x);
  if (mode == "Ceil")
    return std::ceil(x);
  if (mode == "Away")
    return std::round(x);
  if (mode == "Trunc")
    return std::trunc(x);
  return std::nearbyint(x);
}

} // namespace tilesmith::unittests

#endif
