#include "tilesmith/Dialect/Isa/Functions.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tilesmith::isa {

SmallVector<func::FuncOp> kernelsOf(ModuleOp module, StringRef kernelAttr) {
  SmallVector<func::FuncOp> kernels;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kernelAttr))
      kernels.push_back(function);
  return kernels;
}

namespace {

// Replaces calls from the inside out: a body that is copied holds no calls any more.
class Inliner {
public:
  Inliner(ModuleOp module, StringRef kernelAttr) : symbols(module), kernelAttr(kernelAttr) {}

  LogicalResult run(func::FuncOp function) {
    if (!seen.insert(function).second)
      return success();
    open.insert(function);
    SmallVector<func::CallOp> calls;
    function.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      FailureOr<func::FuncOp> callee = calleeOf(call);
      if (failed(callee) || failed(run(*callee)))
        return failure();
      replace(call, *callee);
    }
    open.erase(function);
    return success();
  }

private:
  static LogicalResult refuse(func::CallOp call, const Twine &why) {
    return call.emitError() << "'" << call.getCallee() << "' cannot be called here: it " << why;
  }

  FailureOr<func::FuncOp> calleeOf(func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (callee->hasAttr(kernelAttr))
      return refuse(call, "is a kernel");
    if (open.contains(callee))
      return refuse(call, "calls itself");
    if (callee->hasAttr(printsAttrName))
      return refuse(call, "prints, which only a kernel can");
    if (!callee.getBody().hasOneBlock())
      return refuse(call, callee.isExternal() ? "has no body" : "has more than one block");
    return callee;
  }

  static void replace(func::CallOp call, func::FuncOp callee) {
    OpBuilder b(call);
    IRMapping values;
    values.map(callee.getArguments(), call.getOperands());
    Block &body = callee.getBody().front();
    for (Operation &op : body.without_terminator())
      b.clone(op, values)->walk([&](Operation *inner) {
        inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
      });
    for (auto [result, value] : llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(values.lookupOrDefault(value));
    call.erase();
  }

  SymbolTable symbols;
  StringRef kernelAttr;
  llvm::DenseSet<func::FuncOp> seen, open; // open: its calls are being replaced
};

} // namespace

LogicalResult inlineDeviceFunctions(ModuleOp module, StringRef kernelAttr) {
  Inliner inliner(module, kernelAttr);
  for (func::FuncOp kernel : kernelsOf(module, kernelAttr))
    if (failed(inliner.run(kernel)))
      return failure();
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!function->hasAttr(kernelAttr))
      function.erase();
  return success();
}

} // namespace tilesmith::isa
