#include "tilesmith/Frontend/DType.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tilesmith::frontend {

static constexpr llvm::StringLiteral names[] = {"void",    "int1",     "int8",    "int16",  "int32",
                                                "int64",   "uint8",    "uint16",  "uint32", "uint64",
                                                "float16", "bfloat16", "float32", "float64"};
static constexpr uint8_t widths[] = {0, 1, 8, 16, 32, 64, 8, 16, 32, 64, 16, 16, 32, 64};

llvm::StringRef name(DType dtype) { return names[unsigned(dtype)]; }

std::optional<DType> parseDType(llvm::StringRef text) {
  for (unsigned i = 0; i < std::size(names); ++i)
    if (text == names[i])
      return DType(i);
  return std::nullopt;
}

unsigned bitWidth(DType dtype) { return widths[unsigned(dtype)]; }

bool isTileElement(DType dtype) { return dtype != DType::Void && dtype != DType::Float64; }

mlir::Type toMlir(mlir::MLIRContext *context, DType dtype) {
  switch (dtype) {
  case DType::Float16:
    return mlir::Float16Type::get(context);
  case DType::BFloat16:
    return mlir::BFloat16Type::get(context);
  case DType::Float32:
    return mlir::Float32Type::get(context);
  case DType::Float64:
    return mlir::Float64Type::get(context);
  case DType::Void:
    return mlir::NoneType::get(context);
  default:
    return mlir::IntegerType::get(context, bitWidth(dtype));
  }
}

mlir::Type toElement(mlir::MLIRContext *context, DType dtype) {
  if (isUnsigned(dtype))
    return mlir::IntegerType::get(context, bitWidth(dtype), mlir::IntegerType::Unsigned);
  return toMlir(context, dtype);
}

DType fromMlir(mlir::Type type) {
  if (type.isF16())
    return DType::Float16;
  if (type.isBF16())
    return DType::BFloat16;
  if (type.isF32())
    return DType::Float32;
  if (type.isF64())
    return DType::Float64;
  bool isUnsigned = type.isUnsignedInteger();
  switch (type.isInteger() ? type.getIntOrFloatBitWidth() : 0) {
  case 1:
    return DType::Int1;
  case 8:
    return isUnsigned ? DType::UInt8 : DType::Int8;
  case 16:
    return isUnsigned ? DType::UInt16 : DType::Int16;
  case 32:
    return isUnsigned ? DType::UInt32 : DType::Int32;
  case 64:
    return isUnsigned ? DType::UInt64 : DType::Int64;
  default:
    return DType::Void;
  }
}

} // namespace tilesmith::frontend
