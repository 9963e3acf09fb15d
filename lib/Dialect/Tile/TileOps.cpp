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
  if (!getStrides().empty() && int64_t(getStrides().size()) != type.getRank())
    return emitOpError() << "needs one stride for each of " << type.getRank() << " dimensions, got "
                         << getStrides().size();
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

// Rows of a matrix that a tile of row numbers names, as the rows of a tile.
static LogicalResult verifyRows(Operation *op, TileType rows, TileType tile, GlobalTensorType tensor) {
  if (!rows.getElementType().isSignlessInteger(32) || rows.getRank() != 1)
    return op->emitOpError() << "numbers of rows are a tile of i32 with one dimension";
  if (tensor.getRank() != 2 || tile.getRank() != 2)
    return op->emitOpError() << "tile and tensor must be matrices";
  if (tile.getShape()[0] != rows.getShape()[0])
    return op->emitOpError() << "has " << rows.getShape()[0] << " row numbers for " << tile.getShape()[0] << " rows";
  if (tile.getElementType() != tensor.getElementType())
    return op->emitOpError() << "tile and tensor differ in element type";
  return success();
}

LogicalResult GatherRowsOp::verify() {
  if (getPad().getType() != scalarTypeOf(getResult().getType().getElementType()))
    return emitOpError() << "pad must have the tile's element type";
  return verifyRows(*this, getRows().getType(), getResult().getType(), getTensor().getType());
}

LogicalResult ScatterRowsOp::verify() {
  return verifyRows(*this, getRows().getType(), getValue().getType(), getTensor().getType());
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
  bool toL0 = to.getMemory() == isa::Memory::L0A || to.getMemory() == isa::Memory::L0B;
  if (getTransposed() && (from.getMemory() != isa::Memory::L1 || !toL0 || from.getRank() < 2))
    return emitOpError() << "turns matrices on the way from L1 to L0A or L0B only";
  return success();
}

