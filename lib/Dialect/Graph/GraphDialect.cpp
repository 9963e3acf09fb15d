#include "tilesmith/Dialect/Graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilesmith::graph;

#include "tilesmith/Dialect/Graph/GraphDialect.cpp.inc"
#include "tilesmith/Dialect/Graph/GraphEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tilesmith/Dialect/Graph/GraphTypes.cpp.inc"

void GraphDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tilesmith/Dialect/Graph/GraphOps.cpp.inc"
      >();
}

void GraphDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tilesmith/Dialect/Graph/GraphTypes.cpp.inc"
      >();
}

Type WholeTensorType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/true) || parser.parseType(elementType) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<WholeTensorType>(parser.getContext(), shape, elementType);
}

void WholeTensorType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType() << ">";
}

LogicalResult WholeTensorType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                      Type elementType) {
  static constexpr size_t mostAxes = 5;
  if (shape.empty() || shape.size() > mostAxes)
    return emitError() << "a tensor has 1 to " << mostAxes << " dimensions";
  if (llvm::any_of(shape, [](int64_t size) { return size <= 0 && !ShapedType::isDynamic(size); }))
    return emitError() << "dimensions of a tensor must be positive";
  if (!llvm::isa<IntegerType>(elementType) && !elementType.isF16() && !elementType.isBF16() && !elementType.isF32())
    return emitError() << "unsupported element type " << elementType;
  return success();
}
