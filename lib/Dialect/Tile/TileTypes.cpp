#include "tilesmith/Dialect/Tile/Tile.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tile;

#define GET_TYPEDEF_CLASSES
#include "tilesmith/Dialect/Tile/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tilesmith/Dialect/Tile/TileTypes.cpp.inc"
      >();
}

static bool isElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 1 || integer.getWidth() == 8 || integer.getWidth() == 16 || integer.getWidth() == 32 ||
           integer.getWidth() == 64;
  return type.isF16() || type.isBF16() || type.isF32();
}

// Tensor: `<` dims x type `>`, `?` for a dim known at launch.

Type GlobalTensorType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/true) || parser.parseType(elementType) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<GlobalTensorType>(parser.getContext(), shape, elementType);
}

void GlobalTensorType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType() << ">";
}

LogicalResult GlobalTensorType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                       Type elementType) {
  if (shape.empty())
    return emitError() << "a tensor needs at least one dimension";
  if (llvm::any_of(shape, [](int64_t dim) { return dim < 0 && !ShapedType::isDynamic(dim); }))
    return emitError() << "tensor dimensions must not be negative";
  if (!isElementType(elementType))
    return emitError() << "unsupported element type " << elementType;
  return success();
}

// Tile: `<` dims x type `,` memory `>`.

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  StringRef keyword;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(elementType) ||
      parser.parseComma())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword) || parser.parseGreater())
    return {};
  auto memory = isa::symbolize<isa::Memory>(std::string_view(keyword.data(), keyword.size()));
  if (!memory) {
    parser.emitError(loc, "unknown memory '") << keyword << "'";
    return {};
  }
  return parser.getChecked<TileType>(parser.getContext(), shape, elementType, *memory);
}

void TileType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType() << ", " << isa::stringify(getMemory()) << ">";
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type elementType,
                               isa::Memory memory) {
  if (shape.empty())
    return emitError() << "a tile needs at least one dimension";
  if (llvm::any_of(shape, [](int64_t dim) { return dim <= 0; }))
    return emitError() << "tile dimensions must be positive";
  if (!isElementType(elementType))
    return emitError() << "unsupported element type " << elementType;
  if (memory == isa::Memory::GM)
    return emitError() << "a tile lives on the chip, not in GM";
  return success();
}

int64_t TileType::getNumElements() const {
  int64_t elements = 1;
  for (int64_t dim : getShape())
    elements *= dim;
  return elements;
}
