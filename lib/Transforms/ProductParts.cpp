#include "ProductParts.h"
#include "Matrices.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilesmith {

Value Operand::piece(OpBuilder &b, Location loc, Value row, int64_t rows, Value column, int64_t columns) const {
  SmallVector<Value> start = offsets;
  auto move = [&](Value &at, Value by) {
    if (matchPattern(at, m_Zero()))
      at = by;
    else if (!matchPattern(by, m_Zero()))
      at = arith::AddIOp::create(b, loc, at, by);
  };
  move(start.end()[-2], turned ? column : row);
  move(start.end()[-1], turned ? row : column);
  auto from = cast<tile::TileType>(source.getType());
  SmallVector<int64_t> shape(from.getRank(), 1);
  shape.end()[-2] = rows;
  shape.end()[-1] = columns;
  Value copy = tile::CopyOp::create(b, loc, from.withShape(shape).withMemory(target), source, start, turned);
  if (from.getRank() == 2)
    return copy;
  return tile::ReshapeOp::create(b, loc, from.withShape({rows, columns}).withMemory(target), copy);
}

std::optional<Operand> operandOf(Value tile) {
  isa::Memory target = cast<tile::TileType>(tile.getType()).getMemory();
  for (auto view = tile.getDefiningOp<tile::ReshapeOp>(); view && isMatrixView(view);
       view = tile.getDefiningOp<tile::ReshapeOp>())
    tile = view.getOperand();
  auto copy = tile.getDefiningOp<tile::CopyOp>();
  if (!copy || copy.getOperand().getType().getMemory() != isa::Memory::L1)
    return std::nullopt;
  return Operand{copy.getOperand(), llvm::to_vector(copy.getOffsets()), target, copy.getTransposed()};
}

bool leavesInParts(Operation *op) {
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return !store.getCount() && !store.getBits();
  if (auto atomic = dyn_cast<tile::AtomicOp>(op))
    return !atomic.getCount() && !atomic.getBits();
  auto unary = dyn_cast<tile::UnaryOp>(op);
  auto view = dyn_cast<tile::ReshapeOp>(op);
  if (!llvm::isa<tile::CastOp>(op) && !(unary && unary.getKind() == tile::UnaryKind::Relu) &&
      !(view && isMatrixView(view)))
    return false;
  return llvm::all_of(op->getUsers(), leavesInParts);
}

Value leavePart(Operation *op, Value part, const PartPlace &place, Operation *where) {
  OpBuilder b(where);
  Operation *mine = b.clone(*op);
  b.setInsertionPoint(mine);
  auto move = [&](MutableOperandRange offsets) {
    for (unsigned i : {0, 1})
      if (place[i]) {
        Value by = arith::ConstantOp::create(b, op->getLoc(), b.getI32IntegerAttr(place[i]));
        OpOperand &at = offsets[offsets.size() - 2 + i];
        at.set(arith::AddIOp::create(b, op->getLoc(), at.get(), by));
      }
  };
  mine->setOperand(0, part);
  if (auto store = dyn_cast<tile::StoreOp>(mine))
    return move(store.getOffsetsMutable()), Value();
  if (auto atomic = dyn_cast<tile::AtomicOp>(mine))
    return move(atomic.getOffsetsMutable()), Value();
  ArrayRef<int64_t> partOf = cast<tile::TileType>(part.getType()).getShape();
  auto type = cast<tile::TileType>(op->getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.end()[-2] = partOf.end()[-2];
  shape.end()[-1] = partOf.back();
  mine->getResult(0).setType(type.withShape(shape));
  return mine->getResult(0);
}

tile::MatmulOp nextProduct(tile::MatmulOp product) {
  auto next =
      product.getResult().hasOneUse() ? dyn_cast<tile::MatmulOp>(*product.getResult().user_begin()) : tile::MatmulOp();
  return next && next->getBlock() == product->getBlock() ? next : tile::MatmulOp();
}

void eraseProduct(tile::MatmulOp product) {
  SmallVector<Value> operands = {product.getLhs(), product.getRhs()};
  product.erase();
  for (Value operand : operands)
    while (Operation *op = operand.getDefiningOp()) {
      if (!llvm::isa<tile::CopyOp, tile::ReshapeOp>(op) || !op->use_empty())
        break;
      operand = op->getOperand(0);
      op->erase();
    }
}

} // namespace tilesmith
