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
      if (llvm::isa<UnaryOp, SoftmaxOp, ConcatOp>(op))
        composed.push_back(op);
    });
    for (Operation *op : composed)
      rewrite(op);
  }

  // What is joined only to be written is written part by part.
  static void writeParts(ConcatOp op) {
    if (!llvm::all_of(op->getUsers(), [](Operation *user) { return llvm::isa<AssembleOp>(user); }))
      return;
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      auto whole = cast<AssembleOp>(user);
      OpBuilder b(whole);
      GraphBuilder g(b, whole.getLoc());
      int64_t begin = 0, axis = op.getAxis();
      for (Value part : op.getOperands()) {
        SmallVector<Value> offsets(whole.getOffsets()), valid(whole.getValid());
        int64_t size = GraphBuilder::typeOf(part).getShape()[axis];
        offsets[axis] = g.plus(offsets[axis], g.i32(begin));
        valid[axis] = g.atMost(g.atLeast(g.minus(valid[axis], g.i32(begin)), g.i32(0)), g.i32(size));
        AssembleOp::create(b, whole.getLoc(), part, whole.getMemory(), offsets, valid, whole.getTileShapeAttr(),
                           whole.getAtomicAttr());
        begin += size;
      }
      whole.erase();
    }
    op.erase();
  }

  void rewrite(Operation *op) {
    if (auto concat = dyn_cast<ConcatOp>(op))
      return writeParts(concat);
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
