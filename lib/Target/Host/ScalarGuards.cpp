// Guards: scalar code of a kernel cannot trap, and cannot run for ever unseen.
//
// Divisions and remainders without a value (divisor 0, minimum / -1), shifts by the width or more and loops with a step
// below 1 call tsm_scalar_fault and give 0 (the loop: no trip). Float-to-integer casts saturate, NaN becomes 0. A while
// loop asks tsm_tick before each trip. An assertion that does not hold calls tsm_fail, which ends the block. bf16 is
// computed in f32 and rounded by integer arithmetic, so that no result depends on which bf16 instructions the host has.
#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tilesmith/Machine/Finding.h"

using namespace mlir;

namespace tilesmith::host {

namespace {

// The `kind` of tsm_scalar_fault.
enum Fault : int64_t { Division = 0, Shift = 1, LoopStep = 2 };

class Guards {
public:
  explicit Guards(Lowering &lowering) : lowering(lowering) {}

  void guard(Operation *op);

private:
  Value integer(OpBuilder &b, Location loc, Type type, int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  }
  void fault(OpBuilder &b, Operation *op, Value bad, Fault kind);
  void guardDivision(Operation *op, bool isSigned);
  void expandDivision(Operation *op);
  void guardShift(Operation *op);
  void saturateCast(Operation *op, StringRef intrinsic);
  void guardFor(scf::ForOp loop);
  void tickWhile(scf::WhileOp loop);
  void failUnless(isa::AssertOp op);
  void computeInF32(Operation *op);
  Value widen(OpBuilder &b, Location loc, Value value);
  Value narrow(OpBuilder &b, Location loc, Value value);

  Lowering &lowering;
};

void Guards::fault(OpBuilder &b, Operation *op, Value bad, Fault kind) {
  auto branch = scf::IfOp::create(b, op->getLoc(), bad, /*withElseRegion=*/false);
  OpBuilder inner = branch.getThenBodyBuilder();
  Location loc = op->getLoc();
  lowering.call(inner, loc, "tsm_scalar_fault", inner.getI64Type(),
                {Lowering::core(op), lowering.locationIndex(inner, loc), constant(inner, loc, kind)});
}

// The bits of the smallest value, for any width up to 64 (index has 64).
int64_t minimumOf(Type type) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return width == 64 ? INT64_MIN : -(int64_t(1) << (width - 1));
}

void Guards::guardDivision(Operation *op, bool isSigned) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Type type = divisor.getType();
  APInt known;
  if (matchPattern(divisor, m_ConstantInt(&known)) && !known.isZero() && !(isSigned && known.isAllOnes()))
    return;
  using arith::CmpIPredicate;
  Value bad = arith::CmpIOp::create(b, loc, CmpIPredicate::eq, divisor, integer(b, loc, type, 0));
  if (isSigned) {
    Value smallest = arith::CmpIOp::create(b, loc, CmpIPredicate::eq, dividend, integer(b, loc, type, minimumOf(type)));
    Value minusOne = arith::CmpIOp::create(b, loc, CmpIPredicate::eq, divisor, integer(b, loc, type, -1));
    Value overflow = arith::AndIOp::create(b, loc, smallest, minusOne);
    bad = arith::OrIOp::create(b, loc, bad, overflow);
  }
  fault(b, op, bad, Division);
  op->setOperand(1, arith::SelectOp::create(b, loc, bad, integer(b, loc, type, 1), divisor));
  b.setInsertionPointAfter(op);
  auto result = arith::SelectOp::create(b, loc, bad, integer(b, loc, type, 0), op->getResult(0));
  op->getResult(0).replaceAllUsesExcept(result, result);
}

