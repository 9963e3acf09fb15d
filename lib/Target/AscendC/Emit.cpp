#include "tilesmith/Target/AscendC/Emit.h"
#include "Printer.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "tilesmith/Dialect/Isa/Functions.h"
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
  Helpers::reserve(names);
  std::string symbol = names.unique(kernel);
  return isLibraryFunction(symbol) ? names.unique(kernel) : symbol;
}

LogicalResult emitAscendC(ModuleOp module, std::string &out, const EmitOptions &options) {
  // The kernels are rewritten for printing; the caller's stay as they are.
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(isa::inlineDeviceFunctions(*copy)))
    return failure();
  SmallVector<func::FuncOp> kernels = isa::kernelsOf(*copy);
  if (kernels.empty())
    return module.emitError() << "there is no kernel to emit: no function has the attribute " << isa::kernelAttrName;
  SourceFile file;
  SmallVector<std::string> symbols; // all of them first: no other name of the file may take one
  for (func::FuncOp kernel : kernels) {
    symbols.push_back(kernelSymbol(kernel.getName()));
    if (file.names.unique(symbols.back()) != symbols.back())
      return kernel.emitError() << "two functions of the file would be called '" << symbols.back() << "'";
  }
  for (auto [kernel, symbol] : llvm::zip_equal(kernels, symbols)) {
    prepare(kernel);
    if (failed(Printer(kernel, symbol, file, options).print()))
      return failure();
  }
  out += file.text();
  return success();
}

namespace {

struct EmitAscendCPass : PassWrapper<EmitAscendCPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EmitAscendCPass)

  StringRef getArgument() const override { return "emit-ascendc"; }
  StringRef getDescription() const override { return "prints the kernels as Ascend C source"; }

  void runOnOperation() override {
    std::string text;
    if (failed(emitAscendC(getOperation(), text)))
      return signalPassFailure();
    llvm::outs() << text;
    markAllAnalysesPreserved();
  }
};

} // namespace

void registerEmitAscendCPass() { PassRegistration<EmitAscendCPass>(); }

} // namespace tilesmith::ascendc
