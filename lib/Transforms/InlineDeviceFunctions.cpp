// Inline device functions: a kernel is one function.
//
// Calls of functions that are not kernels are replaced by their bodies, calls inside these first; the functions
// themselves go. What follows in the pipeline meets kernels only, several if the module has several.
#include "tilesmith/Dialect/Isa/Functions.h"
#include "tilesmith/Transforms/Passes.h"
#include "tilesmith/Transforms/Remarks.h"

namespace tilesmith {
#define GEN_PASS_DEF_INLINEDEVICEFUNCTIONS
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

namespace {
struct InlineDeviceFunctionsPass : tilesmith::impl::InlineDeviceFunctionsBase<InlineDeviceFunctionsPass> {
  void runOnOperation() override {
    size_t before = functions();
    if (failed(tilesmith::isa::inlineDeviceFunctions(getOperation(), tilesmith::tile::kernelAttrName)))
      return signalPassFailure();
    mlir::remark::analysis(getOperation().getLoc(), tilesmith::remarkOf(getArgument(), "functions"))
        << mlir::remark::metric("kernels", functions()) << mlir::remark::metric("inlined", before - functions());
  }

  size_t functions() {
    auto all = getOperation().getOps<mlir::func::FuncOp>();
    return std::distance(all.begin(), all.end());
  }
};
} // namespace
