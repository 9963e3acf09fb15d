// Expand composites: what is composed of other operations becomes a chain of these.
//
// A composite widens halves once and rounds once at its end. Afterwards only operations are left that tile IR has, so
// that what is fused and cut next sees a plain chain.
#include "GraphBuilder.h"
#include "tilesmith/Transforms/Graph/GraphPasses.h"

#include <numbers>

namespace tilesmith {
#define GEN_PASS_DEF_EXPANDCOMPOSITES
#include "tilesmith/Transforms/Graph/GraphPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;

// In f32; null: not a composite.
static Value expand(GraphBuilder &g, UnaryKind kind, Value x) {
  switch (kind) {
  case UnaryKind::Log10:
    return g.binary(BinaryKind::Mul, g.unary(UnaryKind::Log, x), 1 / std::numbers::ln10);
  case UnaryKind::Erfc:
    return g.binary(BinaryKind::Sub, g.constant(g.b.getF32Type(), 1), g.unary(UnaryKind::Erf, x));
  case UnaryKind::Trunc:
    return g.select(g.compare(tile::CompareKind::LT, x, 0), g.unary(UnaryKind::Ceil, x), g.unary(UnaryKind::Floor, x));
  case UnaryKind::Round: {
    // Adding 2^23 leaves no bits for a fraction, and the addition rounds ties to even. Larger numbers have none.
    static constexpr double noFraction = 0x1p23;
    Value size = g.unary(UnaryKind::Abs, x);
    Value rounded = g.binary(BinaryKind::Sub, g.binary(BinaryKind::Add, size, noFraction), noFraction);
    Value isWhole = g.compare(tile::CompareKind::GE, size, noFraction);
    Value turned = g.select(g.compare(tile::CompareKind::LT, x, 0), g.unary(UnaryKind::Neg, rounded), rounded);
    Value isNumber = CompareOp::create(g.b, g.loc, GraphBuilder::typeOf(x).withElementType(g.b.getI1Type()),
                                       tile::CompareKind::EQ, x, x, g.tile);
    return g.select(isNumber, g.select(isWhole, x, turned), x);
  }
  default:
    return {};
  }
}

static Value softmax(GraphBuilder &g, Value x, int64_t axis, Value valid) {
  ArrayRef<int64_t> shape = GraphBuilder::typeOf(x).getShape();
  Value top = g.expand(g.reduce(tile::ReduceKind::Max, x, axis, valid), shape);
  Value powers = g.unary(UnaryKind::Exp, g.binary(BinaryKind::Sub, x, top));
  Value sum = g.expand(g.reduce(tile::ReduceKind::Sum, powers, axis, valid), shape);
  return g.binary(BinaryKind::Div, powers, sum);
}

namespace {
struct ExpandCompositesPass : tilesmith::impl::ExpandCompositesBase<ExpandCompositesPass> {
  void runOnOperation() override {
    SmallVector<Operation *> composed;
    getOperation().walk([&](Operation *op) {
      if (llvm::isa<UnaryOp, SoftmaxOp>(op))
        composed.push_back(op);
    });
    for (Operation *op : composed)
      rewrite(op);
  }

  void rewrite(Operation *op) {
    OpBuilder b(op);
    GraphBuilder g(b, op->getLoc(), op->getAttrOfType<DenseI64ArrayAttr>("tile_shape"));
    Type type = GraphBuilder::typeOf(op->getResult(0)).getElementType();
    auto unary = dyn_cast<UnaryOp>(op);
    if (unary && unary.getKind() < UnaryKind::Log10)
      return;
    Value x = g.cast(op->getOperand(0), b.getF32Type());
    Value result;
    if (unary)
      result = expand(g, unary.getKind(), x);
    else
      result = softmax(g, x, cast<SoftmaxOp>(op).getAxis(), cast<SoftmaxOp>(op).getValid());
    op->getResult(0).replaceAllUsesWith(g.cast(result, type));
    op->erase();
  }
};
} // namespace
