// Expand math: composed and transcendental operations become sequences of basic ones (Support/Formulas.h).
//
// The same sequence on the chip and on the model, never a library call of unknown bits. Everything is computed in f32
// and within a few units in the last place, relative to the result; f16 and bf16 operands are widened first and the
// result is rounded once. Left are add sub mul div max min abs neg exp log sqrt relu floor ceil, comparisons,
// selections, casts, reductions and broadcasts.
#include "ExpandBinary.h"
#include "tilesmith/Support/Formulas.h"
#include "tilesmith/Transforms/Remarks.h"

namespace tilesmith {
#define GEN_PASS_DEF_EXPANDMATH
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using tile::BinaryKind;
using tile::ReduceKind;
using tile::UnaryKind;

// The expansion of one function of an f32 tile; null: the kind is basic.
static Value expandUnary(TileBuilder &t, UnaryKind kind, Value x) {
  switch (kind) {
  case UnaryKind::Exp2:
    return t.exp(t.mul(x, formulas::ln2));
  case UnaryKind::Log2:
    return t.mul(t.unary(UnaryKind::Log, x), 1 / formulas::ln2);
  case UnaryKind::Rsqrt:
    return t.div(1.0, t.unary(UnaryKind::Sqrt, x));
  case UnaryKind::Erf:
    return formulas::erf(t, x);
  case UnaryKind::Tanh:
    return formulas::tanh(t, x);
  case UnaryKind::Sin:
    return formulas::sin(t, x);
  case UnaryKind::Cos:
    return formulas::cos(t, x);
  case UnaryKind::Tan:
    return formulas::tan(t, x);
  case UnaryKind::Sinh:
    return formulas::sinh(t, x);
  case UnaryKind::Cosh:
    return formulas::cosh(t, x);
  case UnaryKind::Log1p:
    return formulas::log1p(t, x);
  case UnaryKind::Expm1:
    return formulas::expm1(t, x);
  case UnaryKind::Sigmoid:
    return formulas::sigmoid(t, x);
  case UnaryKind::Silu:
    return formulas::silu(t, x);
  case UnaryKind::Softplus:
    return formulas::softplus(t, x);
  case UnaryKind::Gelu:
    return formulas::gelu(t, x);
  default:
    return {};
  }
}

static bool isBasic(UnaryKind kind) {
  switch (kind) {
  case UnaryKind::Abs:
  case UnaryKind::Neg:
  case UnaryKind::Reciprocal:
  case UnaryKind::Exp:
  case UnaryKind::Log:
  case UnaryKind::Sqrt:
  case UnaryKind::Relu:
  case UnaryKind::Floor:
  case UnaryKind::Ceil:
  case UnaryKind::Not:
    return true;
  default:
    return false;
  }
}

// The last axis reduced and repeated again.
static Value alongRows(TileBuilder &t, ReduceKind kind, Value x) {
  SmallVector<int64_t> shape(tileTypeOf(x).getShape());
  shape.back() = 1;
  return t.reduce(kind, x, {int64_t(shape.size()) - 1}, shape);
}

static Value softmax(TileBuilder &t, Value x) {
  ArrayRef<int64_t> shape = tileTypeOf(x).getShape();
  Value powers = t.exp(t.sub(x, t.broadcast(alongRows(t, ReduceKind::Max, x), shape)));
  Value inverse = t.div(1.0, alongRows(t, ReduceKind::Sum, powers));
  return t.mul(powers, t.broadcast(inverse, shape));
}

static Value rmsNorm(TileBuilder &t, Value x, Value gamma, Value epsilon) {
  ArrayRef<int64_t> shape = tileTypeOf(x).getShape();
  Value mean = t.mul(alongRows(t, ReduceKind::Sum, t.mul(x, x)), 1.0 / shape.back());
  Value inverse = t.div(1.0, t.unary(UnaryKind::Sqrt, t.add(mean, epsilon)));
  return t.mul(t.mul(x, t.broadcast(inverse, shape)), t.broadcast(gamma, shape));
}

namespace {
struct ExpandMathPass : tilesmith::impl::ExpandMathBase<ExpandMathPass> {
  using ExpandMathBase::ExpandMathBase;
  void runOnOperation() override {
    SmallVector<Operation *> composed;
    getOperation().walk([&](Operation *op) {
      auto unary = dyn_cast<tile::UnaryOp>(op);
      auto binary = dyn_cast<tile::BinaryOp>(op);
      if (llvm::isa<tile::SoftmaxOp, tile::RmsNormOp>(op) || (unary && !isBasic(unary.getKind())) ||
          (binary && isComposed(binary.getKind())))
        composed.push_back(op);
    });
    remark::analysis(getOperation().getLoc(), remarkOf(getArgument(), "operations"))
        << remark::metric("expanded", composed.size());
    for (Operation *op : composed)
      if (failed(expand(op)))
        return signalPassFailure();
  }

  LogicalResult expand(Operation *op) {
    OpBuilder b(op);
    TileBuilder t(b, op->getLoc());
    Type type = tileTypeOf(op->getResult(0)).getElementType();
    if (auto binary = dyn_cast<tile::BinaryOp>(op)) {
      op->getResult(0).replaceAllUsesWith(expandBinary(t, binary));
      op->erase();
      return success();
    }
    if (!llvm::isa<FloatType>(type))
      return op->emitError() << "'" << op->getName().stripDialect() << "' needs a float tile, got " << type;
    Value x = t.cast(op->getOperand(0), b.getF32Type());
    Value result;
    if (auto unary = dyn_cast<tile::UnaryOp>(op))
      result = expandUnary(t, unary.getKind(), x);
    else if (auto norm = dyn_cast<tile::RmsNormOp>(op))
      result = rmsNorm(t, x, t.cast(norm.getGamma(), b.getF32Type()), norm.getEpsilon());
    else
      result = softmax(t, x);
    op->getResult(0).replaceAllUsesWith(t.cast(result, type));
    op->erase();
    return success();
  }
};
} // namespace
