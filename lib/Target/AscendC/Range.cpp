#include "Range.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"

#include <algorithm>

using namespace mlir;

namespace tilesmith::ascendc {

// More blocks than this the runtime does not launch.
static constexpr int64_t mostBlocks = 1 << 16;

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

std::optional<Range> Ranges::unwrapped(Operation *op) {
  auto operand = [&](unsigned i) { return of(op->getOperand(i)); };
  if (mlir::isa<arith::AddIOp>(op))
    return Range{operand(0).low + operand(1).low, operand(0).high + operand(1).high};
  if (mlir::isa<arith::SubIOp>(op))
    return Range{operand(0).low - operand(1).high, operand(0).high - operand(1).low};
  if (mlir::isa<arith::MulIOp>(op))
    return multiply(operand(0), operand(1));
  if (mlir::isa<arith::ShLIOp>(op) && operand(1).isOne() && operand(1).low >= 0 && operand(1).low < 63) {
    __int128 factor = __int128(1) << int(operand(1).low);
    return Range{operand(0).low * factor, operand(0).high * factor};
  }
  return std::nullopt;
}

Range Ranges::of(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  Range all = rangeOfType(value.getType());
  known[value] = all; // what depends on itself has any value
  Range range = compute(value);
  if (!range.within(all))
    range = all;
  known[value] = range;
  return range;
}

Range Ranges::compute(Value value) {
  Range all = rangeOfType(value.getType());
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    int64_t number = value.getType().isInteger(1) ? int64_t(constant.getZExtValue()) : constant.getSExtValue();
    return {number, number};
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar() || of(loop.getStep()).low < 1)
      return all;
    // A counter that could wrap past the end of its type would start again from below.
    Range first = of(loop.getLowerBound()), last = of(loop.getUpperBound());
    if (last.high <= first.low || last.high - 1 + of(loop.getStep()).high > all.high)
      return all;
    return {first.low, last.high - 1};
  }
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i) { return of(op->getOperand(i)); };
  if (std::optional<Range> exact = unwrapped(op))
    return *exact;
  if (mlir::isa<isa::BlockIdxOp>(op))
    return {0, mostBlocks - 1};
  if (mlir::isa<isa::BlockNumOp>(op))
    return {1, mostBlocks};
  if (mlir::isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(op) && !op->getOperand(0).getType().isInteger(1))
    return operand(0);
  if (mlir::isa<arith::ExtUIOp, arith::IndexCastUIOp>(op) && operand(0).low >= 0)
    return operand(0);
  if (mlir::isa<arith::MinSIOp>(op))
    return {std::min(operand(0).low, operand(1).low), std::min(operand(0).high, operand(1).high)};
  if (mlir::isa<arith::MaxSIOp>(op))
    return {std::max(operand(0).low, operand(1).low), std::max(operand(0).high, operand(1).high)};
  if (mlir::isa<arith::SelectOp>(op))
    return unite(operand(1), operand(2));
  if (mlir::isa<arith::DivUIOp, arith::DivSIOp>(op) && operand(0).low >= 0 && operand(1).low > 0)
    return {operand(0).low / operand(1).high, operand(0).high / operand(1).low};
  if (mlir::isa<arith::RemUIOp>(op) && operand(0).low < 0 && operand(1).low > 0)
    return {0, operand(1).high - 1};
  if (mlir::isa<arith::RemUIOp, arith::RemSIOp>(op) && operand(0).low >= 0 && operand(1).low > 0)
    return {0, std::min(operand(0).high, operand(1).high - 1)};
  return all;
}

} // namespace tilesmith::ascendc
