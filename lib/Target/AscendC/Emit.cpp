#include "tilesmith/Target/AscendC/Emit.h"
#include "Printer.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace tilesmith::ascendc {

std::string kernelSymbol(StringRef kernel) { return Names().unique(kernel); }

LogicalResult emitAscendC(ModuleOp module, std::string &out, const EmitOptions &options) {
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  if (functions.size() != 1 || !functions[0]->hasAttr(isa::kernelAttrName))
    return module.emitError() << "a module to emit holds one kernel and nothing else";
  // The kernel is rewritten for printing; the caller's stays as it is.
  OwningOpRef<ModuleOp> copy = module.clone();
  func::FuncOp kernel = *copy->getOps<func::FuncOp>().begin();
  prepare(kernel);
  std::string text;
  if (failed(Printer(kernel, options).print(text)))
    return failure();
  out += text;
  return success();
}

namespace {

struct EmitAscendCPass : PassWrapper<EmitAscendCPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EmitAscendCPass)

  StringRef getArgument() const override { return "emit-ascendc"; }
  StringRef getDescription() const override { return "prints the kernels as Ascend C source"; }

  // A module with several kernels, as tests write them, is printed kernel by kernel.
  void runOnOperation() override {
    for (func::FuncOp kernel : llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      OwningOpRef<ModuleOp> single = ModuleOp::create(getOperation().getLoc());
      single->push_back(kernel.clone());
      std::string text;
      if (failed(emitAscendC(*single, text)))
        return signalPassFailure();
      llvm::outs() << text;
    }
    markAllAnalysesPreserved();
  }
};

} // namespace

void registerEmitAscendCPass() { PassRegistration<EmitAscendCPass>(); }

} // namespace tilesmith::ascendc
