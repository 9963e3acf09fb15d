#include "tilesmith/Frontend/DType.h"

#include "mlir/IR/BuiltinTypes.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"

namespace tilesmith::frontend {

llvm::StringRef name(DType dtype) { return isa::infoOf(dtype).python; }

std::optional<DType> parseDType(llvm::StringRef text) { return isa::dtypeOfPython(text); }

mlir::Type toMlir(mlir::MLIRContext *context, DType dtype) {
  if (dtype == DType::Void)
    return mlir::NoneType::get(context);
  return isInteger(dtype) ? mlir::IntegerType::get(context, bitWidth(dtype)) : isa::getElementType(context, dtype);
}

mlir::Type toElement(mlir::MLIRContext *context, DType dtype) {
  return isUnsigned(dtype) ? isa::getElementType(context, dtype) : toMlir(context, dtype);
}

DType fromMlir(mlir::Type type) { return isa::getDType(type).value_or(DType::Void); }

} // namespace tilesmith::frontend