// floordivsi, ceildivsi, ceildivui: the truncated quotient, one further where the remainder says so.
void Guards::expandDivision(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Type type = divisor.getType();
  using arith::CmpIPredicate;
  Value zero = integer(b, loc, type, 0), one = integer(b, loc, type, 1), quotient, remainder, step;
  if (mlir::isa<arith::CeilDivUIOp>(op)) {
    quotient = arith::DivUIOp::create(b, loc, dividend, divisor);
    remainder = arith::RemUIOp::create(b, loc, dividend, divisor);
    step = arith::CmpIOp::create(b, loc, CmpIPredicate::ne, remainder, zero);
  } else {
    quotient = arith::DivSIOp::create(b, loc, dividend, divisor);
    remainder = arith::RemSIOp::create(b, loc, dividend, divisor);
    Value inexact = arith::CmpIOp::create(b, loc, CmpIPredicate::ne, remainder, zero);
    // The truncated quotient lies below the exact one when remainder and divisor have one sign, above it otherwise.
    Value signs = arith::XOrIOp::create(b, loc, remainder, divisor);
    bool ceil = mlir::isa<arith::CeilDivSIOp>(op);
    Value wrongSide = arith::CmpIOp::create(b, loc, ceil ? CmpIPredicate::sge : CmpIPredicate::slt, signs, zero);
    step = arith::AndIOp::create(b, loc, inexact, wrongSide);
  }
  Value further;
  if (mlir::isa<arith::FloorDivSIOp>(op))
    further = arith::SubIOp::create(b, loc, quotient, one);
  else
    further = arith::AddIOp::create(b, loc, quotient, one);
  op->getResult(0).replaceAllUsesWith(arith::SelectOp::create(b, loc, step, further, quotient));
  op->erase();
  guardDivision(quotient.getDefiningOp(), mlir::isa<arith::DivSIOp>(quotient.getDefiningOp()));
  guardDivision(remainder.getDefiningOp(), mlir::isa<arith::RemSIOp>(remainder.getDefiningOp()));
}

void Guards::guardShift(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value amount = op->getOperand(1);
  Type type = amount.getType();
  int64_t width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  APInt known;
  if (matchPattern(amount, m_ConstantInt(&known)) && known.ult(width))
    return;
  Value bad = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, amount, integer(b, loc, type, width));
  fault(b, op, bad, Shift);
  Value zero = integer(b, loc, type, 0);
  op->setOperand(1, arith::SelectOp::create(b, loc, bad, zero, amount));
  b.setInsertionPointAfter(op);
  auto result = arith::SelectOp::create(b, loc, bad, zero, op->getResult(0));
  op->getResult(0).replaceAllUsesExcept(result, result);
}

void Guards::saturateCast(Operation *op, StringRef intrinsic) {
  OpBuilder b(op);
  Value source = op->getOperand(0);
  if (source.getType().isBF16())
    source = widen(b, op->getLoc(), source);
  std::string name = (intrinsic + ".i" + Twine(op->getResult(0).getType().getIntOrFloatBitWidth()) + ".f" +
                      Twine(source.getType().getIntOrFloatBitWidth()))
                         .str();
  auto cast = LLVM::CallIntrinsicOp::create(b, op->getLoc(), op->getResult(0).getType(), b.getStringAttr(name), source);
  op->getResult(0).replaceAllUsesWith(cast.getResult(0));
  op->erase();
}

void Guards::guardFor(scf::ForOp loop) {
  APInt known;
  if (matchPattern(loop.getStep(), m_ConstantInt(&known)) && known.isStrictlyPositive())
    return;
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Type type = loop.getStep().getType();
  Value one = integer(b, loc, type, 1);
  Value bad = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, loop.getStep(), one);
  fault(b, loop, bad, LoopStep);
  loop.setStep(arith::SelectOp::create(b, loc, bad, one, loop.getStep()));
  loop.setUpperBound(arith::SelectOp::create(b, loc, bad, loop.getLowerBound(), loop.getUpperBound()));
}

void Guards::tickWhile(scf::WhileOp loop) {
  for (auto keep : llvm::make_early_inc_range(loop.getAfterBody()->getOps<isa::KeepOp>()))
    keep.erase(); // the tick keeps it from here on
  scf::ConditionOp condition = loop.getConditionOp();
  OpBuilder b(condition);
  Location loc = loop.getLoc();
  Value goes = arith::ExtUIOp::create(b, loc, b.getI64Type(), condition.getCondition());
  auto tick =
      lowering.call(b, loc, "tsm_tick", b.getI64Type(), {Lowering::core(loop), lowering.locationIndex(b, loc), goes});
  condition.getConditionMutable().assign(
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, tick.getResult(), constant(b, loc, 0)));
}

void Guards::failUnless(isa::AssertOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value fails = arith::XOrIOp::create(b, loc, op.getCondition(), integer(b, loc, b.getI1Type(), 1));
  auto branch = scf::IfOp::create(b, loc, fails, /*withElseRegion=*/false);
  OpBuilder inner = branch.getThenBodyBuilder();
  std::string text = "the assertion does not hold";
  if (!op.getMessage().empty())
    text += ": " + op.getMessage().str();
  Value message = lowering.text(inner, loc, text);
  lowering.call(inner, loc, "tsm_fail", {},
                {Lowering::core(op), lowering.locationIndex(inner, loc),
                 constant(inner, loc, int64_t(machine::FindingKind::KernelAssert)), message});
  op.erase();
}

