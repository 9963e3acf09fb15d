#include "tilesmith/Dialect/Isa/Ranges.h"

#include "tilesmith/Isa/Chip.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;

namespace tilesmith::isa {

// The ends of a number that does not wrap and is not known; half of it and more is as good as not known, so that adding
// something to it does not make a bound of it. Products of two still fit.
static constexpr __int128 unknown = __int128(1) << 62;
static constexpr unsigned deepest = 64;

Range rangeOfType(Type type) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width == 1)
    return {0, 1};
  __int128 half = __int128(1) << (width - 1);
  return {-half, half - 1};
}

static Range unite(const Range &a, const Range &b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

static Range multiply(const Range &a, const Range &b) {
  __int128 ends[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

static Range notNegative(const Range &range) {
  return {std::max<__int128>(range.low, 0), std::max<__int128>(range.high, 0)};
}

Range Ranges::anyOf(Type type) const {
  return wraps() || type.isInteger(1) ? rangeOfType(type) : Range{-unknown, unknown};
}

// Whether a choice is the larger of its values (true), the smaller one (false) or neither.
static std::optional<bool> choosesLarger(arith::SelectOp choice) {
  auto compare = choice.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  Value yes = choice.getTrueValue(), no = choice.getFalseValue();
  bool isSame = compare.getLhs() == yes && compare.getRhs() == no;
  if (!isSame && !(compare.getLhs() == no && compare.getRhs() == yes))
    return std::nullopt;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge:
    return isSame;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
    return !isSame;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> Ranges::highest(Value value) {
  Range range = of(value);
  return range.high < unknown ? std::optional<int64_t>(range.high) : std::nullopt;
}

std::optional<Range> Ranges::unwrapped(Operation *op) {
  auto operand = [&](unsigned i) { return of(op->getOperand(i)); };
  if (mlir::isa<arith::AddIOp>(op))
    return Range{operand(0).low + operand(1).low, operand(0).high + operand(1).high};
  if (mlir::isa<arith::SubIOp>(op))
    return Range{operand(0).low - operand(1).high, operand(0).high - operand(1).low};
  if (mlir::isa<arith::MulIOp>(op))
    return arithmetic == Arithmetic::OfSizes ? multiply(notNegative(operand(0)), notNegative(operand(1)))
                                             : multiply(operand(0), operand(1));
  if (mlir::isa<arith::ShLIOp>(op) && operand(1).isOne() && operand(1).low >= 0 && operand(1).low < 63) {
    __int128 factor = __int128(1) << int(operand(1).low);
    return Range{operand(0).low * factor, operand(0).high * factor};
  }
  return std::nullopt;
}

Range Ranges::of(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Range all = anyOf(value.getType());
  auto cut = provisional.find(value);
  if (cut != provisional.end() || depth == deepest) {
    wasCut = true;
    return cut != provisional.end() ? cut->second : all;
  }
  bool outerWasCut = std::exchange(wasCut, false);
  ++depth;
  Range range = compute(value);
  --depth;
  if ((wraps() || value.getType().isInteger(1)) && !range.within(all))
    range = all;
  if (!wraps() && range.low <= -unknown / 2)
    range.low = all.low;
  if (!wraps() && range.high >= unknown / 2)
    range.high = all.high;
  (wasCut ? provisional : known)[value] = range;
  if (depth == 0)
    provisional.clear();
  wasCut |= outerWasCut;
  return range;
}

Range rangeOf(Value value, Arithmetic arithmetic) { return Ranges(arithmetic).of(value); }

Range Ranges::ofCounter(BlockArgument counter) {
  Range all = anyOf(counter.getType());
  auto loop = dyn_cast_or_null<scf::ForOp>(counter.getOwner()->getParentOp());
  if (!loop || counter != loop.getInductionVar())
    return all;
  Range step = of(loop.getStep());
  if (step.low < 1)
    return all;
  Range first = of(loop.getLowerBound()), last = of(loop.getUpperBound());
  if (wraps()) {
    // A counter that could wrap past the end of its type would start again from below.
    if (last.high <= first.low || last.high - 1 + step.high > all.high)
      return all;
    return {first.low, last.high - 1};
  }
  // With all bounds known the last trip may end well below the upper bound.
  if (first.isOne() && last.isOne() && step.isOne() && first.low < last.low)
    return {first.low, first.low + (last.low - first.low - 1) / step.low * step.low};
  return {first.low, std::max(first.high, last.high - 1)};
}

Range Ranges::ofQuotient(Operation *op) {
  Range a = of(op->getOperand(0)), b = of(op->getOperand(1)), all = anyOf(op->getResult(0).getType());
  if (b.low < 1 || (a.low < 0 && arithmetic != Arithmetic::OfSizes))
    return all;
  bool roundsUp = mlir::isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op);
  if (a.high == unknown && !wraps())
    return {a.low < 0 ? -unknown : 0, unknown};
  a = notNegative(a);
  return {a.low / b.high, (a.high + (roundsUp ? b.low - 1 : 0)) / b.low};
}

Range Ranges::ofRemainder(Operation *op) {
  Range a = of(op->getOperand(0)), b = of(op->getOperand(1)), all = anyOf(op->getResult(0).getType());
  bool isUnsigned = mlir::isa<arith::RemUIOp>(op);
  if (b.low < 1)
    return all;
  if (a.low >= 0)
    return {0, std::min(a.high, b.high - 1)};
  return isUnsigned || arithmetic == Arithmetic::OfSizes ? Range{0, b.high - 1} : all;
}

// What keeps the number. A bit that is extended with its sign does not.
std::optional<Range> Ranges::ofCast(Operation *op) {
  if (mlir::isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(op)) {
    if (!op->getOperand(0).getType().isInteger(1))
      return of(op->getOperand(0));
  } else if (mlir::isa<arith::ExtUIOp, arith::IndexCastUIOp>(op)) {
    Range range = of(op->getOperand(0));
    if (range.low >= 0 || arithmetic == Arithmetic::OfSizes)
      return range;
  }
  return std::nullopt;
}

Range Ranges::compute(Value value) {
  Range all = anyOf(value.getType());
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    int64_t number = value.getType().isInteger(1) ? int64_t(constant.getZExtValue()) : constant.getSExtValue();
    return {number, number};
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofCounter(argument);
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i) { return of(op->getOperand(i)); };
  if (std::optional<Range> exact = unwrapped(op))
    return *exact;
  if (std::optional<Range> same = ofCast(op))
    return *same;
  // Of either dialect: tile kernels are asked before they are lowered.
  StringRef name = op->getName().stripDialect();
  if (name == "block_idx")
    return {0, mostBlocks - 1};
  if (name == "block_num")
    return {1, mostBlocks};
  bool ofSizes = arithmetic == Arithmetic::OfSizes;
  if (mlir::isa<arith::MinSIOp>(op) || (ofSizes && mlir::isa<arith::MinUIOp>(op)))
    return {std::min(operand(0).low, operand(1).low), std::min(operand(0).high, operand(1).high)};
  if (mlir::isa<arith::MaxSIOp>(op) || (ofSizes && mlir::isa<arith::MaxUIOp>(op)))
    return {std::max(operand(0).low, operand(1).low), std::max(operand(0).high, operand(1).high)};
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    std::optional<bool> larger = choosesLarger(choice);
    if (!larger)
      return unite(operand(1), operand(2));
    auto end = [&](__int128 a, __int128 b) { return *larger ? std::max(a, b) : std::min(a, b); };
    return {end(operand(1).low, operand(2).low), end(operand(1).high, operand(2).high)};
  }
  if (mlir::isa<arith::DivUIOp, arith::DivSIOp>(op))
    return ofQuotient(op);
  if (!wraps() && mlir::isa<arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return ofQuotient(op);
  if (mlir::isa<arith::RemUIOp, arith::RemSIOp>(op))
    return ofRemainder(op);
  return all;
}

} // namespace tilesmith::isa
