// What tile ops fold to. Only what is the same to the last bit, NaNs included, and never a move the user asked for.
#include "tilesmith/Dialect/Tile/Tile.h"

using namespace mlir;
using namespace tilesmith::tile;

OpFoldResult SelectOp::fold(FoldAdaptor) {
  return getLhs() == getRhs() && getLhs().getType() == getType() ? getLhs() : Value();
}

// An integer of the type, whose value and not whose truth counts.
static IntegerType numberOf(TileType type) {
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  return integer && integer.getWidth() > 1 ? integer : IntegerType();
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  auto inner = getOperand().getDefiningOp<CastOp>();
  if (!inner || inner.getOperand().getType() != getType())
    return {};
  IntegerType number = numberOf(getType()), between = numberOf(inner.getType());
  return number && between && number.getWidth() <= between.getWidth() ? inner.getOperand() : Value();
}

OpFoldResult ExtractOp::fold(FoldAdaptor) {
  auto splat = getOperand().getDefiningOp<SplatOp>();
  return splat ? splat.getValue() : Value();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) { return getOperand().getType() == getType() ? getOperand() : Value(); }

// A new name for the same bytes: of its own type it is not needed, after another one it starts from that one's operand.
template <typename Rename> static OpFoldResult foldRename(Rename op) {
  if (op.getOperand().getType() == op.getType())
    return op.getOperand();
  auto inner = op.getOperand().template getDefiningOp<Rename>();
  if (!inner)
    return {};
  if (inner.getOperand().getType() == op.getType())
    return inner.getOperand();
  op.getOperandMutable().assign(inner.getOperand());
  return op.getResult();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) { return foldRename(*this); }

OpFoldResult BitcastOp::fold(FoldAdaptor) { return foldRename(*this); }

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getNumOperands() == 1 && getOperand(0).getType() == getType() ? getOperand(0) : Value();
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (llvm::is_sorted(getAxes()))
    return getOperand();
  auto inner = getOperand().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  SmallVector<int64_t> axes;
  for (int64_t axis : getAxes())
    axes.push_back(inner.getAxes()[axis]);
  getOperandMutable().assign(inner.getOperand());
  setAxes(axes);
  return getResult();
}
