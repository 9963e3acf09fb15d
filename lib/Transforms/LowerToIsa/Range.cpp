#include "Range.h"
#include "tilesmith/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilesmith {

static Range bounded(int64_t low, int64_t high) {
  return {std::clamp(low, Range::least, Range::most), std::clamp(high, Range::least, Range::most)};
}

static Range product(Range a, Range b) {
  int64_t corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return bounded(*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4));
}

static Range ofInduction(scf::ForOp loop, unsigned depth) {
  Range from = rangeOf(loop.getLowerBound(), depth), to = rangeOf(loop.getUpperBound(), depth);
  Range step = rangeOf(loop.getStep(), depth);
  if (step.low < 1)
    return {};
  // With all bounds known the last trip may end well below the upper bound.
  if (from.low == from.high && to.low == to.high && step.low == step.high && from.low < to.low)
    return {from.low, from.low + (to.low - from.low - 1) / step.low * step.low};
  return bounded(from.low, std::max(from.high, to.high - 1));
}

Range rangeOf(Value value, unsigned depth) {
  if (depth > 12)
    return {};
  ++depth;
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return bounded(constant.getInt(), constant.getInt());
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() ? ofInduction(loop, depth) : Range();
  }
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i) { return rangeOf(op->getOperand(i), depth); };
  return llvm::TypeSwitch<Operation *, Range>(op)
      .Case<tile::BlockIdxOp, isa::BlockIdxOp>([](Operation *) { return Range{0, Range::most}; })
      .Case<tile::BlockNumOp, isa::BlockNumOp>([](Operation *) { return Range{1, Range::most}; })
      .Case<arith::TruncIOp, arith::ExtSIOp, arith::IndexCastOp>([&](Operation *) { return operand(0); })
      .Case([&](arith::AddIOp) {
        Range a = operand(0), b = operand(1);
        return bounded(a.low + b.low, a.high + b.high);
      })
      .Case([&](arith::SubIOp) {
        Range a = operand(0), b = operand(1);
        return bounded(a.low - b.high, a.high - b.low);
      })
      .Case([&](arith::MulIOp) { return product(operand(0), operand(1)); })
      .Case<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>([&](Operation *) {
        Range a = operand(0), b = operand(1);
        return a.low >= 0 && b.low >= 1 ? Range{0, a.high} : Range();
      })
      .Case([&](arith::RemSIOp) {
        Range a = operand(0), b = operand(1);
        return a.low >= 0 && b.low >= 1 ? Range{0, std::min(a.high, b.high - 1)} : Range();
      })
      .Case([&](arith::MinSIOp) {
        Range a = operand(0), b = operand(1);
        return Range{std::min(a.low, b.low), std::min(a.high, b.high)};
      })
      .Case([&](arith::MaxSIOp) {
        Range a = operand(0), b = operand(1);
        return Range{std::max(a.low, b.low), std::max(a.high, b.high)};
      })
      .Case([&](arith::SelectOp) {
        Range a = operand(1), b = operand(2);
        return Range{std::min(a.low, b.low), std::max(a.high, b.high)};
      })
      .Default([](Operation *) { return Range(); });
}

} // namespace tilesmith
