// Verifiers of the graph ops. The front end checks the user's program with better words; these keep the passes honest.
#include "tilesmith/Dialect/Graph/Graph.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;

#define GET_OP_CLASSES
#include "tilesmith/Dialect/Graph/GraphOps.cpp.inc"

// The operand is a tensor of the result's shape, or a scalar; both of this element type.
static LogicalResult verifyOperand(Operation *op, StringRef name, Type operand, WholeTensorType like) {
  auto tensor = dyn_cast<WholeTensorType>(operand);
  if (tensor && tensor.getShape() != like.getShape())
    return op->emitOpError() << name << " has another shape than the result";
  Type expected = tensor ? like.getElementType() : tile::scalarTypeOf(like.getElementType());
  if ((tensor ? tensor.getElementType() : operand) != expected)
    return op->emitOpError() << name << " must have element type " << expected << ", got " << operand;
  return success();
}

// Elements of truth values are bytes in memory.
static LogicalResult verifyAccess(Operation *op, WholeTensorType value, tile::GlobalTensorType memory, size_t offsets) {
  if (value.getRank() != memory.getRank() || int64_t(offsets) != memory.getRank())
    return op->emitOpError() << "tensor, array and offsets differ in rank";
  bool isTruth = value.getElementType().isSignlessInteger(1) && memory.getElementType().isInteger(8);
  if (value.getElementType() != memory.getElementType() && !isTruth)
    return op->emitOpError() << "element type " << value.getElementType() << " differs from the array's "
                             << memory.getElementType();
  return success();
}

LogicalResult ViewOp::verify() {
  return verifyAccess(*this, getResult().getType(), getMemory().getType(), getOffsets().size());
}

LogicalResult AssembleOp::verify() {
  if (int64_t(getValid().size()) != getValue().getType().getRank())
    return emitOpError() << "needs one valid extent for each axis";
  return verifyAccess(*this, getValue().getType(), getMemory().getType(), getOffsets().size());
}

LogicalResult BinaryOp::verify() {
  if (!llvm::isa<WholeTensorType>(getLhs().getType()) && !llvm::isa<WholeTensorType>(getRhs().getType()))
    return emitOpError() << "needs a tensor";
  WholeTensorType type = getResult().getType();
  if (failed(verifyOperand(*this, "lhs", getLhs().getType(), type)))
    return failure();
  return verifyOperand(*this, "rhs", getRhs().getType(), type);
}

LogicalResult CompareOp::verify() {
  WholeTensorType lhs = getLhs().getType();
  if (getResult().getType() != lhs.withElementType(IntegerType::get(getContext(), 1)))
    return emitOpError() << "gives a tensor of i1 of the operands' shape";
  return verifyOperand(*this, "rhs", getRhs().getType(), lhs);
}

LogicalResult SelectOp::verify() {
  WholeTensorType type = getResult().getType();
  if (getCondition().getType() != type.withElementType(IntegerType::get(getContext(), 1)))
    return emitOpError() << "chooses by a tensor of i1 of the result's shape";
  if (failed(verifyOperand(*this, "lhs", getLhs().getType(), type)))
    return failure();
  return verifyOperand(*this, "rhs", getRhs().getType(), type);
}

LogicalResult CastOp::verify() {
  if (getOperand().getType().getShape() != getResult().getType().getShape())
    return emitOpError() << "keeps the shape";
  return success();
}

LogicalResult FullOp::verify() {
  if (getValue().getType() != tile::scalarTypeOf(getResult().getType().getElementType()))
    return emitOpError() << "the scalar must have the tensor's element type";
  return success();
}

LogicalResult ExpandOp::verify() {
  WholeTensorType from = getOperand().getType(), to = getResult().getType();
  if (from.getElementType() != to.getElementType() || from.getRank() != to.getRank())
    return emitOpError() << "keeps element type and rank";
  for (auto [one, many] : llvm::zip_equal(from.getShape(), to.getShape()))
    if (one != many && one != 1)
      return emitOpError() << "repeats axes of size 1 only";
  return success();
}

