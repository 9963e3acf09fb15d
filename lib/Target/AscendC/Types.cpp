#include "Types.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"

using namespace mlir;

namespace tilesmith::ascendc {

StringRef cppType(Type type) {
  if (type.isIndex())
    return "int64_t";
  std::optional<isa::DType> dtype = isa::getDType(type);
  return dtype ? StringRef(isa::infoOf(*dtype).ascend) : "";
}

StringRef elementType(Type element) { return element.isInteger(1) ? StringRef("uint8_t") : cppType(element); }

int64_t elementSize(Type element) { return element.isInteger(1) ? 1 : isa::sizeOf(*isa::getDType(element)); }

std::string unsignedType(Type integer) {
  unsigned width = integer.isIndex() ? 64 : integer.getIntOrFloatBitWidth();
  return width == 1 ? "bool" : "uint" + std::to_string(width) + "_t";
}

std::string literal(int64_t value, unsigned width) {
  // The smallest number of a type has no literal of its own.
  if (value == INT64_MIN)
    return "(-9223372036854775807LL - 1)";
  if (value == INT32_MIN && width == 32)
    return "(-2147483647 - 1)";
  std::string text = std::to_string(value);
  if (value > INT32_MAX || value < -int64_t(INT32_MAX))
    text += "LL";
  return value < 0 ? "(" + text + ")" : text;
}

// A NaN with bits of its own keeps them by way of the helper FloatOf, which the caller has to ask for.
std::string floatLiteral(const llvm::APFloat &number) {
  llvm::APFloat value = number;
  bool inexact;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  if (value.isNaN()) {
    uint64_t bits = value.bitcastToAPInt().getZExtValue();
    if ((bits & 0x7fffffff) != 0x7fc00000)
      return "FloatOf(" + std::to_string(bits) + "u)";
    return value.isNegative() ? "(-__builtin_nanf(\"\"))" : "__builtin_nanf(\"\")";
  }
  if (value.isInfinity())
    return value.isNegative() ? "(-__builtin_inff())" : "__builtin_inff()";
  char buffer[64];
  unsigned length = value.convertToHexString(buffer, 0, /*upperCase=*/false, llvm::APFloat::rmNearestTiesToEven);
  std::string text = std::string(buffer, length) + "f";
  return value.isNegative() ? "(" + text + ")" : text;
}

std::string narrowFloat(const std::string &text, Type type) {
  if (type.isF16())
    return "half(" + text + ")";
  if (type.isBF16())
    return "AscendC::ToBfloat16(" + text + ")";
  return text;
}

std::string widenFloat(const std::string &text, Type type) {
  if (type.isF16())
    return "float(" + text + ")";
  if (type.isBF16())
    return "AscendC::ToFloat(" + text + ")";
  return text;
}

std::string literal(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value)) {
    std::string text = floatLiteral(number.getValue());
    if (StringRef(text).starts_with("(") && !number.getType().isF32())
      text = text.substr(1, text.size() - 2);
    return narrowFloat(text, number.getType());
  }
  auto number = mlir::cast<IntegerAttr>(value);
  Type type = number.getType();
  if (type.isInteger(1))
    return number.getValue().isZero() ? "false" : "true";
  if (type.isUnsignedInteger()) {
    uint64_t bits = number.getValue().getZExtValue();
    return std::to_string(bits) + (bits > UINT32_MAX ? "ULL" : bits > INT32_MAX ? "u" : "");
  }
  return literal(number.getValue().getSExtValue(), type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
}

StringRef positionOf(isa::Memory memory) {
  switch (memory) {
  case isa::Memory::UB:
    return "AscendC::TPosition::VECCALC";
  case isa::Memory::L1:
    return "AscendC::TPosition::A1";
  case isa::Memory::L0A:
    return "AscendC::TPosition::A2";
  case isa::Memory::L0B:
    return "AscendC::TPosition::B2";
  case isa::Memory::L0C:
    return "AscendC::TPosition::CO1";
  case isa::Memory::BT:
    return "AscendC::TPosition::C2";
  case isa::Memory::FB:
    return "AscendC::TPosition::C2PIPE2GM";
  case isa::Memory::L0AMX: // no position of their own: scales follow from the factor's address
  case isa::Memory::L0BMX:
  case isa::Memory::GM:
    break;
  }
  return "AscendC::TPosition::GM";
}

} // namespace tilesmith::ascendc
