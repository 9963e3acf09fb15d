// Vector functions (C310): runs of element-wise operations become one loop over registers.
//
// A group holds operations over the same elements, seen as rows x columns: element-wise operations fit any shape of
// their number of elements, broadcasts and reductions along the last axis fix rows and columns. Values used only inside
// a group never leave the registers; filled and repeated tiles are made again where they are used. A group waits until
// something outside needs one of its values; loads and scalar code that do not may pass it. A reduced value ends its
// row, so an operation that uses it starts the next group.
#include "VectorGroups.h"
#include "tilesmith/Machine/VectorFunction.h"
#include "tilesmith/Transforms/Remarks.h"

using namespace mlir;

namespace tilesmith {

Value rootOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isRename(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

// The shape as outer x repeated (or reduced) x inner, when the special axes are neighbours.
static std::optional<std::array<int64_t, 3>> oneRun(ArrayRef<int64_t> shape,
                                                    llvm::function_ref<bool(int64_t)> isSpecial) {
  int64_t outer = 1, special = 1, inner = 1;
  bool after = false;
  for (auto [axis, dim] : llvm::enumerate(shape)) {
    if (dim == 1)
      continue;
    if (isSpecial(axis)) {
      if (after)
        return std::nullopt;
      special *= dim;
    } else if (special == 1) {
      outer *= dim;
    } else {
      after = true;
      inner *= dim;
    }
  }
  return std::array<int64_t, 3>{outer, special, inner};
}

std::optional<Space> spaceOf(Operation *op) {
  for (Value result : op->getResults()) {
    auto type = dyn_cast<tile::TileType>(result.getType());
    if (!type || type.getMemory() != isa::Memory::UB)
      return std::nullopt;
  }
  auto isWide = [](Type type) { // lanes have 32 bits
    auto tile = dyn_cast<tile::TileType>(type);
    return tile && tile.getElementType().isInteger(64);
  };
  if (llvm::any_of(op->getOperandTypes(), isWide) || llvm::any_of(op->getResultTypes(), isWide))
    return std::nullopt;
  if (llvm::isa<tile::UnaryOp, tile::BinaryOp, tile::CompareOp, tile::SelectOp, tile::CastOp, tile::SplatOp>(op))
    return Space{cast<tile::TileType>(op->getResult(0).getType()).getNumElements()};
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    tile::TileType from = broadcast.getOperand().getType(), to = broadcast.getType();
    int64_t missing = to.getRank() - from.getRank();
    auto run =
        oneRun(to.getShape(), [&](int64_t axis) { return axis < missing || from.getShape()[axis - missing] == 1; });
    if (!run || to.getElementType().isInteger(1))
      return std::nullopt;
    auto [outer, repeated, inner] = *run;
    if (outer == 1 && inner == 1)
      return Space{repeated, 0, 0, from.getNumElements() == to.getNumElements() ? isa::VfWalk::Full : isa::VfWalk::One};
    if (repeated == 1)
      return Space{to.getNumElements(), 0, 0, isa::VfWalk::Full};
    if (inner == 1)
      return Space{outer * repeated, outer, repeated, isa::VfWalk::Element};
    if (outer == 1)
      return Space{repeated * inner, repeated, inner, isa::VfWalk::Row};
    return std::nullopt;
  }
  if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    tile::TileType from = reduce.getOperand().getType();
    auto run = oneRun(from.getShape(), [&](int64_t axis) { return llvm::is_contained(reduce.getDims(), axis); });
    if (!run || (*run)[2] != 1 || reduce.getKind() == tile::ReduceKind::Prod || from.getElementType().isInteger(1))
      return std::nullopt;
    return Space{from.getNumElements(), (*run)[0], (*run)[1]};
  }
  return std::nullopt;
}

// Filling and repeating cost nothing inside a vector function and a whole tile outside: each user gets its own.
void repeatAtUses(func::FuncOp kernel) {
  SmallVector<Operation *> cheap;
  kernel.walk([&](Operation *op) {
    if (llvm::isa<tile::SplatOp, tile::BroadcastOp>(op) && spaceOf(op))
      cheap.push_back(op);
  });
  for (Operation *op : llvm::reverse(cheap)) {
    for (OpOperand &use : llvm::make_early_inc_range(op->getResult(0).getUses())) {
      Operation *user = use.getOwner();
      if (!spaceOf(user) || op->getNextNode() == user)
        continue;
      use.set(OpBuilder(user).clone(*op)->getResult(0));
    }
    if (op->use_empty())
      op->erase();
  }
}