Value Guards::widen(OpBuilder &b, Location loc, Value value) {
  Value bits = arith::BitcastOp::create(b, loc, b.getI16Type(), value);
  bits = arith::ExtUIOp::create(b, loc, b.getI32Type(), bits);
  bits = arith::ShLIOp::create(b, loc, bits, integer(b, loc, b.getI32Type(), 16));
  return arith::BitcastOp::create(b, loc, b.getF32Type(), bits);
}

// To nearest even; a NaN stays one (its quiet bit is set, so the upper half cannot become infinity).
Value Guards::narrow(OpBuilder &b, Location loc, Value value) {
  Type i32 = b.getI32Type();
  Value sixteen = integer(b, loc, i32, 16);
  Value bits = arith::BitcastOp::create(b, loc, i32, value);
  Value odd = arith::AndIOp::create(b, loc, arith::ShRUIOp::create(b, loc, bits, sixteen), integer(b, loc, i32, 1));
  Value bias = arith::AddIOp::create(b, loc, odd, integer(b, loc, i32, 0x7fff));
  Value nearest = arith::AddIOp::create(b, loc, bits, bias);
  Value quiet = arith::OrIOp::create(b, loc, bits, integer(b, loc, i32, 0x400000));
  Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
  Value kept = arith::SelectOp::create(b, loc, isNaN, quiet, nearest);
  Value upper = arith::TruncIOp::create(b, loc, b.getI16Type(), arith::ShRUIOp::create(b, loc, kept, sixteen));
  return arith::BitcastOp::create(b, loc, b.getBF16Type(), upper);
}

void Guards::computeInF32(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value result = op->getNumResults() ? op->getResult(0) : Value();
  if (mlir::isa<arith::ExtFOp>(op)) {
    Value wide = widen(b, loc, op->getOperand(0));
    if (!result.getType().isF32())
      wide = arith::ExtFOp::create(b, loc, result.getType(), wide);
    result.replaceAllUsesWith(wide);
    op->erase();
    return;
  }
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get().getType().isBF16())
      operand.set(widen(b, loc, operand.get()));
  if (!result.getType().isBF16())
    return;
  b.setInsertionPointAfter(op);
  // What a bf16 result was made from (an f32 for truncf, an integer for sitofp) now gives the f32 to be rounded.
  if (mlir::isa<arith::TruncFOp>(op)) {
    Value source = op->getOperand(0);
    if (!source.getType().isF32()) {
      if (source.getType().getIntOrFloatBitWidth() < 32)
        source = arith::ExtFOp::create(b, loc, b.getF32Type(), source);
      else
        source = arith::TruncFOp::create(b, loc, b.getF32Type(), source);
    }
    result.replaceAllUsesWith(narrow(b, loc, source));
    op->erase();
    return;
  }
  result.setType(b.getF32Type());
  SmallPtrSet<Operation *, 4> users(result.user_begin(), result.user_end());
  Value rounded = narrow(b, loc, result);
  result.replaceUsesWithIf(rounded, [&](OpOperand &use) { return users.contains(use.getOwner()); });
}

// bf16 values that are only moved (constants, selects, bitcasts) need no arithmetic.
bool computesInBF16(Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect>(op->getDialect()) ||
      mlir::isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op))
    return false;
  auto isBF16 = [](Type type) { return type.isBF16(); };
  return llvm::any_of(op->getOperandTypes(), isBF16) || llvm::any_of(op->getResultTypes(), isBF16);
}

void Guards::guard(Operation *op) {
  if (mlir::isa<arith::FPToSIOp>(op))
    return saturateCast(op, "llvm.fptosi.sat");
  if (mlir::isa<arith::FPToUIOp>(op))
    return saturateCast(op, "llvm.fptoui.sat");
  if (computesInBF16(op))
    return computeInF32(op);
  if (mlir::isa<arith::DivSIOp, arith::RemSIOp>(op))
    return guardDivision(op, /*isSigned=*/true);
  if (mlir::isa<arith::DivUIOp, arith::RemUIOp>(op))
    return guardDivision(op, /*isSigned=*/false);
  if (mlir::isa<arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return expandDivision(op);
  if (mlir::isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return guardShift(op);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return guardFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return tickWhile(loop);
  if (auto assertion = dyn_cast<isa::AssertOp>(op))
    return failUnless(assertion);
}

} // namespace

void guardScalars(LLVM::LLVMFuncOp kernel, Lowering &lowering) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa_and_nonnull<arith::ArithDialect, scf::SCFDialect>(op->getDialect()) || mlir::isa<isa::AssertOp>(op))
      ops.push_back(op);
  });
  Guards guards(lowering);
  for (Operation *op : ops)
    guards.guard(op);
}

} // namespace tilesmith::host
