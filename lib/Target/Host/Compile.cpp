#include "Codegen.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "tilesmith/Target/Host/LowerToLLVM.h"

using namespace mlir;

namespace tilesmith::host {

llvm::Expected<CompiledKernels> compileKernels(ModuleOp module, const CompileOptions &options) {
  MLIRContext *context = module.getContext();
  context->loadDialect<LLVM::LLVMDialect, cf::ControlFlowDialect, arith::ArithDialect, scf::SCFDialect>();

  std::string text;
  ScopedDiagnosticHandler collect(context, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(text) << (text.empty() ? "" : "\n") << diagnostic.getLocation() << ": " << diagnostic;
    return success();
  });
  CompiledKernels result;
  OwningOpRef<ModuleOp> lowered = module.clone();
  if (failed(lowerToLLVM(*lowered, result.kernels)))
    return llvm::createStringError(text);
  llvm::Expected<std::vector<char>> object = generateObject(*lowered, options);
  if (!object)
    return text.empty() ? object.takeError() : llvm::joinErrors(object.takeError(), llvm::createStringError(text));
  result.object = std::move(*object);
  return result;
}

llvm::Expected<CompiledKernel> compileKernel(ModuleOp module, const CompileOptions &options) {
  llvm::Expected<CompiledKernels> compiled = compileKernels(module, options);
  if (!compiled)
    return compiled.takeError();
  if (compiled->kernels.size() != 1)
    return llvm::createStringError("the module holds " + std::to_string(compiled->kernels.size()) +
                                   " kernels, and one was asked for");
  return CompiledKernel{std::move(compiled->object), std::move(compiled->kernels.front())};
}

} // namespace tilesmith::host