bool Lowering::isVectorisable(Operation *op, const Group &group) {
  if (isRename(op))
    return group.members.contains(op->getOperand(0).getDefiningOp());
  return spaceOf(op).has_value();
}

static bool touchesBits(Operation *op) {
  auto isBits = [](Type type) {
    auto tile = dyn_cast<tile::TileType>(type);
    return tile && tile.getElementType().isInteger(1);
  };
  return llvm::any_of(op->getOperandTypes(), isBits) || llvm::any_of(op->getResultTypes(), isBits);
}

Value extractedFrom(Value scalar) {
  auto extract = scalar.getDefiningOp<tile::ExtractOp>();
  return extract && extract.getOperand().getType().getMemory() == isa::Memory::UB ? rootOf(extract.getOperand())
                                                                                  : Value();
}

bool Lowering::isScalarNeeded(tile::ExtractOp op) {
  return llvm::any_of(op.getResult().getUsers(), [](Operation *user) { return !spaceOf(user); });
}

bool isConstant(Value value) {
  Attribute attribute;
  return matchPattern(value, m_Constant(&attribute));
}

bool isUsedOutside(Value value, const llvm::SmallPtrSetImpl<Operation *> &members) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (!members.contains(user))
      return true;
    return isRename(user) && isUsedOutside(user->getResult(0), members);
  });
}

// Arguments of the vector function: buffers read and written, and scalars.
static size_t countArguments(ArrayRef<Operation *> ops, const llvm::SmallPtrSetImpl<Operation *> &members) {
  llvm::SmallPtrSet<void *, 32> inputs;
  size_t outputs = 0;
  for (Operation *op : ops) {
    if (isRename(op))
      continue;
    for (Value operand : op->getOperands()) {
      if (Value tile = isTile(operand) ? rootOf(operand) : extractedFrom(operand)) {
        if (!members.contains(tile.getDefiningOp()))
          inputs.insert(tile.getAsOpaquePointer());
      } else if (!isConstant(operand)) {
        inputs.insert(operand.getAsOpaquePointer());
      }
    }
    outputs += llvm::isa<tile::ReduceOp>(op) || isUsedOutside(op->getResult(0), members);
  }
  return inputs.size() + outputs;
}

// Why a vector function ends before the operation.
static bool staysApart(Operation *op, const char *reason) {
  remark::missed(op->getLoc(), remarkOf("lower-to-isa", "vector-function")) << remark::reason("{0}", reason);
  return false;
}

bool Lowering::joins(Operation *op, Group &group) {
  bool first = group.ops.empty();
  if (!first && !fuse && !isRename(op))
    return staysApart(op, "fusing is switched off");
  Space space;
  if (!isRename(op)) {
    space = *spaceOf(op);
    for (Value operand : op->getOperands()) {
      Value tile = isTile(operand) ? rootOf(operand) : extractedFrom(operand);
      Operation *producer = tile ? tile.getDefiningOp() : nullptr;
      if (!producer || !group.members.contains(producer))
        continue;
      // A reduced value is complete only after the row; a repeated one is not in the registers of this shape.
      if (llvm::isa<tile::ReduceOp>(producer) || llvm::isa<tile::BroadcastOp>(op) || !isTile(operand))
        return staysApart(op, "an operand is complete only after the row");
    }
    if (!first) {
      if (group.elements != space.elements)
        return staysApart(op, "it has another number of elements");
      if (space.rows && group.rows && (space.rows != group.rows || space.cols != group.cols))
        return staysApart(op, "it has other rows and columns");
    }
    int64_t rows = space.rows ? space.rows : group.rows, cols = space.rows ? space.cols : group.cols;
    bool bits = group.bits || touchesBits(op);
    if (!first && bits && rows > 1 && cols % 8) // packed bits of a row must be whole bytes
      return staysApart(op, "the bits of a row are not whole bytes");
    group.members.insert(op);
    group.ops.push_back(op);
    if (!first && countArguments(group.ops, group.members) > TS_VF_MAX_ARGS) {
      group.members.erase(op);
      group.ops.pop_back();
      return staysApart(op, "the vector function would have too many arguments");
    }
    group.elements = space.elements;
    group.bits = bits;
    group.rows = rows;
    group.cols = cols;
    return true;
  }
  group.members.insert(op);
  group.ops.push_back(op);
  return true;
}

} // namespace tilesmith
