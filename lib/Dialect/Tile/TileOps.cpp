// Verifiers of the tile ops. The front end checks the user's program with better words; these keep the passes honest.
#include "tilesmith/Dialect/Tile/Tile.h"

using namespace mlir;
using namespace tilesmith::tile;

#define GET_OP_CLASSES
#include "tilesmith/Dialect/Tile/TileOps.cpp.inc"

// The operand is a tile of the result's shape, or a scalar; both of element type `elementType`.
static LogicalResult verifyOperand(Operation *op, StringRef name, Type operand, ArrayRef<int64_t> shape,
                                   Type elementType) {
  if (auto tile = dyn_cast<TileType>(operand); tile && tile.getShape() != shape)
    return op->emitOpError() << name << " has another shape than the result";
  auto tile = dyn_cast<TileType>(operand);
  Type expected = tile ? elementType : scalarTypeOf(elementType), actual = tile ? tile.getElementType() : operand;
  if (actual != expected)
    return op->emitOpError() << name << " must have element type " << expected << ", got " << actual;
  return success();
}

static LogicalResult verifyAccess(Operation *op, GlobalTensorType tensor, OperandRange offsets, Type elementType) {
  if (int64_t(offsets.size()) != tensor.getRank())
    return op->emitOpError() << "needs " << tensor.getRank() << " offsets, got " << offsets.size();
  if (tensor.getElementType() != elementType)
    return op->emitOpError() << "element type " << elementType << " differs from the tensor's "
                             << tensor.getElementType();
  return success();
}

LogicalResult TensorOp::verify() {
  GlobalTensorType type = getResult().getType();
  if (llvm::count_if(type.getShape(), ShapedType::isDynamic) != int64_t(getDims().size()))
    return emitOpError() << "needs one operand for each dynamic dimension";
  if (type.getElementType() != getBase().getType().getElementType())
    return emitOpError() << "element type differs from the pointer's";
  return success();
}

LogicalResult LimitOp::verify() {
  GlobalTensorType from = getTensor().getType(), to = getResult().getType();
  auto rank = int64_t(from.getShape().size()), axis = int64_t(getAxis());
  if (axis < 0 || axis >= rank)
    return emitOpError() << "the tensor has no dimension " << axis;
  SmallVector<int64_t> expected(from.getShape());
  expected[axis] = ShapedType::kDynamic;
  if (to.getElementType() != from.getElementType() || to.getShape() != ArrayRef(expected))
    return emitOpError() << "the result is the tensor with dimension " << axis << " dynamic";
  return success();
}

LogicalResult LoadOp::verify() {
  TileType tile = getResult().getType();
  if (tile.getRank() != getTensor().getType().getRank())
    return emitOpError() << "tile and tensor differ in rank";
  if (getPad().getType() != scalarTypeOf(tile.getElementType()))
    return emitOpError() << "pad must have the tile's element type";
  return verifyAccess(*this, getTensor().getType(), getOffsets(), tile.getElementType());
}

static LogicalResult verifyChoice(Operation *op, std::optional<ArrayRef<int64_t>> bits) {
  if (bits && bits->size() != 2)
    return op->emitOpError() << "chooses with " << bits->size() << " words of bits, not with 2";
  return success();
}

LogicalResult StoreOp::verify() {
  if (failed(verifyChoice(*this, getBits())))
    return failure();
  if (getValue().getType().getRank() != getTensor().getType().getRank())
    return emitOpError() << "tile and tensor differ in rank";
  return verifyAccess(*this, getTensor().getType(), getOffsets(), getValue().getType().getElementType());
}

LogicalResult AtomicOp::verify() {
  if (failed(verifyChoice(*this, getBits())))
    return failure();
  if (getValue().getType().getRank() != getTensor().getType().getRank())
    return emitOpError() << "tile and tensor differ in rank";
  return verifyAccess(*this, getTensor().getType(), getOffsets(), getValue().getType().getElementType());
}

// One element, as a scalar.
static LogicalResult verifyElement(Operation *op, GlobalTensorType tensor, OperandRange offsets, Type scalar) {
  if (scalarTypeOf(tensor.getElementType()) != scalar)
    return op->emitOpError() << "element type " << scalar << " differs from the tensor's " << tensor.getElementType();
  return verifyAccess(op, tensor, offsets, tensor.getElementType());
}

LogicalResult GetOp::verify() {
  return verifyElement(*this, getTensor().getType(), getOffsets(), getResult().getType());
}

LogicalResult SetOp::verify() {
  return verifyElement(*this, getTensor().getType(), getOffsets(), getValue().getType());
}

LogicalResult LanesOp::verify() {
  if (!getResult().getType().getElementType().isInteger(1))
    return emitOpError() << "result must be a tile of i1";
  if (bool(getCount()) == bool(getBits()))
    return emitOpError() << "needs either a count or bits";
  return verifyChoice(*this, getBits());
}

LogicalResult PrintOp::verify() {
  if (getDtypes().size() != getValues().size())
    return emitOpError() << "has " << getValues().size() << " values and " << getDtypes().size() << " dtypes";
  return success();
}

LogicalResult BinaryOp::verify() {
  TileType result = getResult().getType();
  if (!::mlir::isa<TileType>(getLhs().getType()) && !::mlir::isa<TileType>(getRhs().getType()))
    return emitOpError() << "needs at least one tile";
  if (failed(verifyOperand(*this, "lhs", getLhs().getType(), result.getShape(), result.getElementType())))
    return failure();
  return verifyOperand(*this, "rhs", getRhs().getType(), result.getShape(), result.getElementType());
}

