#include "Conflicts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

//===- Loops ----------------------------------------------------------------------------------------------------------===//

static bool isLoop(Operation *op) { return llvm::isa<scf::ForOp, scf::WhileOp>(op); }

// Loops around both ops, innermost first.
static SmallVector<Operation *, 4> commonLoops(Operation *x, Operation *y) {
  SmallVector<Operation *, 4> loops;
  for (Operation *parent = x->getParentOp(); parent; parent = parent->getParentOp())
    if (isLoop(parent) && parent->isProperAncestor(y))
      loops.push_back(parent);
  return loops;
}

static bool sameInteger(Value a, Value b) {
  a = stripCasts(a), b = stripCasts(b);
  std::optional<int64_t> constant = constantOf(a);
  return a == b || (constant && constant == constantOf(b));
}

scf::ForOp countedLoop(Value index) {
  index = stripCasts(index);
  Value divisor;
  if (Operation *op = index.getDefiningOp(); op && llvm::isa<arith::DivSIOp, arith::DivUIOp>(op)) {
    divisor = op->getOperand(1);
    index = stripCasts(op->getOperand(0));
  }
  Value origin;
  if (auto sub = index.getDefiningOp<arith::SubIOp>()) {
    origin = sub.getRhs();
    index = stripCasts(sub.getLhs());
  }
  auto variable = dyn_cast<BlockArgument>(index);
  if (!variable)
    return {};
  auto loop = dyn_cast<scf::ForOp>(variable.getOwner()->getParentOp());
  if (!loop || variable != loop.getInductionVar())
    return {};
  if (origin && !sameInteger(origin, loop.getLowerBound()))
    return {};
  if (divisor ? !sameInteger(divisor, loop.getStep()) : constantOf(loop.getStep()) != 1)
    return {};
  // Without subtracting it, a lower bound that may be negative would make the quotient stall around zero.
  if (!origin && constantOf(loop.getLowerBound()).value_or(-1) < 0)
    return {};
  return loop;
}

//===- Offsets --------------------------------------------------------------------------------------------------------===//

static bool definedOutside(Value value, Operation *loop) {
  return !loop->isAncestor(value.getParentBlock()->getParentOp());
}

// Bytes one iteration moves the offset on; 0: not at all or unknown.
static int64_t strideIn(const Linear &offset, Operation *loop) {
  auto counted = dyn_cast<scf::ForOp>(loop);
  std::optional<int64_t> step = counted ? constantOf(counted.getStep()) : std::nullopt;
  return step ? std::abs(offset.coefficientOf(counted.getInductionVar()) * *step) : 0;
}

