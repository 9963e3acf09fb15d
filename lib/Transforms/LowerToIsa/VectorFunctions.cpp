// The bodies of vector functions: one group of operations as register code.
//
// Each input is loaded once per way it is walked, each output stored once; an output goes straight into the buffer a
// loop wants it in, unless the function still reads that buffer in another order.
#include "VectorGroups.h"
#include "tilesmith/Machine/VectorFunction.h"
#include "tilesmith/Transforms/Remarks.h"

using namespace mlir;

namespace tilesmith {

namespace {
// Builds the body of one vector function.
class Body {
public:
  Body(Emitter &e, isa::VfOp vf, ArrayRef<Value> arguments, int64_t rows, int64_t cols) : e(e), cols(cols) {
    block = e.b.createBlock(&vf.getBody());
    for (Value argument : arguments)
      args[argument] = block->addArgument(argument.getType(), e.loc);
  }

  Value load(Value buffer, isa::VfWalk walk) {
    Value &reg = loaded[{buffer, walk}];
    if (!reg)
      reg = isa::VfLoadOp::create(e.b, e.loc, regType(Emitter::elementOf(buffer)), args.lookup(buffer), walk,
                                  pitch(buffer, walk));
    return reg;
  }
  void store(Value reg, Value buffer) {
    isa::VfWalk walk = walkOf(buffer);
    isa::VfStoreOp::create(e.b, e.loc, reg, args.lookup(buffer), walk, pitch(buffer, walk));
  }
  // A scalar as elements of `type`, which tells its sign.
  Value scalar(Value value, Type type) {
    TypedAttr constant;
    Value &reg = scalars[{value, type}];
    if (reg)
      return reg;
    if (matchPattern(value, m_Constant(&constant)))
      return reg = isa::VfConstantOp::create(e.b, e.loc, regType(type), constant);
    return reg = isa::VfScalarOp::create(e.b, e.loc, regType(type), args.lookup(value));
  }
  Value compute(StringRef instruction, ValueRange operands, Type type, std::optional<isa::RoundMode> round = {},
                std::optional<isa::CmpMode> mode = {}) {
    MLIRContext *context = e.b.getContext();
    return isa::VfComputeOp::create(e.b, e.loc, regType(type), e.b.getStringAttr(instruction), operands,
                                    round ? isa::RoundModeAttr::get(context, *round) : isa::RoundModeAttr(),
                                    mode ? isa::CmpModeAttr::get(context, *mode) : isa::CmpModeAttr());
  }
  // `width`: columns of short rows that lie side by side; 0: a row is a row.
  void reduce(tile::ReduceKind kind, Value reg, Value buffer, int64_t width) {
    isa::VfReduction reduction = *isa::symbolizeVfReduction(tile::stringifyReduceKind(kind));
    isa::VfReduceOp::create(e.b, e.loc, reduction, reg, args.lookup(buffer), width);
  }
  // The walk through all elements of a buffer.
  static isa::VfWalk walkOf(Value buffer) {
    return Emitter::elementOf(buffer).isInteger(1) ? isa::VfWalk::Bits : isa::VfWalk::Full;
  }

private:
  isa::RegType regType(Type type) { return isa::RegType::get(e.b.getContext(), type); }
  int64_t pitch(Value buffer, isa::VfWalk walk) {
    return walk == isa::VfWalk::Full ? cols * Emitter::sizeOfElement(buffer) : 0;
  }

