// Unroll loops: a loop that carries tile.unroll_factor k runs k bodies per trip, with a loop for the rest.
//
// Inner loops are unrolled before the loops around them, so nested factors multiply. Results do not change; the factor
// is consumed, other attributes (tile.parallel) stay on both loops.
#include "tilesmith/Transforms/Passes.h"
#include "tilesmith/Transforms/Remarks.h"

#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/Matchers.h"

namespace tilesmith {
#define GEN_PASS_DEF_UNROLLLOOPS
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;

// The trips of a loop are counted as (end - start) / step: an end before the start must not count as billions of them.
static void endNotBeforeStart(scf::ForOp loop) {
  APInt start, end;
  if (matchPattern(loop.getLowerBound(), m_ConstantInt(&start)) &&
      matchPattern(loop.getUpperBound(), m_ConstantInt(&end)) && start.sle(end))
    return;
  OpBuilder b(loop);
  loop.setUpperBound(arith::MaxSIOp::create(b, loop.getLoc(), loop.getUpperBound(), loop.getLowerBound()));
}

namespace {
struct UnrollLoopsPass : tilesmith::impl::UnrollLoopsBase<UnrollLoopsPass> {
  using UnrollLoopsBase::UnrollLoopsBase;
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops; // inner before outer
    getOperation().walk<WalkOrder::PostOrder>([&](scf::ForOp loop) {
      if (loop->hasAttr(tile::unrollFactorAttrName))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      int64_t factor = cast<IntegerAttr>(loop->removeAttr(tile::unrollFactorAttrName)).getInt();
      if (factor <= 1)
        continue;
      endNotBeforeStart(loop);
      DictionaryAttr attributes = loop->getDiscardableAttrDictionary();
      Location loc = loop.getLoc();
      FailureOr<UnrolledLoopInfo> unrolled = loopUnrollByFactor(loop, factor);
      if (failed(unrolled)) {
        remark::missed(loc, remarkOf(getArgument(), "unroll")) << remark::reason("the loop has no iterations");
        continue;
      }
      remark::passed(loc, remarkOf(getArgument(), "unroll"))
          << remark::metric("factor", factor) << remark::metric("rest", unrolled->epilogueLoopOp.has_value());
      for (std::optional<scf::ForOp> part : {unrolled->mainLoopOp, unrolled->epilogueLoopOp})
        if (part)
          (*part)->setDiscardableAttrs(attributes);
    }
  }
};
} // namespace
