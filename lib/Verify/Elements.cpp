#include "tilesmith/Verify/Elements.h"
#include <cmath>
#include <cstring>
#include <limits>

namespace tilesmith::verify {
namespace {

struct Info {
  std::string_view name;
  int64_t size;
  Kind kind;
};
constexpr Info infos[] = {
#define X(NAME, TEXT, SIZE, KIND) {TEXT, SIZE, Kind::KIND},
    TILESMITH_VERIFY_DTYPES(X)
#undef X
};

// A small floating-point format. `special` says what the largest exponent and the pattern 0x80 mean.
struct Format {
  int mantissaBits, bias;
  enum { Ieee, NoInfinity, OnlyNaNIsMinusZero } special;
};
constexpr Format e4m3fn{3, 7, Format::NoInfinity}, e5m2{2, 15, Format::Ieee};
constexpr Format e4m3fnuz{3, 8, Format::OnlyNaNIsMinusZero}, e5m2fnuz{2, 16, Format::OnlyNaNIsMinusZero};

const Format &formatOf(DType dtype) {
  switch (dtype) {
  case DType::F8E4M3FN:
    return e4m3fn;
  case DType::F8E5M2:
    return e5m2;
  case DType::F8E4M3FNUZ:
    return e4m3fnuz;
  default:
    return e5m2fnuz;
  }
}

float decodeByte(const Format &format, uint8_t byte) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  int exponentBits = 7 - format.mantissaBits, top = (1 << exponentBits) - 1;
  int exponent = (byte >> format.mantissaBits) & top, mantissa = byte & ((1 << format.mantissaBits) - 1);
  float sign = byte & 0x80 ? -1.0f : 1.0f;
  if (format.special == Format::OnlyNaNIsMinusZero && byte == 0x80)
    return nan;
  if (format.special == Format::Ieee && exponent == top)
    return mantissa ? nan : sign * infinity;
  if (format.special == Format::NoInfinity && (byte & 0x7F) == 0x7F)
    return nan;
  int implicit = exponent ? 1 << format.mantissaBits : 0;
  return sign * std::ldexp(float(implicit + mantissa), (exponent ? exponent : 1) - format.bias - format.mantissaBits);
}

// The nearest value with `digits` significant bits and exponents from `least` (of the last digit of subnormals), ties
// to even. Exact in double for every format narrower than it.
double roundDigits(double value, int digits, int least) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent;
  std::frexp(value, &exponent); // value = f * 2^exponent, 0.5 <= f < 1
  int last = std::max(exponent - digits, least);
  return std::ldexp(std::nearbyint(std::ldexp(value, -last)), last);
}

double roundToByte(const Format &format, double value) {
  double rounded = roundDigits(value, format.mantissaBits + 1, 1 - format.bias - format.mantissaBits);
  uint8_t largest = format.special == Format::Ieee ? uint8_t(0x7B) : format.special == Format::NoInfinity ? 0x7E : 0x7F;
  if (std::isnan(value) || std::fabs(rounded) <= decodeByte(format, largest))
    return format.special == Format::OnlyNaNIsMinusZero && rounded == 0 ? 0.0 : rounded;
  return format.special == Format::Ieee ? std::copysign(std::numeric_limits<double>::infinity(), value)
                                        : std::numeric_limits<double>::quiet_NaN();
}

template <typename T> T read(const uint8_t *p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return value;
}

