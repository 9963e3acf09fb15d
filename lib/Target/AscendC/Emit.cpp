#include "tilesmith/Target/AscendC/Emit.h"
#include "Printer.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

using namespace mlir;

namespace tilesmith::ascendc {

// Functions of the C library live where kernels do. Those LLVM knows, and others that come with <stdlib.h> and
// <stdio.h>.
static bool isLibraryFunction(StringRef name) {
  static const llvm::TargetLibraryInfoImpl library(llvm::Triple("x86_64-unknown-linux-gnu"));
  static const llvm::StringSet<> others = {
      "abort",     "alloca",   "atexit",  "basename", "bsearch",  "clearenv", "clearerr", "div",    "ecvt",   "exit",
      "fcvt",      "gcvt",     "getline", "index",    "ldiv",     "lldiv",    "mblen",    "mktemp", "popen",  "pselect",
      "putenv",    "qsort",    "rand",    "random",   "realpath", "remove",   "rename",   "rindex", "select", "setenv",
      "setlocale", "setstate", "signal",  "srand",    "srandom",  "system",   "unsetenv", "valloc"};
  llvm::LibFunc function;
  return library.getLibFunc(name, function) || others.contains(name);
}

std::string kernelSymbol(StringRef kernel) {
  Names names;
  std::string symbol = names.unique(kernel);
  return isLibraryFunction(symbol) ? names.unique(kernel) : symbol;
}

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
