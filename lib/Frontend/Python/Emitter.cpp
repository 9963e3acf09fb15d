#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend {

mlir::Location Emitter::loc(const Range &range) {
  return mlir::FileLineColRange::get(frame().fileName, range.line, range.column + 1, range.endLine,
                                     range.endColumn + 1);
}

mlir::Value Emitter::constant(DType dtype, int64_t value, const Range &range) {
  mlir::Type mlirType = type(dtype);
  mlir::TypedAttr attribute = isFloat(dtype) ? mlir::TypedAttr(opBuilder.getFloatAttr(mlirType, double(value)))
                                             : mlir::TypedAttr(opBuilder.getIntegerAttr(mlirType, value));
  return mlir::arith::ConstantOp::create(opBuilder, loc(range), attribute);
}

bool Emitter::canNest(const Range &range) {
  static constexpr unsigned maxDepth = 64;
  if (depth >= maxDepth)
    return bool(fail(range, "RuntimeError",
                     "runtime loops and branches are nested more than " + llvm::Twine(maxDepth) + " deep"));
  return true;
}

void Emitter::inRegion(llvm::function_ref<void()> body) {
  unsigned outer = innermost;
  innermost = ++last;
  ++depth;
  body();
  --depth;
  innermost = outer;
}

std::unique_ptr<mlir::Region> Emitter::buildRegion(llvm::function_ref<void()> build) {
  mlir::OpBuilder::InsertionGuard guard(opBuilder);
  auto body = std::make_unique<mlir::Region>();
  opBuilder.setInsertionPointToEnd(&body->emplaceBlock());
  inRegion(build);
  return body;
}

} // namespace tilesmith::frontend