LogicalResult ReshapeOp::verify() {
  WholeTensorType from = getOperand().getType(), to = getResult().getType();
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "keeps the element type";
  auto isKnown = [](WholeTensorType type) { return llvm::none_of(type.getShape(), ShapedType::isDynamic); };
  if (isKnown(from) && isKnown(to) && llvm::product_of(from.getShape()) != llvm::product_of(to.getShape()))
    return emitOpError() << "keeps the number of elements";
  return success();
}

LogicalResult TransposeOp::verify() {
  WholeTensorType from = getOperand().getType(), to = getResult().getType();
  SmallVector<int64_t> sorted(getAxes());
  llvm::sort(sorted);
  if (sorted != llvm::to_vector(llvm::seq<int64_t>(0, from.getRank())))
    return emitOpError() << "needs each axis once";
  for (auto [i, axis] : llvm::enumerate(getAxes()))
    if (to.getRank() != from.getRank() || to.getShape()[i] != from.getShape()[axis])
      return emitOpError() << "the result's shape is not the permuted one";
  return success();
}

static LogicalResult verifyAxis(Operation *op, WholeTensorType type, int64_t axis) {
  if (axis < 0 || axis >= type.getRank())
    return op->emitOpError() << "the tensor has no axis " << axis;
  return success();
}

LogicalResult ReduceOp::verify() {
  WholeTensorType from = getOperand().getType();
  if (failed(verifyAxis(*this, from, getAxis())))
    return failure();
  SmallVector<int64_t> shape(from.getShape());
  shape[getAxis()] = 1;
  if (getResult().getType() != from.withShape(shape))
    return emitOpError() << "the result is the operand with size 1 at axis " << getAxis();
  return success();
}

// A part and the tensor it is of.
static LogicalResult verifyPart(Operation *op, WholeTensorType part, WholeTensorType whole, size_t offsets) {
  if (part.getRank() != whole.getRank() || int64_t(offsets) != whole.getRank())
    return op->emitOpError() << "tensors and offsets differ in rank";
  if (part.getElementType() != whole.getElementType())
    return op->emitOpError() << "keeps the element type";
  return success();
}

LogicalResult SliceOp::verify() {
  return verifyPart(*this, getResult().getType(), getOperand().getType(), getOffsets().size());
}

LogicalResult InsertOp::verify() {
  if (getValid().size() != getOffsets().size())
    return emitOpError() << "needs one valid extent for each axis";
  return verifyPart(*this, getSource().getType(), getOperand().getType(), getOffsets().size());
}

LogicalResult ArangeOp::verify() {
  WholeTensorType type = getResult().getType();
  if (type.getRank() != 1 || getStart().getType() != type.getElementType() ||
      getStep().getType() != getStart().getType())
    return emitOpError() << "gives one axis of its scalars' type";
  return success();
}

LogicalResult ConcatOp::verify() {
  WholeTensorType to = getResult().getType();
  if (getOperands().empty() || int64_t(getAxis()) >= to.getRank())
    return emitOpError() << "needs operands and an axis of the result";
  int64_t size = 0;
  for (Value operand : getOperands()) {
    auto from = cast<WholeTensorType>(operand.getType());
    if (from.getRank() != to.getRank() || from.getElementType() != to.getElementType())
      return emitOpError() << "operands and result have one rank and element type";
    size += from.getShape()[getAxis()];
    for (int64_t axis = 0; axis < to.getRank(); ++axis)
      if (axis != int64_t(getAxis()) && from.getShape()[axis] != to.getShape()[axis])
        return emitOpError() << "operands differ along axis " << axis;
  }
  if (size != to.getShape()[getAxis()])
    return emitOpError() << "the result has not the operands' sizes together";
  return success();
}

LogicalResult IotaOp::verify() {
  Type element = getResult().getType().getElementType();
  if (!element.isInteger(32) && !element.isF32())
    return emitOpError() << "counts in i32 or f32";
  return verifyAxis(*this, getResult().getType(), getAxis());
}

