// Check written: no tensor is read before something is written into it.
//
// The front end begins a tensor of the kernel itself as zeros that are marked. Writing into it makes another tensor of
// them; loops and branches carry them on. Every other use reads what nobody wrote.
#include "tilesmith/Dialect/Graph/Graph.h"
#include "tilesmith/Transforms/Graph/GraphPasses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith {
#define GEN_PASS_DEF_CHECKWRITTEN
#include "tilesmith/Transforms/Graph/GraphPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;

// Whether the user needs the elements.
static bool reads(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto insert = dyn_cast<InsertOp>(user))
    return use.get() == insert.getSource();
  return llvm::isa<GraphDialect>(user->getDialect());
}

namespace {
struct CheckWrittenPass : tilesmith::impl::CheckWrittenBase<CheckWrittenPass> {
  void runOnOperation() override {
    bool failed = false;
    getOperation().walk([&](FullOp full) {
      if (!full->hasAttr(unwrittenAttrName))
        return;
      Operation *reader = nullptr; // the first: uses are listed from the last on
      for (OpOperand &use : full.getResult().getUses())
        if (reads(use))
          reader = use.getOwner();
      full->removeAttr(unwrittenAttrName);
      if (!reader)
        return;
      failed = true;
      reader->emitError("a tensor is read before anything is written into it").attachNote(full.getLoc())
          << "made here, without elements; pypto.zeros makes one of zeros";
    });
    if (failed)
      signalPassFailure();
  }
};
} // namespace