float bfloat(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

template <typename T> double wrapped(double value) {
  if (!std::isfinite(value))
    return 0;
  double whole = std::trunc(value);
  if (whole < -0x1p127 || whole >= 0x1p127)
    return 0;
  return double(T(__int128(whole)));
}

// Calls body with the element in its own C++ type.
template <typename Result, typename Body> Result withElement(DType dtype, const uint8_t *p, int part, Body body) {
  switch (dtype) {
  case DType::Bool:
    return body(uint8_t(*p != 0));
  case DType::U8:
    return body(*p);
  case DType::I8:
    return body(read<int8_t>(p));
  case DType::U16:
    return body(read<uint16_t>(p));
  case DType::I16:
    return body(read<int16_t>(p));
  case DType::U32:
    return body(read<uint32_t>(p));
  case DType::I32:
    return body(read<int32_t>(p));
  case DType::U64:
    return body(read<uint64_t>(p));
  case DType::I64:
    return body(read<int64_t>(p));
  case DType::F8E4M3FN:
  case DType::F8E4M3FNUZ:
  case DType::F8E5M2:
  case DType::F8E5M2FNUZ:
    return body(decodeByte(formatOf(dtype), *p));
  case DType::F16:
    return body(float(read<_Float16>(p)));
  case DType::BF16:
    return body(bfloat(read<uint16_t>(p)));
  case DType::F32:
    return body(read<float>(p));
  case DType::F64:
    return body(read<double>(p));
  case DType::C64:
    return body(read<float>(p + 4 * part));
  case DType::C128:
    return body(read<double>(p + 8 * part));
  }
  __builtin_unreachable();
}

} // namespace

std::optional<DType> dtypeNamed(std::string_view name) {
  for (size_t i = 0; i < std::size(infos); ++i)
    if (infos[i].name == name)
      return DType(i);
  return std::nullopt;
}
std::string_view nameOf(DType dtype) { return infos[size_t(dtype)].name; }
Kind kindOf(DType dtype) { return infos[size_t(dtype)].kind; }
int64_t sizeOf(DType dtype) { return infos[size_t(dtype)].size; }

double thresholdOf(DType golden) {
  switch (golden) {
  case DType::F16:
    return 0x1p-10;
  case DType::BF16:
    return 0x1p-7;
  case DType::F8E4M3FN:
  case DType::F8E4M3FNUZ:
    return 0x1p-3;
  case DType::F8E5M2:
  case DType::F8E5M2FNUZ:
    return 0x1p-2;
  default: // float32 and everything the specification does not name
    return 0x1p-13;
  }
}

double asDouble(DType dtype, const uint8_t *p, int part) {
  return withElement<double>(dtype, p, part, [](auto value) { return double(value); });
}
float asFloat(DType dtype, const uint8_t *p, int part) {
  return withElement<float>(dtype, p, part, [](auto value) { return float(value); });
}
__int128 asInteger(DType dtype, const uint8_t *p) {
  return withElement<__int128>(dtype, p, 0, [](auto value) -> __int128 {
    if constexpr (std::is_integral_v<decltype(value)>)
      return value;
    return 0;
  });
}

double roundedTo(DType dtype, double value) {
  switch (dtype) {
  case DType::Bool:
    return value != 0;
  case DType::U8:
    return wrapped<uint8_t>(value);
  case DType::I8:
    return wrapped<int8_t>(value);
  case DType::U16:
    return wrapped<uint16_t>(value);
  case DType::I16:
    return wrapped<int16_t>(value);
  case DType::U32:
    return wrapped<uint32_t>(value);
  case DType::I32:
    return wrapped<int32_t>(value);
  case DType::U64:
    return wrapped<uint64_t>(value);
  case DType::I64:
    return wrapped<int64_t>(value);
  case DType::F8E4M3FN:
  case DType::F8E4M3FNUZ:
  case DType::F8E5M2:
  case DType::F8E5M2FNUZ:
    return roundToByte(formatOf(dtype), value);
  case DType::F16: {
    double rounded = roundDigits(value, 11, -24);
    return std::fabs(rounded) > 65504 ? std::copysign(std::numeric_limits<double>::infinity(), value) : rounded;
  }
  case DType::BF16: {
    double rounded = roundDigits(value, 8, -133);
    return std::fabs(rounded) > bfloat(0x7F7F) ? std::copysign(std::numeric_limits<double>::infinity(), value)
                                               : rounded;
  }
  case DType::F32:
  case DType::C64:
    return float(value);
  case DType::F64:
  case DType::C128:
    return value;
  }
  __builtin_unreachable();
}

} // namespace tilesmith::verify
