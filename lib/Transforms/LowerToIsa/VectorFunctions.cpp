// Vector functions (C310): runs of element-wise operations become one loop over registers.
//
// A group holds operations over the same elements, seen as rows x columns: element-wise operations fit any shape of their
// number of elements, broadcasts and reductions along the last axis fix rows and columns. Values used only inside a group
// never leave the registers; filled and repeated tiles are made again where they are used. A group waits until something outside needs one of its values; loads and scalar code that do
// not may pass it. A reduced value ends its row, so an operation that uses it starts the next group.
#include "Lowering.h"
#include "tilesmith/Machine/VectorFunction.h"

using namespace mlir;

namespace tilesmith {

static bool isTile(Value value) { return llvm::isa<tile::TileType>(value.getType()); }

// A tile through the operations that only rename it.
static Value rootOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isRename(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

namespace {
// Rows and columns an operation needs; rows 0: any shape of `elements`.
struct Space {
  int64_t elements = 0, rows = 0, cols = 0;
  StringRef walk; // of a broadcast's operand
};
} // namespace

// The shape as outer x repeated (or reduced) x inner, when the special axes are neighbours.
static std::optional<std::array<int64_t, 3>> oneRun(ArrayRef<int64_t> shape, llvm::function_ref<bool(int64_t)> isSpecial) {
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

static std::optional<Space> spaceOf(Operation *op) {
  for (Value result : op->getResults()) {
    auto type = dyn_cast<tile::TileType>(result.getType());
    if (!type || type.getMemory() != isa::Memory::UB)
      return std::nullopt;
  }
  if (llvm::isa<tile::UnaryOp, tile::BinaryOp, tile::CompareOp, tile::SelectOp, tile::CastOp, tile::SplatOp>(op))
    return Space{cast<tile::TileType>(op->getResult(0).getType()).getNumElements(), 0, 0, {}};
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    tile::TileType from = broadcast.getOperand().getType(), to = broadcast.getType();
    int64_t missing = to.getRank() - from.getRank();
    auto run = oneRun(to.getShape(), [&](int64_t axis) { return axis < missing || from.getShape()[axis - missing] == 1; });
    if (!run || to.getElementType().isInteger(1))
      return std::nullopt;
    auto [outer, repeated, inner] = *run;
    if (outer == 1 && inner == 1)
      return Space{repeated, 0, 0, from.getNumElements() == to.getNumElements() ? "full" : "one"};
    if (repeated == 1)
      return Space{to.getNumElements(), 0, 0, "full"};
    if (inner == 1)
      return Space{outer * repeated, outer, repeated, "element"};
    if (outer == 1)
      return Space{repeated * inner, repeated, inner, "row"};
    return std::nullopt;
  }
  if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    tile::TileType from = reduce.getOperand().getType();
    auto run = oneRun(from.getShape(), [&](int64_t axis) { return llvm::is_contained(reduce.getDims(), axis); });
    if (!run || (*run)[2] != 1 || reduce.getKind() == tile::ReduceKind::Prod || from.getElementType().isInteger(1))
      return std::nullopt;
    return Space{from.getNumElements(), (*run)[0], (*run)[1], {}};
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

// The tile a scalar operand was extracted from: registers can take it from there, no scalar is needed.
static Value extractedFrom(Value scalar) {
  auto extract = scalar.getDefiningOp<tile::ExtractOp>();
  return extract && extract.getOperand().getType().getMemory() == isa::Memory::UB ? rootOf(extract.getOperand()) : Value();
}

bool Lowering::isScalarNeeded(tile::ExtractOp op) {
  return llvm::any_of(op.getResult().getUsers(), [](Operation *user) { return !spaceOf(user); });
}

static bool isConstant(Value value) {
  Attribute attribute;
  return matchPattern(value, m_Constant(&attribute));
}

// Whether something outside `members` uses the value.
static bool isUsedOutside(Value value, const llvm::SmallPtrSetImpl<Operation *> &members) {
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

bool Lowering::joins(Operation *op, Group &group) {
  bool first = group.ops.empty();
  if (!first && !fuse && !isRename(op))
    return false;
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
        return false;
    }
    if (!first) {
      if (group.elements != space.elements)
        return false;
      if (space.rows && group.rows && (space.rows != group.rows || space.cols != group.cols))
        return false;
    }
    int64_t rows = space.rows ? space.rows : group.rows, cols = space.rows ? space.cols : group.cols;
    bool bits = group.bits || touchesBits(op);
    if (!first && bits && rows > 1 && cols % 8) // packed bits of a row must be whole bytes
      return false;
    group.members.insert(op);
    group.ops.push_back(op);
    if (!first && countArguments(group.ops, group.members) > TS_VF_MAX_ARGS) {
      group.members.erase(op);
      group.ops.pop_back();
      return false;
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

namespace {
// Builds the body of one vector function.
class Body {
public:
  Body(Emitter &e, isa::VfOp vf, ArrayRef<Value> arguments, int64_t rows, int64_t cols) : e(e), cols(cols) {
    block = e.b.createBlock(&vf.getBody());
    for (Value argument : arguments)
      args[argument] = block->addArgument(argument.getType(), e.loc);
  }

  Value load(Value buffer, StringRef walk) {
    Value &reg = loaded[{buffer, walk}];
    if (!reg)
      reg = isa::VfLoadOp::create(e.b, e.loc, regType(Emitter::elementOf(buffer)), args.lookup(buffer),
                                  e.b.getStringAttr(walk), pitch(buffer, walk));
    return reg;
  }
  void store(Value reg, Value buffer) {
    StringRef walk = Emitter::elementOf(buffer).isInteger(1) ? "bits" : "full";
    isa::VfStoreOp::create(e.b, e.loc, reg, args.lookup(buffer), e.b.getStringAttr(walk), pitch(buffer, walk));
  }
  Value scalar(Value value) {
    TypedAttr constant;
    Value &reg = scalars[value];
    if (reg)
      return reg;
    if (matchPattern(value, m_Constant(&constant)))
      return reg = isa::VfConstantOp::create(e.b, e.loc, regType(value.getType()), constant);
    return reg = isa::VfScalarOp::create(e.b, e.loc, regType(value.getType()), args.lookup(value));
  }
  Value compute(StringRef instruction, ValueRange operands, Type type, std::optional<isa::RoundMode> round = {},
                std::optional<isa::CmpMode> mode = {}) {
    MLIRContext *context = e.b.getContext();
    return isa::VfComputeOp::create(e.b, e.loc, regType(type), e.b.getStringAttr(instruction), operands,
                                    round ? isa::RoundModeAttr::get(context, *round) : isa::RoundModeAttr(),
                                    mode ? isa::CmpModeAttr::get(context, *mode) : isa::CmpModeAttr());
  }
  void reduce(StringRef kind, Value reg, Value buffer) {
    isa::VfReduceOp::create(e.b, e.loc, e.b.getStringAttr(kind), reg, args.lookup(buffer), e.b.getStringAttr("element"));
  }

private:
  isa::RegType regType(Type type) { return isa::RegType::get(e.b.getContext(), type); }
  IntegerAttr pitch(Value buffer, StringRef walk) {
    return e.b.getI64IntegerAttr(walk == "full" ? cols * Emitter::sizeOfElement(buffer) : 0);
  }

  Emitter &e;
  int64_t cols;
  Block *block;
  llvm::DenseMap<Value, Value> args, scalars;
  llvm::DenseMap<std::pair<Value, StringRef>, Value> loaded;
};
} // namespace

static Value computeUnary(Body &body, tile::UnaryOp op, Value x) {
  Type type = op.getType().getElementType();
  switch (op.getKind()) {
  case tile::UnaryKind::Floor:
    return body.compute("cast", x, type, isa::RoundMode::Floor);
  case tile::UnaryKind::Ceil:
    return body.compute("cast", x, type, isa::RoundMode::Ceil);
  case tile::UnaryKind::Log:
    return body.compute("ln", x, type);
  default: // the table has the same names
    return body.compute(tile::stringifyUnaryKind(op.getKind()), x, type);
  }
}

static Value computeBinary(Body &body, tile::BinaryOp op, Value x, Value y) {
  Type type = op.getType().getElementType();
  switch (op.getKind()) {
  case tile::BinaryKind::Shl:
    return body.compute("shift_left", {x, y}, type);
  case tile::BinaryKind::Shr:
    return body.compute("shift_right", {x, y}, type);
  case tile::BinaryKind::Xor: {
    Value neither = body.compute("not", body.compute("and", {x, y}, type), type);
    return body.compute("and", {body.compute("or", {x, y}, type), neither}, type);
  }
  default:
    return body.compute(tile::stringifyBinaryKind(op.getKind()), {x, y}, type);
  }
}

LogicalResult Lowering::close(Group &closing) {
  Group group = std::move(closing);
  closing = Group();
  if (group.ops.empty())
    return success();
  loc = group.ops.front()->getLoc();
  int64_t rows = group.rows ? group.rows : 1, cols = group.rows ? group.cols : group.elements;

  // Inputs.
  llvm::SetVector<Value> arguments;
  llvm::DenseSet<Value> readOtherwise; // buffers not walked element by element
  auto isInside = [&](Value tile) { return tile.getDefiningOp() && group.members.contains(tile.getDefiningOp()); };
  for (Operation *op : group.ops) {
    if (isRename(op))
      continue;
    for (Value operand : op->getOperands()) {
      Value tile = isTile(operand) ? rootOf(operand) : extractedFrom(operand);
      if (tile && isInside(tile))
        continue;
      if (tile) {
        arguments.insert(bufferOf(tile));
        if (llvm::isa<tile::BroadcastOp>(op) || !isTile(operand))
          readOtherwise.insert(bufferOf(tile));
      } else if (!isConstant(operand)) {
        arguments.insert(operand);
      }
    }
  }
  // Outputs: in the buffer a loop wants them in, unless this function still reads that in another order.
  SmallVector<Operation *> stored;
  for (Operation *op : group.ops) {
    if (isRename(op) || !isUsedOutside(op->getResult(0), group.members))
      continue;
    Value result = op->getResult(0), target = wanted.lookup(result);
    bool reduces = llvm::isa<tile::ReduceOp>(op);
    if (target && (readOtherwise.contains(target) || (reduces && arguments.contains(target))))
      target = {};
    if (!target) {
      target = allocFor(result);
      owned.insert(result);
    }
    buffers[result] = target;
    arguments.insert(target);
    stored.push_back(op);
  }
  for (Operation *op : group.ops)
    if (isRename(op))
      buffers[op->getResult(0)] = buffers.lookup(rootOf(op->getResult(0)));
  if (stored.empty())
    return success();

  auto vf = isa::VfOp::create(b, loc, arguments.getArrayRef(), b.getI64IntegerAttr(rows), b.getI64IntegerAttr(cols));
  OpBuilder::InsertionGuard guard(b);
  Body body(*this, vf, arguments.getArrayRef(), rows, cols);
  DenseMap<Value, Value> regs;
  auto reg = [&](Value operand) -> Value {
    if (!isTile(operand)) {
      if (Value tile = extractedFrom(operand))
        return body.load(bufferOf(tile), "one");
      return body.scalar(operand);
    }
    Value tile = rootOf(operand);
    if (isInside(tile))
      return regs.lookup(tile);
    return body.load(bufferOf(tile), elementOf(bufferOf(tile)).isInteger(1) ? "bits" : "full");
  };
  for (Operation *op : group.ops) {
    if (isRename(op))
      continue;
    loc = op->getLoc();
    Value result = op->getResult(0);
    if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
      if (llvm::is_contained(stored, op))
        body.reduce(tile::stringifyReduceKind(reduce.getKind()), reg(reduce.getOperand()), bufferOf(result));
      continue;
    }
    Type type = cast<tile::TileType>(result.getType()).getElementType();
    Value &value = regs[result];
    if (auto unary = dyn_cast<tile::UnaryOp>(op))
      value = computeUnary(body, unary, reg(unary.getOperand()));
    else if (auto binary = dyn_cast<tile::BinaryOp>(op))
      value = computeBinary(body, binary, reg(binary.getLhs()), reg(binary.getRhs()));
    else if (auto compare = dyn_cast<tile::CompareOp>(op))
      value = body.compute("compare", {reg(compare.getLhs()), reg(compare.getRhs())}, type, {},
                           isa::CmpMode(int64_t(compare.getKind())));
    else if (auto select = dyn_cast<tile::SelectOp>(op))
      value = body.compute("select", {reg(select.getMask()), reg(select.getLhs()), reg(select.getRhs())}, type);
    else if (auto cast = dyn_cast<tile::CastOp>(op))
      value = body.compute("cast", reg(cast.getOperand()), type, roundingOf(cast.getOperand().getType().getElementType(), type));
    else if (auto splat = dyn_cast<tile::SplatOp>(op))
      value = reg(splat.getValue());
    else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
      value = body.load(bufferOf(rootOf(broadcast.getOperand())), spaceOf(op)->walk);
  }
  for (Operation *op : stored)
    if (!llvm::isa<tile::ReduceOp>(op))
      body.store(regs.lookup(op->getResult(0)), bufferOf(op->getResult(0)));
  return success();
}

} // namespace tilesmith
