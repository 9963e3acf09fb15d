#include "Conflicts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tilesmith/Dialect/Tile/Tile.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

//===- Loops
//----------------------------------------------------------------------------------------------------------===//

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

//===- Offsets
//--------------------------------------------------------------------------------------------------------===//

static bool definedOutside(Value value, Operation *loop) {
  return !loop->isAncestor(value.getParentBlock()->getParentOp());
}

// Bytes one iteration moves the offset on, at least; 0: perhaps not at all. Steps are positive.
static int64_t strideIn(const Linear &offset, Operation *loop) {
  auto counted = dyn_cast<scf::ForOp>(loop);
  return counted ? std::abs(offset.coefficientOf(counted.getInductionVar())) * constantOf(counted.getStep()).value_or(1)
                 : 0;
}

static std::optional<int64_t> tripCount(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  std::optional<int64_t> lower = constantOf(loop.getLowerBound()), upper = constantOf(loop.getUpperBound()),
                         step = constantOf(loop.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  return std::max<int64_t>(0, (*upper - *lower + *step - 1) / *step);
}

namespace {
// Two ranges along one dimension, with the same terms: bytes of a buffer, or rows or columns of an array.
struct Ranges {
  Linear x, y;
  int64_t sizeX, sizeY;

  bool meet() const { return x.constant < y.constant + sizeY && y.constant < x.constant + sizeX; }
  int64_t extent() const { return std::max(x.constant + sizeX, y.constant + sizeY) - std::min(x.constant, y.constant); }
  bool variesIn(Operation *loop) const {
    return llvm::any_of(x.terms, [&](const Term &term) {
      return !definedOutside(term.value, loop) || (term.factor && !definedOutside(term.factor, loop));
    });
  }
};
} // namespace

// Whether instances in different iterations of `loops` keep apart along a dimension: as digits of a number, each loop
// must step over everything the loops below it reach.
static bool digitsApart(const Ranges &ranges, ArrayRef<Operation *> loops) {
  SmallVector<std::pair<int64_t, Operation *>, 4> strides;
  for (Operation *loop : loops)
    strides.push_back({strideIn(ranges.x, loop), loop});
  llvm::sort(strides, [](auto &a, auto &b) { return a.first < b.first; });
  int64_t extent = ranges.extent();
  for (unsigned i = 0; i < strides.size(); ++i) {
    auto [stride, loop] = strides[i];
    if (stride < extent)
      return false;
    if (i + 1 == strides.size())
      break;
    std::optional<int64_t> trips = tripCount(loop);
    if (!trips || !constantOf(cast<scf::ForOp>(loop).getStep()))
      return false;
    extent += stride * std::max<int64_t>(0, *trips - 1);
  }
  return true;
}

// Whether instances in different iterations of the loops (innermost first) keep apart: each loop moves on along one
// dimension, the first that steps with it. Later dimensions may change with it too, earlier ones may not change
// otherwise.
static bool iterationsApart(ArrayRef<Ranges> dimensions, ArrayRef<Operation *> loops) {
  SmallVector<Operation *, 4> left(loops);
  SmallVector<Value, 4> counted;
  for (const Ranges &ranges : dimensions) {
    SmallVector<Operation *, 4> here;
    for (Operation *loop : left)
      if (strideIn(ranges.x, loop))
        here.push_back(loop);
    if (here.empty())
      continue;
    for (Operation *loop : here) {
      llvm::erase(left, loop);
      counted.push_back(cast<scf::ForOp>(loop).getInductionVar());
    }
    for (const Term &term : ranges.x.terms)
      if (term.factor ? !definedOutside(term.value, loops.back()) || !definedOutside(term.factor, loops.back())
                      : !llvm::is_contained(counted, term.value) && !definedOutside(term.value, loops.back()))
        return false;
    if (!digitsApart(ranges, here))
      return false;
  }
  return left.empty();
}

// `loops` are those around both accesses, innermost first.
static Conflict conflictOfRanges(ArrayRef<Ranges> dimensions, ArrayRef<Operation *> loops) {
  auto moves = [&](const Ranges &ranges, ArrayRef<Operation *> others) {
    return llvm::any_of(others, [&](Operation *loop) { return ranges.variesIn(loop); });
  };
  bool meetInIteration = llvm::all_of(dimensions, [](const Ranges &ranges) { return ranges.meet(); });
  for (unsigned apart = loops.size(); apart > 0; --apart) {
    ArrayRef<Operation *> inner = loops.take_front(apart);
    if (!iterationsApart(dimensions, inner))
      continue;
    if (!meetInIteration &&
        llvm::none_of(dimensions, [&](const Ranges &r) { return moves(r, loops.drop_front(apart)); }))
      return {};
    return {Meeting::InIteration, {inner.front(), inner.back(), 0}};
  }
  // Apart in one iteration along a dimension that no loop moves is apart in all.
  if (llvm::any_of(dimensions, [&](const Ranges &ranges) { return !ranges.meet() && !moves(ranges, loops); }))
    return {};
  return {Meeting::Always, {}};
}

//===- Rows and columns
//-----------------------------------------------------------------------------------------------===//

// Whether the first `length` bytes behind a column stay inside rows of `unit` * `width` bytes: the length was clipped
// to what is left of the row. Columns are not negative.
static bool staysInRow(const Linear &length, const Linear &column, Value width, int64_t unit) {
  if (length.terms.size() != 1 || length.constant || length.terms[0].factor || length.terms[0].coefficient != unit)
    return false;
  Operation *clipped = length.terms[0].value.getDefiningOp();
  if (!clipped || !llvm::isa<arith::MinSIOp>(clipped))
    return false;
  return llvm::any_of(clipped->getOperands(), [&](Value limit) {
    limit = stripCasts(limit);
    if (auto positive = limit.getDefiningOp<arith::MaxSIOp>())
      limit = constantOf(positive.getRhs()) == 0   ? positive.getLhs()
              : constantOf(positive.getLhs()) == 0 ? positive.getRhs()
                                                   : limit;
    Linear end = column;
    end.add(linearOf(limit), unit);
    return end.constant == 0 && end.terms.size() == 1 && end.coefficientOf(width) == unit;
  });
}

// An access as rows and columns of an array of `unit` bytes by `width`, if it is one.
static bool splitRows(const Access &access, Value width, int64_t unit, Linear &row, Linear &column) {
  Linear pitch;
  pitch.add(Term{width, {}, unit});
  if (!access.rows || (access.rows->count > 1 && !(access.rows->pitch == pitch)))
    return false;
  column.constant = access.place.offset->constant;
  for (Term term : access.place.offset->terms) {
    if (term.factor && term.value == width)
      std::swap(term.value, term.factor);
    bool ofRow = term.factor == width || (!term.factor && term.value == width);
    if (!ofRow) {
      column.add(term);
      continue;
    }
    if (term.coefficient % unit)
      return false;
    if (term.factor)
      row.add(Term{term.value, {}, term.coefficient / unit});
    else
      row.constant += term.coefficient / unit;
  }
  return staysInRow(access.rows->length, column, width, unit);
}

// The two accesses as rectangles of one array, if they are.
static std::optional<SmallVector<Ranges, 2>> rectangles(const Access &x, const Access &y) {
  if (!x.place.offset || !y.place.offset || !x.rows || !y.rows)
    return std::nullopt;
  auto unitOf = [](const Access &access) {
    return access.rows->length.terms.empty() ? 0 : access.rows->length.terms[0].coefficient;
  };
  for (const Term &term : x.place.offset->terms)
    for (Value width : {term.factor ? term.value : Value(), term.factor}) {
      Ranges rows, columns;
      if (!width || unitOf(x) <= 0 || unitOf(x) != unitOf(y) || !splitRows(x, width, unitOf(x), rows.x, columns.x) ||
          !splitRows(y, width, unitOf(y), rows.y, columns.y) || !rows.x.sameTerms(rows.y) ||
          !columns.x.sameTerms(columns.y))
        continue;
      auto bytes = [&](const Access &access) { return upperBoundOf(access.rows->length.terms[0].value); };
      if (!bytes(x) || !bytes(y))
        continue;
      rows.sizeX = x.rows->count;
      rows.sizeY = y.rows->count;
      columns.sizeX = *bytes(x) * unitOf(x);
      columns.sizeY = *bytes(y) * unitOf(y);
      return SmallVector<Ranges, 2>{rows, columns};
    }
  return std::nullopt;
}

// Whether one lies in the gaps between the repeats of the other, in whatever iterations of loops.
static bool inGaps(const Access &x, const Access &y) {
  if (!x.repeats || !y.repeats || !x.repeats->misses(*y.repeats, y.place.offset->constant - x.place.offset->constant))
    return false;
  return llvm::all_of(x.place.offset->terms,
                      [&](const Term &term) { return term.coefficient % x.repeats->pitch == 0; });
}

// Two accesses to the same buffer (or slot).
static Conflict conflictOfRanges(const Access &x, const Access &y, ArrayRef<Operation *> loops) {
  if (std::optional<SmallVector<Ranges, 2>> dimensions = rectangles(x, y))
    return conflictOfRanges(*dimensions, loops);
  if (!x.place.offset || !y.place.offset || !x.size || !y.size || !x.place.offset->sameTerms(*y.place.offset))
    return {Meeting::Always, {}};
  if (inGaps(x, y))
    return {};
  return conflictOfRanges(Ranges{*x.place.offset, *y.place.offset, *x.size, *y.size}, loops);
}

//===- Buffers
//--------------------------------------------------------------------------------------------------------===//

static bool mayAlias(Value x, Value y) {
  auto argX = cast<BlockArgument>(x), argY = cast<BlockArgument>(y);
  auto kernel = cast<FunctionOpInterface>(argX.getOwner()->getParentOp());
  auto has = [&](StringRef name) {
    return kernel.getArgAttr(argX.getArgNumber(), name) || kernel.getArgAttr(argY.getArgNumber(), name);
  };
  return has(mayAliasAttrName) && !has(noaliasAttrName);
}

static bool addressesOverlap(AllocOp x, AllocOp y) {
  if (!x.getAddress() || !y.getAddress())
    return false;
  int64_t endX = *x.getAddress() + x.getBytes() * x.getSlots(), endY = *y.getAddress() + y.getBytes() * y.getSlots();
  return int64_t(*x.getAddress()) < endY && int64_t(*y.getAddress()) < endX;
}

// Slots of a channel between cores are written again only when the other core has read them: flags between the cores
// see to it.
static bool isChannel(Value array) {
  auto argument = cast<BlockArgument>(array);
  return cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
             .getArgAttr(argument.getArgNumber(), channelAttrName) != nullptr;
}

static Conflict conflictInGlobalMemory(Operation *opX, const Access &x, Operation *opY, const Access &y) {
  if ((x.place.root && isChannel(x.place.root)) || (y.place.root && isChannel(y.place.root)))
    return {};
  bool sameRoot = x.place.root && x.place.root == y.place.root;
  if (!sameRoot && x.place.root && y.place.root && !mayAlias(x.place.root, y.place.root))
    return {};
  SmallVector<Operation *, 4> loops = commonLoops(opX, opY);
  Conflict conflict = sameRoot ? conflictOfRanges(x, y, loops) : Conflict{Meeting::Always, {}};
  // Iterations of a parallel loop do not depend on each other, whatever the addresses say.
  if (conflict.kind == Meeting::Always && !loops.empty() && loops.back()->hasAttr(tile::parallelAttrName))
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
