// The dialect and its verifiers. The front end checks the user's program with better words; these keep the passes
// honest.
#include "tilesmith/Dialect/Triton/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::triton;

#include "tilesmith/Dialect/Triton/TritonDialect.cpp.inc"
#include "tilesmith/Dialect/Triton/TritonEnums.cpp.inc"
#define GET_OP_CLASSES
#include "tilesmith/Dialect/Triton/TritonOps.cpp.inc"

void TritonDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tilesmith/Dialect/Triton/TritonOps.cpp.inc"
      >();
}

static LogicalResult verifyAccess(Operation *op, tile::TileType value, tile::PtrType base, tile::TileType offsets,
                                  Value mask) {
  if (!offsets.getElementType().isSignlessInteger(32) || offsets.getShape() != value.getShape())
    return op->emitOpError() << "needs an offset of i32 for each element";
  if (value.getElementType() != base.getElementType())
    return op->emitOpError() << "element type " << value.getElementType() << " differs from the array's "
                             << base.getElementType();
  if (mask && mask.getType() != value.withElementType(IntegerType::get(op->getContext(), 1)))
    return op->emitOpError() << "needs a mask of i1 for each element";
  return success();
}

LogicalResult LoadOp::verify() {
  tile::TileType type = getResult().getType();
  if (Value other = getOther()) {
    bool fits = llvm::isa<tile::TileType>(other.getType())
                    ? other.getType() == type
                    : other.getType() == tile::scalarTypeOf(type.getElementType());
    if (!fits || !getMask())
      return emitOpError() << "`other` goes with a mask and has the type of the result or its elements";
  }
  return verifyAccess(*this, type, getBase().getType(), getOffsets().getType(), getMask());
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getValue().getType(), getBase().getType(), getOffsets().getType(), getMask());
}

LogicalResult UpdateOp::verify() {
  tile::TileType type = getValue().getType();
  if ((getKind() == UpdateKind::Cas) != bool(getExpected()))
    return emitOpError() << "`expected` goes with cas, and only with it";
  if (getResult().getType() != type || (getExpected() && getExpected().getType() != type))
    return emitOpError() << "has one type for all elements";
  return verifyAccess(*this, type, getBase().getType(), getOffsets().getType(), getMask());
}

LogicalResult AtomicOp::verify() {
  return verifyAccess(*this, getValue().getType(), getBase().getType(), getOffsets().getType(), getMask());
}
