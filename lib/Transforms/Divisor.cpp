#include "Divisor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;

namespace tilesmith {

static int64_t divisorOf(Value value, unsigned depth) {
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return std::abs(constant.getInt());
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i) { return divisorOf(op->getOperand(i), depth + 1); };
  if (depth > 8)
    return 1;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return 1;
    return std::gcd(divisorOf(loop.getLowerBound(), depth + 1), divisorOf(loop.getStep(), depth + 1));
  }
  if (llvm::isa<arith::MulIOp>(op))
    return operand(0) * operand(1);
  if (llvm::isa<arith::AddIOp, arith::SubIOp>(op))
    return std::gcd(operand(0), operand(1));
  if (llvm::isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return std::gcd(operand(0), operand(1));
  if (llvm::isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return operand(0);
  return 1;
}

int64_t divisorOf(Value value) { return divisorOf(value, 0); }

} // namespace tilesmith
