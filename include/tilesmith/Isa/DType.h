// Element types: one row per type, generated from DTypes.td.
//
// Plain C++ without LLVM. Sizes are bits. Two values of four bits are one element of a byte, as in Ascend C (fp4x2).
#ifndef TILESMITH_ISA_DTYPE_H
#define TILESMITH_ISA_DTYPE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tilesmith::isa {

template <typename Enum> constexpr std::optional<Enum> symbolize(std::string_view text);

#include "tilesmith/Isa/Enums.h.inc"

enum class DTypeKind : uint8_t { Float, Int, Uint, Void };

// What a kernel does with a type today: nothing but name it, compute with scalars of it, hold tiles and arrays of it.
enum class DTypeUse : uint8_t { Named, Scalars, Tiles };

struct DTypeInfo {
  std::string_view name, python, ascend; // F16, float16, half
  DTypeKind kind;
  DTypeUse use;
  uint8_t bits, exponent, mantissa; // exponent 0 of a float: the split differs from value to value
};

#define TILESMITH_DTYPE_TABLE
#include "tilesmith/Isa/DTypes.h.inc"

constexpr const DTypeInfo &infoOf(DType dtype) { return dtypeTable[unsigned(dtype)]; }

// The type of this name in Python.
constexpr std::optional<DType> dtypeOfPython(std::string_view name) {
  for (unsigned i = 0; i < numDType; ++i)
    if (dtypeTable[i].python == name)
      return DType(i);
  return std::nullopt;
}

// The type of this kind and width, if one has them. Floats of one width differ in more.
constexpr std::optional<DType> dtypeOf(DTypeKind kind, unsigned bits) {
  for (unsigned i = 0; i < numDType; ++i)
    if (dtypeTable[i].kind == kind && dtypeTable[i].bits == bits)
      return DType(i);
  return std::nullopt;
}

// Bits of one value; 0 for what is not a type of the table.
constexpr unsigned bitsOf(DType dtype) { return unsigned(dtype) < numDType ? infoOf(dtype).bits : 0; }
// Values that one element of a tensor holds.
constexpr unsigned valuesOf(DType dtype) { return bitsOf(dtype) == 4 ? 2 : 1; }
// Bytes of one element; 0 of single bits, and for what is not a type of the table.
constexpr unsigned sizeOf(DType dtype) { return bitsOf(dtype) * valuesOf(dtype) / 8; }
constexpr bool isFloat(DType dtype) { return infoOf(dtype).kind == DTypeKind::Float; }
constexpr bool isUnsigned(DType dtype) { return infoOf(dtype).kind == DTypeKind::Uint; }
constexpr bool isInteger(DType dtype) {
  return infoOf(dtype).kind == DTypeKind::Int || infoOf(dtype).kind == DTypeKind::Uint;
}

// A set of types.
using DTypeSet = uint64_t;
constexpr DTypeSet dtypeBit(DType dtype) { return DTypeSet(1) << unsigned(dtype); }
static_assert(numDType <= 64, "a set of types is one word");

} // namespace tilesmith::isa

#endif // TILESMITH_ISA_DTYPE_H