// An index has the rank of the tensor it goes into, and is no larger beside the axis.
static LogicalResult verifyIndex(Operation *op, WholeTensorType index, WholeTensorType whole, int64_t axis) {
  if (!index.getElementType().isInteger(32))
    return op->emitOpError() << "the index is of i32";
  if (index.getRank() != whole.getRank())
    return op->emitOpError() << "index and tensor differ in rank";
  for (int64_t i = 0; i < whole.getRank(); ++i)
    if (i != axis && index.getShape()[i] > whole.getShape()[i])
      return op->emitOpError() << "the index is larger than the tensor along axis " << i;
  return verifyAxis(op, whole, axis);
}

LogicalResult GatherOp::verify() {
  if (getResult().getType() != getIndex().getType().withElementType(getOperand().getType().getElementType()))
    return emitOpError() << "gives the tensor's elements in the index's shape";
  return verifyIndex(*this, getIndex().getType(), getOperand().getType(), getAxis());
}

LogicalResult ScatterOp::verify() {
  if (getSource().getType() != getIndex().getType().withElementType(getOperand().getType().getElementType()))
    return emitOpError() << "the source has the tensor's elements in the index's shape";
  if (int64_t(getValid().size()) != getIndex().getType().getRank())
    return emitOpError() << "needs one valid extent for each axis";
  return verifyIndex(*this, getIndex().getType(), getOperand().getType(), getAxis());
}

static LogicalResult verifyRows(Operation *op, WholeTensorType rows, WholeTensorType value,
                                tile::GlobalTensorType memory) {
  if (value.getRank() != 2 || memory.getRank() != 2 || value.getElementType() != memory.getElementType())
    return op->emitOpError() << "moves rows between matrices of one element type";
  if (rows.getRank() != 1 || !rows.getElementType().isInteger(32) || rows.getShape()[0] != value.getShape()[0])
    return op->emitOpError() << "needs the number of each row, of i32";
  return success();
}

LogicalResult GatherRowsOp::verify() {
  return verifyRows(*this, getRows().getType(), getResult().getType(), getMemory().getType());
}

LogicalResult ScatterRowsOp::verify() {
  return verifyRows(*this, getRows().getType(), getValue().getType(), getMemory().getType());
}

LogicalResult CumsumOp::verify() { return verifyAxis(*this, getOperand().getType(), getAxis()); }

LogicalResult ArgOp::verify() {
  WholeTensorType from = getOperand().getType();
  if (failed(verifyAxis(*this, from, getAxis())))
    return failure();
  SmallVector<int64_t> shape(from.getShape());
  shape[getAxis()] = 1;
  if (getResult().getType() != from.withShape(shape).withElementType(IntegerType::get(getContext(), 32)))
    return emitOpError() << "the result is of i32, with size 1 at axis " << getAxis();
  return success();
}

LogicalResult SortOp::verify() {
  WholeTensorType from = getOperand().getType(), to = getResult().getType();
  bool rows = from.getRank() == to.getRank() && from.getShape().drop_back() == to.getShape().drop_back();
  if (!rows || to.getShape().back() > from.getShape().back())
    return emitOpError() << "the result has the operand's rows, or beginnings of them";
  if (!from.getElementType().isF32() || !(to.getElementType().isF32() || to.getElementType().isInteger(32)))
    return emitOpError() << "sorts f32, and gives f32 or positions of i32";
  return success();
}

LogicalResult SoftmaxOp::verify() { return verifyAxis(*this, getOperand().getType(), getAxis()); }

LogicalResult MatmulOp::verify() {
  WholeTensorType lhs = getLhs().getType(), rhs = getRhs().getType(), to = getResult().getType();
  int64_t rank = to.getRank();
  if (rank < 2 || lhs.getRank() != rank || rhs.getRank() != rank)
    return emitOpError() << "operands and result have one rank of at least 2";
  auto size = [&](WholeTensorType type, bool turned, int64_t axis) {
    return type.getShape()[rank - 2 + (turned != axis)];
  };
  if (size(lhs, getLhsTurned(), 1) != size(rhs, getRhsTurned(), 0))
    return emitOpError() << "inner sizes differ";
  if (size(lhs, getLhsTurned(), 0) != to.getShape()[rank - 2] ||
      size(rhs, getRhsTurned(), 1) != to.getShape()[rank - 1])
    return emitOpError() << "the result's shape is not that of the product";
  return success();
}