LogicalResult InsertOp::verify() {
  TileType part = getPart().getType(), whole = getType();
  if (part.getElementType() != whole.getElementType() || part.getMemory() != whole.getMemory() ||
      part.getRank() != whole.getRank())
    return emitOpError() << "keeps element type, memory and rank";
  const int64_t *rows = llvm::find_if(whole.getShape(), [](int64_t dim) { return dim != 1; });
  for (auto [ofPart, ofWhole] : llvm::zip(part.getShape(), whole.getShape()))
    if (ofPart != ofWhole && &ofWhole != rows)
      return emitOpError() << "takes whole rows";
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

LogicalResult ArangeOp::verify() {
  Type type = getResult().getType().getElementType();
  if (!type.isSignlessInteger(32) && !type.isF32())
    return emitOpError() << "counts in i32 or f32, not in " << type;
  return success();
}

LogicalResult TransposeOp::verify() {
  TileType from = getOperand().getType(), to = getResult().getType();
  SmallVector<int64_t> sorted(getAxes());
  llvm::sort(sorted);
  if (sorted != llvm::to_vector(llvm::seq<int64_t>(0, from.getRank())))
    return emitOpError() << "axes are not an order of the operand's " << from.getRank() << " axes";
  if (to.getRank() != from.getRank())
    return emitOpError() << "keeps the rank";
  for (auto [axis, dim] : llvm::zip(getAxes(), to.getShape()))
    if (from.getShape()[axis] != dim)
      return emitOpError() << "result shape does not follow from the axes";
  if (from.getElementType() != to.getElementType() || from.getMemory() != to.getMemory())
    return emitOpError() << "keeps element type and memory";
  return success();
}

static LogicalResult verifyIndex(Operation *op, TileType index, ArrayRef<int64_t> shape) {
  if (!index.getElementType().isSignlessInteger(32))
    return op->emitOpError() << "positions are i32, not " << index.getElementType();
  if (index.getShape() != shape)
    return op->emitOpError() << "positions have another shape than the elements";
  return success();
}

LogicalResult GatherOp::verify() {
  if (getOperand().getType().getElementType() != getResult().getType().getElementType())
    return emitOpError() << "keeps the element type";
  return verifyIndex(*this, getIndex().getType(), getResult().getType().getShape());
}

LogicalResult ScatterOp::verify() {
  if (getOperand().getType() != getResult().getType())
    return emitOpError() << "operand and result differ in type";
  if (getSource().getType().getElementType() != getResult().getType().getElementType())
    return emitOpError() << "keeps the element type";
  return verifyIndex(*this, getIndex().getType(), getSource().getType().getShape());
}

LogicalResult CumsumOp::verify() {
  if (int64_t(getAxis()) < 0 || int64_t(getAxis()) >= getResult().getType().getRank())
    return emitOpError() << "axis " << int64_t(getAxis()) << " is outside a tile of rank "
                         << getResult().getType().getRank();
  return success();
}

LogicalResult SortOp::verify() {
  TileType from = getOperand().getType(), values = getValues().getType(), positions = getPositions().getType();
  if (!from.getElementType().isF16() && !from.getElementType().isF32())
    return emitOpError() << "sorts f16 or f32, not " << from.getElementType();
  if (values.getElementType() != from.getElementType() || !positions.getElementType().isSignlessInteger(32))
    return emitOpError() << "results are the operand's elements and i32";
  if (values.getShape() != positions.getShape() || values.getRank() != from.getRank() ||
      values.getShape().drop_back() != from.getShape().drop_back() || values.getShape().back() > from.getShape().back())
    return emitOpError() << "results have the operand's shape, with as many or fewer columns";
  return success();
}

LogicalResult ArgOp::verify() {
  TileType from = getOperand().getType(), to = getResult().getType();
  if (int64_t(getAxis()) < 0 || int64_t(getAxis()) >= from.getRank())
    return emitOpError() << "axis " << int64_t(getAxis()) << " is outside a tile of rank " << from.getRank();
  SmallVector<int64_t> shape(from.getShape());
  shape[getAxis()] = 1;
  if (to.getShape() != ArrayRef(shape) || !to.getElementType().isSignlessInteger(32))
    return emitOpError() << "result is a tile of i32 whose axis has size 1";
  return success();
}

LogicalResult MatmulOp::verify() {
  TileType lhs = getLhs().getType(), rhs = getRhs().getType(), result = getResult().getType();
  if (lhs.getRank() < 2 || rhs.getRank() < 2 || result.getRank() != std::max(lhs.getRank(), rhs.getRank()))
    return emitOpError() << "works on matrices";
  ArrayRef<int64_t> a = lhs.getShape(), b = rhs.getShape(), c = result.getShape();
  auto isOneOf = [&](ArrayRef<int64_t> of) {
    return llvm::all_of(llvm::zip_equal(of.drop_back(2), c.drop_front(c.size() - of.size()).drop_back(2)),
                        [](auto pair) { return std::get<0>(pair) == 1 || std::get<0>(pair) == std::get<1>(pair); });
  };
  if (a.back() != b.end()[-2] || a.end()[-2] != c.end()[-2] || b.back() != c.back() || !isOneOf(a) || !isOneOf(b))
    return emitOpError() << "shapes do not multiply";
  if (c.size() != 2 && (getAcc() || getInner()))
    return emitOpError() << "adds one product to an accumulator";
  if (lhs.getElementType() != rhs.getElementType())
    return emitOpError() << "operands differ in element type";
  if (lhs.getElementType().isSignlessInteger(8) ? !result.getElementType().isSignlessInteger(32)
                                                : !result.getElementType().isF32())
    return emitOpError() << "sums of int8 are i32, others f32";
  if (getAcc() && getAcc().getType() != result)
    return emitOpError() << "accumulator and result differ in type";
  return success();
}
