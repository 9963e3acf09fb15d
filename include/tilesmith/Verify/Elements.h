// Element types the judge compares, read from raw bytes.
//
// Written without a line of the Machine's own conversions: a mistake there must not hide itself from the judge.
#ifndef TILESMITH_VERIFY_ELEMENTS_H
#define TILESMITH_VERIFY_ELEMENTS_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilesmith::verify {

// name (as torch has it), bytes, kind
#define TILESMITH_VERIFY_DTYPES(X)                                                                                     \
  X(Bool, "bool", 1, Bool)                                                                                             \
  X(U8, "uint8", 1, Integer)                                                                                           \
  X(I8, "int8", 1, Integer)                                                                                            \
  X(U16, "uint16", 2, Integer)                                                                                         \
  X(I16, "int16", 2, Integer)                                                                                          \
  X(U32, "uint32", 4, Integer)                                                                                         \
  X(I32, "int32", 4, Integer)                                                                                          \
  X(U64, "uint64", 8, Integer)                                                                                         \
  X(I64, "int64", 8, Integer)                                                                                          \
  X(F8E4M3FN, "float8_e4m3fn", 1, Float)                                                                               \
  X(F8E4M3FNUZ, "float8_e4m3fnuz", 1, Float)                                                                           \
  X(F8E5M2, "float8_e5m2", 1, Float)                                                                                   \
  X(F8E5M2FNUZ, "float8_e5m2fnuz", 1, Float)                                                                           \
  X(F16, "float16", 2, Float)                                                                                          \
  X(BF16, "bfloat16", 2, Float)                                                                                        \
  X(F32, "float32", 4, Float)                                                                                          \
  X(F64, "float64", 8, Float)                                                                                          \
  X(C64, "complex64", 8, Complex)                                                                                      \
  X(C128, "complex128", 16, Complex)

enum class DType : uint8_t {
#define X(NAME, TEXT, SIZE, KIND) NAME,
  TILESMITH_VERIFY_DTYPES(X)
#undef X
};
enum class Kind : uint8_t { Bool, Integer, Float, Complex };

std::optional<DType> dtypeNamed(std::string_view name);
std::string_view nameOf(DType dtype);
Kind kindOf(DType dtype);
int64_t sizeOf(DType dtype);

// The threshold t of the accuracy gate for golden values of this dtype; always a power of two.
double thresholdOf(DType golden);
inline constexpr double kHifloat32Threshold = 0x1p-11;

// One element as a double; complex ones have two (part 0 real, 1 imaginary). Integers past 2^53 round.
double asDouble(DType dtype, const uint8_t *element, int part = 0);
// One element as float32, rounded once.
float asFloat(DType dtype, const uint8_t *element, int part = 0);
// The element of an integer or boolean dtype, exactly.
__int128 asInteger(DType dtype, const uint8_t *element);
// A double converted to `dtype` and back: rounded to nearest even, past the range as the format has it (infinity, or
// NaN where it has none). Integers truncate and wrap; NaN becomes 0 there.
double roundedTo(DType dtype, double value);

} // namespace tilesmith::verify

#endif // TILESMITH_VERIFY_ELEMENTS_H