static std::optional<int64_t> tripCount(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  std::optional<int64_t> lower = constantOf(loop.getLowerBound()), upper = constantOf(loop.getUpperBound()),
                         step = constantOf(loop.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  return std::max<int64_t>(0, (*upper - *lower + *step - 1) / *step);
}

// Whether instances in different iterations of the loops (innermost first) keep `extent` bytes apart: as digits of a
// number, each loop must step over everything the loops below it reach.
static bool iterationsApart(const Linear &offset, ArrayRef<Operation *> loops, int64_t extent) {
  Operation *outermost = loops.back();
  for (auto [value, coefficient] : offset.terms) {
    bool isVariable = llvm::any_of(loops, [&](Operation *loop) {
      auto counted = dyn_cast<scf::ForOp>(loop);
      return counted && counted.getInductionVar() == value;
    });
    if (!isVariable && !definedOutside(value, outermost))
      return false;
  }
  SmallVector<std::pair<int64_t, Operation *>, 4> strides;
  for (Operation *loop : loops) {
    strides.push_back({strideIn(offset, loop), loop});
    if (strides.back().first == 0)
      return false;
  }
  llvm::sort(strides, [](auto &a, auto &b) { return a.first < b.first; });
  for (unsigned i = 0; i < strides.size(); ++i) {
    auto [stride, loop] = strides[i];
    if (stride < extent)
      return false;
    if (i + 1 == strides.size())
      break;
    std::optional<int64_t> trips = tripCount(loop);
    if (!trips)
      return false;
    extent += stride * std::max<int64_t>(0, *trips - 1);
  }
  return true;
}

// Two ranges of the same buffer (or slot), by their offsets. `loops` are those around both, innermost first.
static Conflict conflictOfRanges(const Access &x, const Access &y, ArrayRef<Operation *> loops) {
  Conflict always{Meeting::Always, {}};
  if (!x.place.offset || !y.place.offset || !x.size || !y.size || !x.place.offset->sameTerms(*y.place.offset))
    return always;
  const Linear &offset = *x.place.offset;
  int64_t beginX = offset.constant, beginY = y.place.offset->constant, endX = beginX + *x.size, endY = beginY + *y.size;
  bool meetInIteration = beginX < endY && beginY < endX;
  auto variesIn = [&](Operation *loop) {
    return llvm::any_of(offset.terms, [&](auto &term) { return !definedOutside(term.first, loop); });
  };
  for (unsigned apart = loops.size(); apart > 0; --apart) {
    ArrayRef<Operation *> inner = loops.take_front(apart);
    if (!iterationsApart(offset, inner, std::max(endX, endY) - std::min(beginX, beginY)))
      continue;
    if (!meetInIteration && llvm::none_of(loops.drop_front(apart), variesIn))
      return {};
    return {Meeting::InIteration, {inner.front(), inner.back(), 0}};
  }
  if (meetInIteration || llvm::any_of(loops, variesIn))
    return always;
  return {};
}

//===- Buffers --------------------------------------------------------------------------------------------------------===//

static bool mayAlias(Value x, Value y) {
  auto argX = cast<BlockArgument>(x), argY = cast<BlockArgument>(y);
  auto kernel = cast<FunctionOpInterface>(argX.getOwner()->getParentOp());
  auto has = [&](StringRef name) {
    return kernel.getArgAttr(argX.getArgNumber(), name) || kernel.getArgAttr(argY.getArgNumber(), name);
  };
  return has("isa.may_alias") && !has("isa.noalias");
}

static bool addressesOverlap(AllocOp x, AllocOp y) {
  if (!x.getAddress() || !y.getAddress())
    return false;
  int64_t endX = *x.getAddress() + x.getBytes() * x.getSlots(), endY = *y.getAddress() + y.getBytes() * y.getSlots();
  return int64_t(*x.getAddress()) < endY && int64_t(*y.getAddress()) < endX;
}

static Conflict conflictInGlobalMemory(Operation *opX, const Access &x, Operation *opY, const Access &y) {
  bool sameRoot = x.place.root && x.place.root == y.place.root;
  if (!sameRoot && x.place.root && y.place.root && !mayAlias(x.place.root, y.place.root))
    return {};
  SmallVector<Operation *, 4> loops = commonLoops(opX, opY);
  Conflict conflict = sameRoot ? conflictOfRanges(x, y, loops) : Conflict{Meeting::Always, {}};
  // Iterations of a parallel loop do not depend on each other, whatever the addresses say.
  if (conflict.kind == Meeting::Always && !loops.empty() && loops.back()->hasAttr("tile.parallel"))
    return {Meeting::InIteration, {loops.back(), loops.back(), 0}};
  return conflict;
}

Conflict conflictOf(Operation *opX, const Access &x, Operation *opY, const Access &y) {
  if (x.memory != y.memory || (!x.write && !y.write))
    return {};
  if (x.memory == Memory::GM)
    return conflictInGlobalMemory(opX, x, opY, y);
  if (!x.place.root || !y.place.root)
    return {Meeting::Always, {}};
  if (x.place.root != y.place.root) {
    auto allocX = x.place.root.getDefiningOp<AllocOp>(), allocY = y.place.root.getDefiningOp<AllocOp>();
    if (!allocX || !allocY)
      return {Meeting::Always, {}};
    return {addressesOverlap(allocX, allocY) ? Meeting::Always : Meeting::Never, {}};
  }
  Conflict inSlot = conflictOfRanges(x, y, commonLoops(opX, opY));
  auto ring = x.place.root.getDefiningOp<AllocOp>();
  if (!ring || ring.getSlots() == 1)
    return inSlot;
  scf::ForOp loop = x.place.slot && x.place.slot == y.place.slot ? countedLoop(x.place.slot) : scf::ForOp();
  if (!loop)
    return {Meeting::Always, {}};
  return inSlot.kind == Meeting::Never ? inSlot : Conflict{Meeting::InSlot, {loop, nullptr, int64_t(ring.getSlots())}};
}

} // namespace tilesmith::plan
