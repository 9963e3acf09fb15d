#include "Reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Dialect/Tile/Tile.h"

using namespace mlir;

namespace tilesmith::reduce {
namespace {

void replace(Operation *op, ValueRange values) {
  op->replaceAllUsesWith(values);
  op->erase();
}

// An op whose results nobody uses.
bool erase(Operation *op) {
  if (!op->use_empty() || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  op->erase();
  return true;
}

// Every result becomes an operand of its type: the first such, or the last.
template <bool last> bool forward(Operation *op) {
  if (op->getNumResults() == 0)
    return false;
  SmallVector<Value> values;
  for (Type type : op->getResultTypes()) {
    Value found;
    for (Value operand : op->getOperands())
      if (operand.getType() == type && (!found || last))
        found = operand;
    if (!found)
      return false;
    values.push_back(found);
  }
  replace(op, values);
  return true;
}

// Whether the op is what makeZero() writes.
bool isConstant(Operation *op) {
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return splat.getValue().getDefiningOp<arith::ConstantOp>();
  return llvm::isa<arith::ConstantOp, tile::ZerosAccOp, isa::VfConstantOp>(op);
}

Value makeZero(OpBuilder &b, Location loc, Type type) {
  if (auto tile = dyn_cast<tile::TileType>(type)) {
    if (tile.getMemory() == isa::Memory::L0C)
      return tile::ZerosAccOp::create(b, loc, tile);
    return tile::SplatOp::create(b, loc, tile, makeZero(b, loc, tile::scalarTypeOf(tile.getElementType())));
  }
  if (auto reg = dyn_cast<isa::RegType>(type)) {
    Type scalar = reg.getElementType();
    if (auto integer = dyn_cast<IntegerType>(scalar))
      scalar = b.getIntegerType(integer.getWidth());
    return isa::VfConstantOp::create(b, loc, reg, cast<TypedAttr>(b.getZeroAttr(scalar)));
  }
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

bool hasZero(Type type) {
  if (auto tile = dyn_cast<tile::TileType>(type))
    return tile.getMemory() == isa::Memory::UB || tile.getMemory() == isa::Memory::L0C;
  return llvm::isa<isa::RegType, FloatType, IndexType>(type) || type.isSignlessInteger();
}

// Every result becomes zero.
bool toZero(Operation *op) {
  if (op->getNumResults() == 0 || isConstant(op) || !llvm::all_of(op->getResultTypes(), hasZero))
    return false;
  OpBuilder b(op);
  SmallVector<Value> values;
  for (Type type : op->getResultTypes())
    values.push_back(makeZero(b, op->getLoc(), type));
  replace(op, values);
  return true;
}

// The ops of a block in place of `op`, whose results become what the block's terminator hands on.
void inlineBlock(Operation *op, Block &block, ValueRange arguments) {
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    argument.replaceAllUsesWith(value);
  Operation *terminator = block.getTerminator();
  SmallVector<Value> results(terminator->getOperands());
  terminator->erase();
  op->getBlock()->getOperations().splice(op->getIterator(), block.getOperations());
  replace(op, results);
}

// One branch of an scf.if.
template <unsigned region> bool takeBranch(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch || op->getRegion(region).empty())
    return false;
  inlineBlock(op, op->getRegion(region).front(), {});
  return true;
}

// The body of a loop, for its first iteration.
bool runOnce(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return false;
  SmallVector<Value> arguments{loop.getLowerBound()};
  llvm::append_range(arguments, loop.getInitArgs());
  inlineBlock(op, *loop.getBody(), arguments);
  return true;
}

// Two trips, counted by constants. Fewer would hide what one iteration does to the next.
bool fewerTrips(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return false;
  auto is = [](Value value, int64_t constant) {
    APInt known;
    return matchPattern(value, m_ConstantInt(&known)) && known == constant;
  };
  if (is(loop.getLowerBound(), 0) && is(loop.getUpperBound(), 2) && is(loop.getStep(), 1))
    return false;
  OpBuilder b(op);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, op->getLoc(), b.getIntegerAttr(loop.getInductionVar().getType(), value));
  };
  loop.setLowerBound(constant(0));
  loop.setUpperBound(constant(2));
  loop.setStep(constant(1));
  return true;
}

// What a loop carries stays what it was before the loop.
bool dropCarried(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || loop.getInitArgs().empty())
    return false;
  for (auto [argument, init, result] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs(), loop.getResults())) {
    argument.replaceAllUsesWith(init);
    result.replaceAllUsesWith(init);
  }
  OpBuilder b(op);
  auto bare = scf::ForOp::create(b, op->getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep());
  bare->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  loop.getInductionVar().replaceAllUsesWith(bare.getInductionVar());
  loop.getBody()->getTerminator()->erase();
  Block *body = bare.getBody();
  body->getOperations().splice(body->getTerminator()->getIterator(), loop.getBody()->getOperations());
  op->erase();
  return true;
}

// Parameters of a kernel, and arguments of a vector function, that nobody reads. The text of isa.vf needs one.
bool dropArguments(Operation *op) {
  bool changed = false;
  if (auto function = dyn_cast<func::FuncOp>(op); function && !function.isExternal())
    for (unsigned i = function.getNumArguments(); i-- > 0;)
      if (function.getArgument(i).use_empty())
        changed |= succeeded(function.eraseArgument(i));
  if (auto vf = dyn_cast<isa::VfOp>(op)) {
    Block &body = vf.getBody().front();
    for (unsigned i = body.getNumArguments(); i-- > 0;)
      if (body.getNumArguments() > 1 && body.getArgument(i).use_empty()) {
        body.eraseArgument(i);
        vf.getArgsMutable().erase(i);
        changed = true;
      }
  }
  return changed;
}

// A ring becomes a buffer.
bool oneSlot(Operation *op) {
  auto alloc = dyn_cast<isa::AllocOp>(op);
  if (!alloc || alloc.getSlots() == 1)
    return false;
  alloc.setSlots(1);
  return true;
}

} // namespace

ArrayRef<Reduction> reductions() {
  static constexpr Reduction all[] = {{"erase", erase},
                                      {"take-then", takeBranch<0>},
                                      {"take-else", takeBranch<1>},
                                      {"run-once", runOnce},
                                      {"fewer-trips", fewerTrips},
                                      {"drop-carried", dropCarried},
                                      {"first-operand", forward<false>},
                                      {"last-operand", forward<true>},
                                      {"zero", toZero},
                                      {"one-slot", oneSlot},
                                      {"drop-arguments", dropArguments}};
  return all;
}

} // namespace tilesmith::reduce
