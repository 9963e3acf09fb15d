#include "Codegen.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Target/Host/LowerToLLVM.h"

using namespace mlir;

namespace tilesmith::host {

llvm::Expected<CompiledKernel> compileKernel(ModuleOp module, const CompileOptions &options) {
  MLIRContext *context = module.getContext();
  context->loadDialect<LLVM::LLVMDialect, cf::ControlFlowDialect, arith::ArithDialect, scf::SCFDialect>();

  std::string text;
  ScopedDiagnosticHandler collect(context, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(text) << (text.empty() ? "" : "\n") << diagnostic.getLocation() << ": " << diagnostic;
    return success();
  });
  CompiledKernel kernel;
  OwningOpRef<ModuleOp> lowered = module.clone();
  if (failed(lowerToLLVM(*lowered, kernel.metadata)))
    return llvm::createStringError(text);
  llvm::Expected<std::vector<char>> object = generateObject(*lowered, options);
  if (!object)
    return text.empty() ? object.takeError() : llvm::joinErrors(object.takeError(), llvm::createStringError(text));
  kernel.object = std::move(*object);
  return kernel;
}

// A kernel that uses a little of everything: most of a first compilation's time goes into touching code for the first
// time.
static constexpr llvm::StringLiteral sample = R"(
func.func @sample(%x: !isa.buffer<GM, f32>, %n: i64) attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = isa.alloc 768 {address = 0 : i64} : !isa.buffer<UB, f32>
  scf.for %i = %c0 to %n step %c1 : i64 {
    isa.set_flag %c0 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
    isa.vf 2 x 96(%a) : !isa.buffer<UB, f32> {
    ^bb0(%p: !isa.buffer<UB, f32>):
      %0 = isa.vf_load %p "full" : !isa.buffer<UB, f32> -> !isa.reg<f32>
      %1 = isa.vf_compute "exp"(%0) : (!isa.reg<f32>) -> !isa.reg<f32>
      isa.vf_store %1, %p "full" : !isa.reg<f32>, !isa.buffer<UB, f32>
    }
  }
  return
})";

void prepareCompiler() {
  static const bool prepared = [] {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    context.loadDialect<func::FuncDialect, arith::ArithDialect, scf::SCFDialect, isa::IsaDialect>();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(sample, &context);
    if (llvm::Expected<CompiledKernel> kernel = compileKernel(*module)) {
      auto loaded = loadKernel(llvm::StringRef(kernel->object.data(), kernel->object.size()), kernel->metadata.kernel);
      if (!loaded)
        llvm::consumeError(loaded.takeError());
    } else {
      llvm::consumeError(kernel.takeError());
    }
    return true;
  }();
  (void)prepared;
}

} // namespace tilesmith::host
