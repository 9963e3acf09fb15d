// Where tile values live.
#include "Lowering.h"

using namespace mlir;

namespace tilesmith {

bool isRename(Operation *op) { return llvm::isa<tile::ReshapeOp>(op); }

void collectUsers(Value tile, SmallVectorImpl<Operation *> &users) {
  for (OpOperand &use : tile.getUses()) {
    Operation *user = use.getOwner();
    users.push_back(user);
    auto reduce = dyn_cast<tile::ReduceOp>(user);
    bool sameTile = isRename(user) || (reduce && reduce.getType().getNumElements() ==
                                                     cast<tile::TileType>(tile.getType()).getNumElements());
    if (sameTile ||
        llvm::isa<tile::BitcastOp, tile::ExtractOp, tile::BroadcastOp>(user)) // read where their results are
      collectUsers(user->getResult(0), users);
    else if (auto copy = dyn_cast<tile::CopyOp>(user); copy && rowViewed(copy))
      collectUsers(copy.getResult(), users);
    else if (auto loop = dyn_cast<scf::ForOp>(user))
      collectUsers(loop.getTiedLoopResult(&use), users);
  }
}

Value Lowering::bufferOf(Value tile) {
  Value buffer = buffers.lookup(tile);
  assert(buffer && "tile used before it was lowered");
  return buffer;
}

std::string describe(tile::TileType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(type.getShape(), os);
  os << "] " << describe(type.getElementType());
  return text;
}

std::string describe(Type element) {
  StringRef kind = element.isBF16()                ? "bfloat"
                   : llvm::isa<FloatType>(element) ? "float"
                   : element.isUnsignedInteger()   ? "uint"
                                                   : "int";
  return (kind + llvm::Twine(element.getIntOrFloatBitWidth())).str();
}

LogicalResult noInstruction(Operation *op, StringRef what, Type type, isa::Arch arch) {
  return op->emitError() << what << " of " << describe(type) << " tiles has no instruction on " << isa::stringify(arch);
}

Value storageOf(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (auto view = dyn_cast<isa::ViewOp>(op))
      buffer = view.getBase();
    else if (auto offset = dyn_cast<isa::OffsetOp>(op))
      buffer = offset.getBase();
    else
      break;
  }
  return buffer;
}

StringRef nameOf(Value value) {
  if (auto name = dyn_cast<NameLoc>(value.getLoc()))
    return name.getName();
  return {};
}

static int64_t bytesOf(tile::TileType type) {
  if (type.getElementType().isInteger(1))
    return roundUp(type.getNumElements(), 64) / 8;
  return type.getNumElements() * Emitter::sizeOf(type.getElementType());
}

Value Lowering::allocFor(Value tile, StringRef what) {
  auto type = cast<tile::TileType>(tile.getType());
  StringRef name = nameOf(tile);
  return alloc(type.getMemory(), type.getElementType(), bytesOf(type), name.empty() ? what : name, describe(type));
}

Value Lowering::temporary(Type elementType, int64_t elements) {
  int64_t bytes = elementType.isInteger(1) ? roundUp(elements, 64) / 8 : elements * sizeOf(elementType);
  return alloc(isa::Memory::UB, elementType, bytes);
}

Operation *Lowering::outermostLoop() {
  Operation *outermost = nullptr, *parent = b.getInsertionBlock()->getParentOp();
  for (; parent && parent != kernel; parent = parent->getParentOp())
    if (llvm::isa<scf::ForOp, scf::WhileOp>(parent))
      outermost = parent;
  return outermost;
}

// A buffer that keeps what `fill` writes: both come before the outermost loop around.
void Lowering::beforeLoops(isa::AllocOp buffer, function_ref<void()> fill) {
  OpBuilder::InsertionGuard guard(b);
  if (Operation *loop = outermostLoop()) {
    buffer->moveBefore(loop);
    b.setInsertionPoint(loop);
  }
  fill();
}

// Whether nothing reads the tile after `op`, which does. What leaves a region may be read under another name.
static bool isLastUse(Value tile, Operation *op) {
  SmallVector<Operation *> users;
  collectUsers(tile, users);
  return llvm::all_of(users, [&](Operation *user) {
    Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
    return here && (here == op || here->isBeforeInBlock(op)) && !user->hasTrait<OpTrait::IsTerminator>() &&
           !llvm::isa<scf::WhileOp>(user);
  });
}

// Where the value that takes the place of a carried tile will lie, if it is computed from `result` and that is the last
// to be computed from the old tile: it needs no bytes of its own then.
Value Lowering::placeOfRenewed(Value result) {
  Operation *op = result.getDefiningOp(), *user = result.hasOneUse() ? *result.user_begin() : nullptr;
  if (!user || user->getBlock() != op->getBlock() || !llvm::isa<tile::BinaryOp, tile::UnaryOp>(user) ||
      user->getResult(0).getType() != result.getType())
    return {};
  BlockArgument old = renewed.lookup(user->getResult(0));
  if (!old)
    return {};
  SmallVector<Operation *> users;
  collectUsers(old, users);
  bool isOver = llvm::is_contained(users, op) && llvm::all_of(users, [&](Operation *reader) {
                  auto insert = dyn_cast<tile::InsertOp>(reader);
                  Operation *here = op->getBlock()->findAncestorOpInBlock(*reader);
                  return (insert && insert.getTile() == old) || here == op || (here && here->isBeforeInBlock(op));
                });
  return isOver ? wanted.lookup(user->getResult(0)) : Value();
}

Value Lowering::destination(Value result, ArrayRef<Value> operands, bool inPlace) {
  auto isOperand = [&](Value buffer) {
    return llvm::any_of(operands, [&](Value operand) {
      Value own = buffers.lookup(operand);
      return own && storageOf(own) == storageOf(buffer);
    });
  };
  if (Value carried = wanted.lookup(result); carried && (inPlace || !isOperand(carried)))
    return buffers[result] = carried;
  if (Value place = inPlace && !wanted.contains(result) ? placeOfRenewed(result) : Value())
    return buffers[result] = place;
  // An operand made by a vector instruction that nobody reads later: the result may take its place. Loaded tiles keep
  // theirs, so that the next load need not wait for the arithmetic.
  if (inPlace && !wanted.lookup(result))
    for (Value operand : operands) {
      auto type = dyn_cast<tile::TileType>(operand.getType());
      if (!type || !owned.contains(operand) || !isLastUse(operand, result.getDefiningOp()) ||
          type.getElementType().isInteger(1))
        continue;
      auto own = cast<tile::TileType>(result.getType());
      if (operand.getParentBlock() != result.getParentBlock() || bytesOf(type) != bytesOf(own) ||
          sizeOf(type.getElementType()) != sizeOf(own.getElementType()))
        continue;
      owned.insert(result);
      return buffers[result] = view(bufferOf(operand), own.getElementType());
    }
  if (!wanted.lookup(result))
    owned.insert(result);
  return buffers[result] = allocFor(result);
}

void Lowering::copyTile(Value dst, Value src, tile::TileType type) {
  if (dst != src)
    copyElements(dst, src, type.getNumElements());
}

} // namespace tilesmith