LogicalResult CompareOp::verify() {
  TileType lhs = getLhs().getType(), result = getResult().getType();
  if (!result.getElementType().isInteger(1))
    return emitOpError() << "result must be a tile of i1";
  if (lhs.getShape() != result.getShape())
    return emitOpError() << "lhs has another shape than the result";
  return verifyOperand(*this, "rhs", getRhs().getType(), result.getShape(), lhs.getElementType());
}

LogicalResult SelectOp::verify() {
  TileType result = getResult().getType();
  if (!getMask().getType().getElementType().isInteger(1))
    return emitOpError() << "mask must be a tile of i1";
  if (getMask().getType().getShape() != result.getShape())
    return emitOpError() << "mask has another shape than the result";
  if (failed(verifyOperand(*this, "lhs", getLhs().getType(), result.getShape(), result.getElementType())))
    return failure();
  return verifyOperand(*this, "rhs", getRhs().getType(), result.getShape(), result.getElementType());
}

LogicalResult CastOp::verify() {
  if (getOperand().getType().getShape() != getResult().getType().getShape())
    return emitOpError() << "changes the shape";
  return success();
}

LogicalResult SplatOp::verify() {
  return verifyOperand(*this, "value", getValue().getType(), {}, getResult().getType().getElementType());
}

LogicalResult ExtractOp::verify() {
  TileType tile = getOperand().getType();
  if (tile.getNumElements() != 1)
    return emitOpError() << "needs a tile of one element, got " << tile.getNumElements();
  if (scalarTypeOf(tile.getElementType()) != getResult().getType())
    return emitOpError() << "result must have the tile's element type";
  return success();
}

LogicalResult ReduceOp::verify() {
  TileType operand = getOperand().getType(), result = getResult().getType();
  SmallVector<int64_t> kept, dropped;
  for (auto [axis, dim] : llvm::enumerate(operand.getShape())) {
    bool reduced = llvm::is_contained(getDims(), int64_t(axis));
    kept.push_back(reduced ? 1 : dim);
    if (!reduced)
      dropped.push_back(dim);
  }
  for (int64_t axis : getDims())
    if (axis < 0 || axis >= operand.getRank())
      return emitOpError() << "axis " << axis << " is outside a tile of rank " << operand.getRank();
  if (dropped.empty())
    dropped.push_back(1);
  if (result.getShape() != ArrayRef(kept) && result.getShape() != ArrayRef(dropped))
    return emitOpError() << "result shape does not follow from the reduced axes";
  if (result.getElementType() != operand.getElementType())
    return emitOpError() << "keeps the element type";
  return success();
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = getOperand().getType().getShape(), to = getResult().getType().getShape();
  if (from.size() > to.size())
    return emitOpError() << "cannot lower the rank";
  for (auto [source, target] : llvm::zip(llvm::reverse(from), llvm::reverse(to)))
    if (source != target && source != 1)
      return emitOpError() << "cannot repeat an axis of size " << source << " to " << target;
  if (getOperand().getType().getElementType() != getResult().getType().getElementType())
    return emitOpError() << "keeps the element type";
  return success();
}

LogicalResult ReshapeOp::verify() {
  if (getOperand().getType().getNumElements() != getResult().getType().getNumElements())
    return emitOpError() << "changes the number of elements";
  if (getOperand().getType().getElementType() != getResult().getType().getElementType())
    return emitOpError() << "keeps the element type";
  return success();
}

LogicalResult BitcastOp::verify() {
  TileType from = getOperand().getType(), to = getResult().getType();
  auto bits = [](TileType type) { return type.getNumElements() * type.getElementType().getIntOrFloatBitWidth(); };
  if (from.getMemory() != isa::Memory::UB || to.getMemory() != isa::Memory::UB)
    return emitOpError() << "works in UB";
  if (bits(from) != bits(to))
    return emitOpError() << "changes the number of bytes";
  if (from.getElementType().isInteger(1) || to.getElementType().isInteger(1))
    return emitOpError() << "masks have no bytes of their own";
  return success();
}

LogicalResult CopyOp::verify() {
  TileType from = getOperand().getType(), to = getResult().getType();
  if (from.getRank() != to.getRank() || int64_t(getOffsets().size()) != from.getRank())
    return emitOpError() << "needs one offset per dimension and keeps the rank";
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "keeps the element type";
  return success();
}

LogicalResult ConcatOp::verify() {
  if (getOperands().empty())
    return emitOpError() << "needs at least one tile";
  TileType result = getResult().getType();
  int64_t rows = 0;
  for (Value operand : getOperands()) {
    auto tile = cast<TileType>(operand.getType());
    if (tile.getElementType() != result.getElementType() ||
        tile.getShape().drop_front() != result.getShape().drop_front())
      return emitOpError() << "tiles may differ only in their first dimension";
    rows += tile.getShape().front();
  }
  if (rows != result.getShape().front())
    return emitOpError() << "first dimensions do not add up to the result's";
  return success();
}

LogicalResult MatmulOp::verify() {
  TileType lhs = getLhs().getType(), rhs = getRhs().getType(), result = getResult().getType();
  if (lhs.getRank() != 2 || rhs.getRank() != 2 || result.getRank() != 2)
    return emitOpError() << "works on matrices";
  if (lhs.getShape()[1] != rhs.getShape()[0] || lhs.getShape()[0] != result.getShape()[0] ||
      rhs.getShape()[1] != result.getShape()[1])
    return emitOpError() << "shapes do not multiply";
  if (lhs.getElementType() != rhs.getElementType())
    return emitOpError() << "operands differ in element type";
  if (getAcc() && getAcc().getType() != result)
    return emitOpError() << "accumulator and result differ in type";
  return success();
}