  Emitter &e;
  int64_t cols;
  Block *block;
  llvm::DenseMap<Value, Value> args;
  llvm::DenseMap<std::pair<Value, Type>, Value> scalars;
  llvm::DenseMap<std::pair<Value, isa::VfWalk>, Value> loaded;
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

// Columns of rows so short that a register holds several: the group then runs over all elements as over one row. 0:
// rows are not that short, or something repeats along them.
static int64_t shortRows(ArrayRef<Operation *> ops, int64_t rows, int64_t cols) {
  constexpr int64_t most = TS_VF_LANES / 2;
  bool fits = rows > 1 && cols > 1 && cols <= most && llvm::isPowerOf2_64(cols);
  bool reduces = llvm::any_of(ops, [](Operation *op) { return llvm::isa<tile::ReduceOp>(op); });
  bool repeats = llvm::any_of(ops, [](Operation *op) { return llvm::isa<tile::BroadcastOp>(op) && spaceOf(op)->rows; });
  return fits && reduces && !repeats ? cols : 0;
}

LogicalResult Lowering::close(Group &closing) {
  Group group = std::move(closing);
  closing = Group();
  if (group.ops.empty())
    return success();
  loc = group.ops.front()->getLoc();
  int64_t rows = group.rows ? group.rows : 1, cols = group.rows ? group.cols : group.elements;
  int64_t width = shortRows(group.ops, rows, cols);
  if (width) {
    cols *= rows;
    rows = 1;
  }

  // Inputs.
  llvm::SetVector<Value> arguments;
  llvm::DenseSet<Value> read, readOtherwise; // storage; that is not walked element by element
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
        read.insert(storageOf(bufferOf(tile)));
        if (llvm::isa<tile::BroadcastOp>(op) || !isTile(operand))
          readOtherwise.insert(storageOf(bufferOf(tile)));
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
    if (target && (readOtherwise.contains(storageOf(target)) || (reduces && read.contains(storageOf(target)))))
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

  remark::passed(loc, remarkOf("lower-to-isa", "vector-function"))
      << remark::metric("operations", group.ops.size()) << remark::metric("rows", rows) << remark::metric("cols", cols)
      << remark::metric("arguments", arguments.size()) << remark::metric("stores", stored.size());
  auto vf = isa::VfOp::create(b, loc, arguments.getArrayRef(), b.getI64IntegerAttr(rows), b.getI64IntegerAttr(cols));
  OpBuilder::InsertionGuard guard(b);
  Body body(*this, vf, arguments.getArrayRef(), rows, cols);
  DenseMap<Value, Value> regs;
  auto reg = [&](Value operand, Type type) -> Value {
    if (!isTile(operand)) {
      Value tile = extractedFrom(operand);
      if (!tile)
        return body.scalar(operand, type);
      Value one = body.load(bufferOf(tile), isa::VfWalk::One);
      return elementOf(bufferOf(tile)) == type ? one : body.compute("cast", one, type, isa::RoundMode::None);
    }
    Value tile = rootOf(operand);
    if (isInside(tile))
      return regs.lookup(tile);
    return body.load(bufferOf(tile), Body::walkOf(bufferOf(tile)));
  };
  for (Operation *op : group.ops) {
    if (isRename(op))
      continue;
    loc = op->getLoc();
    Value result = op->getResult(0);
    if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
      if (llvm::is_contained(stored, op))
        body.reduce(reduce.getKind(), reg(reduce.getOperand(), {}), bufferOf(result), width);
      continue;
    }
    Type type = cast<tile::TileType>(result.getType()).getElementType();
    Value &value = regs[result];
    if (auto unary = dyn_cast<tile::UnaryOp>(op))
      value = computeUnary(body, unary, reg(unary.getOperand(), {}));
    else if (auto binary = dyn_cast<tile::BinaryOp>(op))
      value = computeBinary(body, binary, reg(binary.getLhs(), type), reg(binary.getRhs(), type));
    else if (auto compare = dyn_cast<tile::CompareOp>(op))
      value = body.compute(
          "compare", {reg(compare.getLhs(), {}), reg(compare.getRhs(), compare.getLhs().getType().getElementType())},
          type, {}, isa::CmpMode(int64_t(compare.getKind())));
    else if (auto select = dyn_cast<tile::SelectOp>(op))
      value = body.compute("select",
                           {reg(select.getMask(), {}), reg(select.getLhs(), type), reg(select.getRhs(), type)}, type);
    else if (auto cast = dyn_cast<tile::CastOp>(op))
      value = body.compute("cast", reg(cast.getOperand(), {}), type,
                           roundingOf(cast.getOperand().getType().getElementType(), type));
    else if (auto splat = dyn_cast<tile::SplatOp>(op))
      value = reg(splat.getValue(), type);
    else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
      value = body.load(bufferOf(rootOf(broadcast.getOperand())), spaceOf(op)->walk);
  }
  for (Operation *op : stored)
    if (!llvm::isa<tile::ReduceOp>(op))
      body.store(regs.lookup(op->getResult(0)), bufferOf(op->getResult(0)));
  return success();
}

} // namespace tilesmith
