// What is made of a kernel before it is printed: offsets count elements, and what nobody reads is gone.
#include "Printer.h"
#include "Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <functional>

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::ascendc {

// `bytes` divided by `size`, without a remainder by construction: through products and sums where that can be seen.
static Value divideExactly(OpBuilder &b, Location loc, Value bytes, int64_t size) {
  if (size == 1)
    return bytes;
  auto constant = [&](int64_t value) -> Value { return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value)); };
  std::function<Value(Value)> divide = [&](Value value) -> Value {
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return number.getSExtValue() % size ? Value() : constant(number.getSExtValue() / size);
    Operation *op = value.getDefiningOp();
    if (!op)
      return {};
    if (auto product = dyn_cast<arith::MulIOp>(op)) {
      for (auto [factor, other] :
           {std::pair(product.getRhs(), product.getLhs()), std::pair(product.getLhs(), product.getRhs())})
        if (matchPattern(factor, m_ConstantInt(&number)) && number.getSExtValue() % size == 0) {
          int64_t rest = number.getSExtValue() / size;
          return rest == 1 ? other : arith::MulIOp::create(b, loc, other, constant(rest)).getResult();
        }
      return {};
    }
    if (!mlir::isa<arith::AddIOp, arith::SubIOp>(op))
      return {};
    Value left = divide(op->getOperand(0)), right = left ? divide(op->getOperand(1)) : Value();
    if (!right)
      return {};
    if (mlir::isa<arith::AddIOp>(op))
      return arith::AddIOp::create(b, loc, left, right);
    return arith::SubIOp::create(b, loc, left, right);
  };
  if (Value elements = divide(bytes))
    return elements;
  return arith::DivSIOp::create(b, loc, bytes, constant(size));
}

// Users come after what they use, so one walk backwards erases all that is left over. Vector functions stay as they
// are: what they hold is counted.
static void eraseUnusedScalars(func::FuncOp kernel) {
  SmallVector<Operation *> scalars;
  kernel.walk([&](Operation *op) {
    if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
      scalars.push_back(op);
  });
  for (Operation *op : llvm::reverse(scalars))
    if (op->use_empty())
      op->erase();
}

// A variable that branches set and nobody reads would be a warning of the C++ compiler. Returns whether there was one.
static bool dropUnusedResults(func::FuncOp kernel) {
  SmallVector<scf::IfOp> branches;
  kernel.walk([&](scf::IfOp branch) {
    if (llvm::any_of(branch.getResults(), [](Value result) { return result.use_empty(); }))
      branches.push_back(branch);
  });
  for (scf::IfOp branch : branches) {
    if (branch->use_empty() && isMemoryEffectFree(branch)) {
      branch.erase();
      continue;
    }
    OpBuilder b(branch);
    SmallVector<Value> used =
        llvm::filter_to_vector(ValueRange(branch.getResults()), [](Value v) { return !v.use_empty(); });
    auto smaller =
        scf::IfOp::create(b, branch.getLoc(), ValueRange(used).getTypes(), branch.getCondition(), false, false);
    for (auto [to, from] : llvm::zip_equal(smaller->getRegions(), branch->getRegions())) {
      to.takeBody(from);
      if (to.empty())
        continue;
      Operation *yield = to.front().getTerminator();
      SmallVector<Value> kept;
      for (auto [result, value] : llvm::zip_equal(branch.getResults(), yield->getOperands()))
        if (!result.use_empty())
          kept.push_back(value);
      yield->setOperands(kept);
    }
    for (auto [value, with] : llvm::zip_equal(used, smaller.getResults()))
      value.replaceAllUsesWith(with);
    branch.erase();
  }
  return !branches.empty();
}

// Numbers that something reads: an instruction, a bound, a condition, or what is computed for one of these. A number
// that only makes its own next value in a loop is not read.
static DenseSet<Value> numbersRead(func::FuncOp kernel) {
  DenseSet<Value> read;
  SmallVector<Value> left;
  auto mark = [&](Value value) {
    if (read.insert(value).second)
      left.push_back(value);
  };
  kernel.walk([&](Operation *op) {
    if (mlir::isa<scf::YieldOp>(op) && mlir::isa<scf::ForOp, scf::IfOp>(op->getParentOp()))
      return;
    if (mlir::isa<scf::IfOp>(op) && isMemoryEffectFree(op)) // its condition matters if its results do
      return;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        mark(bound);
      return;
    }
    if (!isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
      llvm::for_each(op->getOperands(), mark);
  });
  auto markCarried = [&](scf::ForOp loop, unsigned index) {
    mark(loop.getRegionIterArg(index));
    mark(loop.getResult(index));
    mark(loop.getInitArgs()[index]);
    mark(loop.getYieldedValues()[index]);
  };
  while (!left.empty()) {
    Value value = left.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (loop && argument.getArgNumber() > 0)
        markCarried(loop, argument.getArgNumber() - 1);
      continue;
    }
    Operation *op = value.getDefiningOp();
    unsigned index = mlir::cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      markCarried(loop, index);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      llvm::for_each(std::array<Value, 3>{branch.thenYield().getOperand(index), branch.elseYield().getOperand(index),
                                          branch.getCondition()},
                     mark);
    else if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
      llvm::for_each(op->getOperands(), mark);
  }
  return read;
}

// The same of variables that loops carry for nothing but their own next value.
static void dropUnusedCarried(func::FuncOp kernel) {
  DenseSet<Value> read = numbersRead(kernel);
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (llvm::any_of(loop.getResults(), [&](Value result) { return !read.contains(result); }))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops) {
    OpBuilder b(loop);
    SmallVector<Value> initial, results, next;
    BitVector dropped(loop.getBody()->getNumArguments());
    for (auto [index, result] : llvm::enumerate(loop.getResults())) {
      Value first = loop.getInitArgs()[index];
      if (read.contains(result)) {
        initial.push_back(first);
        results.push_back(result);
        next.push_back(loop.getYieldedValues()[index]);
        continue;
      }
      result.replaceAllUsesWith(first);
      loop.getRegionIterArg(index).replaceAllUsesWith(first);
      dropped.set(index + 1);
    }
    loop.getBody()->getTerminator()->setOperands(next);
    loop.getBody()->eraseArguments(dropped);
    auto smaller =
        scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), initial);
    smaller->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    smaller.getRegion().takeBody(loop.getRegion());
    for (auto [value, with] : llvm::zip_equal(results, smaller.getResults()))
      value.replaceAllUsesWith(with);
    loop.erase();
  }
}

void prepare(func::FuncOp kernel) {
  kernel.walk([](OffsetOp offset) {
    OpBuilder b(offset);
    int64_t size = elementSize(offset.getBase().getType().getElementType());
    offset.getBytesMutable().assign(divideExactly(b, offset.getLoc(), offset.getBytes(), size));
  });
  dropUnusedCarried(kernel);
  do
    eraseUnusedScalars(kernel);
  while (dropUnusedResults(kernel));
}

} // namespace tilesmith::ascendc
