// What buffers fold to: names for an address that is known under a simpler one.
#include "tilesmith/Dialect/Isa/IsaDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilesmith::isa;

OpFoldResult SlotOp::fold(FoldAdaptor) {
  AllocOp alloc = getAlloc();
  return alloc && alloc.getSlots() == 1 ? getRing() : Value();
}

OpFoldResult OffsetOp::fold(FoldAdaptor adaptor) {
  auto bytes = dyn_cast_if_present<IntegerAttr>(adaptor.getBytes());
  return bytes && bytes.getValue().isZero() ? getBase() : Value();
}

namespace {
struct OffsetOfOffset : OpRewritePattern<OffsetOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(OffsetOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getBase().getDefiningOp<OffsetOp>();
    if (!inner)
      return failure();
    Value sum = rewriter.createOrFold<arith::AddIOp>(op.getLoc(), inner.getBytes(), op.getBytes());
    rewriter.replaceOpWithNewOp<OffsetOp>(op, op.getType(), inner.getBase(), sum);
    return success();
  }
};
} // namespace

void OffsetOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<OffsetOfOffset>(context);
}

OpFoldResult ViewOp::fold(FoldAdaptor) {
  if (getBase().getType() == getType())
    return getBase();
  auto inner = getBase().getDefiningOp<ViewOp>();
  if (!inner)
    return {};
  if (inner.getBase().getType() == getType())
    return inner.getBase();
  getBaseMutable().assign(inner.getBase());
  return getResult();
}
