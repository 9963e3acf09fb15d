#include "ReduceKernel.h"

#include "Reductions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Reducer/Tester.h"

using namespace mlir;

namespace tilesmith::reduce {
namespace {

class ReduceKernel : public PassWrapper<ReduceKernel, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReduceKernel)

  ReduceKernel() = default;
  ReduceKernel(const ReduceKernel &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "reduce-kernel"; }
  StringRef getDescription() const override {
    return "shrinks the kernels of a module as long as the tester exits with 1";
  }

  void runOnOperation() override {
    std::vector<std::string> arguments(testArguments.begin(), testArguments.end());
    Tester tester(test, arguments);
    if (tester.isInteresting(getOperation()).first != Tester::Interestingness::True) {
      getOperation().emitError() << "the tester '" << test.getValue() << "' exits with 0: nothing here is interesting";
      return signalPassFailure();
    }
    best = getOperation().clone();
    for (bool changed = true; changed;) {
      changed = false;
      for (const Reduction &reduction : reductions())
        changed |= sweep(reduction, tester);
    }
    getOperation()->setAttrs(best.get()->getAttrDictionary());
    getOperation().getBodyRegion().takeBody(best->getBodyRegion());
    best = nullptr;
  }

private:
  static SmallVector<Operation *> opsOf(ModuleOp module) {
    SmallVector<Operation *> ops;
    for (Operation &top : *module.getBody())
      top.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    return ops;
  }

  // Tries the reduction on runs of ops from the end to the start: half of them at once, then shorter runs, then single
  // ops. An op comes before those inside it, so backwards none is met after it has gone.
  bool sweep(const Reduction &reduction, const Tester &tester) {
    bool changed = false;
    for (size_t run = std::max<size_t>(1, opsOf(*best).size() / 2); run > 0; run /= 2)
      for (size_t end = opsOf(*best).size(); end > 0; end -= std::min(end, run))
        changed |= attempt(reduction, end - std::min(end, run), end, tester);
    return changed;
  }

  bool attempt(const Reduction &reduction, size_t begin, size_t end, const Tester &tester) {
    OwningOpRef<ModuleOp> smaller = best->clone();
    SmallVector<Operation *> ops = opsOf(*smaller);
    bool changed = false;
    for (Operation *op : llvm::reverse(ArrayRef(ops).slice(begin, end - begin)))
      changed |= reduction.apply(op);
    if (!changed)
      return false;
    ScopedDiagnosticHandler quiet(&getContext(), [](Diagnostic &) { return success(); }); // most tries are not valid IR
    if (failed(verify(*smaller)) || tester.isInteresting(*smaller).first != Tester::Interestingness::True)
      return false;
    best = std::move(smaller);
    return true;
  }

  OwningOpRef<ModuleOp> best;
  Option<std::string> test{*this, "test", llvm::cl::desc("program that gets a file with IR and exits with 1 or 0")};
  ListOption<std::string> testArguments{*this, "test-arg", llvm::cl::desc("arguments before the file")};
};

} // namespace

void registerReduceKernelPass() { PassRegistration<ReduceKernel>(); }

} // namespace tilesmith::reduce
