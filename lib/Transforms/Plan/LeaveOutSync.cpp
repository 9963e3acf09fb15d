// Leave out sync: removes the synchronisation `without_sync` names from a finished kernel.
//
// A study of what each flag and barrier is good for. Synchronisations are the tokens (all sets and waits that carry the
// same `isa.token`) and the barriers, numbered by where the first of their ops stands. A kernel that has fewer is an
// error which says how many it has, so a caller can count up until it hears that.
#include "tilesmith/Transforms/Plan/PlanPasses.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith {
#define GEN_PASS_DEF_LEAVEOUTSYNC
#include "tilesmith/Transforms/Plan/PlanPasses.h.inc"

namespace {
struct LeaveOutSync : impl::LeaveOutSyncBase<LeaveOutSync> {
  using LeaveOutSyncBase::LeaveOutSyncBase;

  void runOnOperation() override {
    if (!kernelOptions.withoutSync)
      return;
    std::vector<SmallVector<Operation *>> syncs;
    llvm::DenseMap<Attribute, size_t> ofToken;
    getOperation().walk([&](Operation *op) {
      if (llvm::isa<PipeBarrierOp>(op)) {
        syncs.push_back({op});
      } else if (Attribute token = op->getAttr(tokenAttrName)) {
        auto [known, isNew] = ofToken.try_emplace(token, syncs.size());
        if (isNew)
          syncs.emplace_back();
        syncs[known->second].push_back(op);
      }
    });
    int64_t index = *kernelOptions.withoutSync;
    if (size_t(index) >= syncs.size()) {
      getOperation().emitError() << "there is no synchronisation " << index << ": this kernel has " << syncs.size();
      return signalPassFailure();
    }
    remark::analysis(syncs[index].front()->getLoc(), remarkOf(getArgument(), "sync"))
        << remark::metric("synchronisations", syncs.size()) << remark::metric("removed", syncs[index].size());
    for (Operation *op : syncs[index])
      op->erase();
  }
};
} // namespace
} // namespace tilesmith
