// OL01 one-entry: an impl file does not have exactly one function decorated `@pypto.frontend.jit`.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/SmallPtrSet.h"

#include "../Kernels/Pypto.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL01",
    .name = "one-entry",
    .level = Level::S0,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "An impl file does not have exactly one function decorated `@pypto.frontend.jit`.",
    .why = "The pipeline finds the kernel by this decorator, and runs one. Other spellings of it are not found on the "
           "chip's side either.",
    .use = "decorate one function with @pypto.frontend.jit or @pypto.frontend.jit(...)",
    .bad = R"py(
@pypto.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
)py",
    .good = R"py(
@pypto.frontend.jit(runtime_options={"run_mode": 1})
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
)py",
};

// Whether an expression is pypto's jit, or a call of it with options: by other names too.
static bool isJit(const KernelFile &file, const Expr *expr, const Function &in) {
  expr = file.meaning(expr, in);
  if (auto *call = llvm::dyn_cast_or_null<Call>(expr))
    expr = call->callee;
  std::string path = file.path(expr, in);
  return path == "pypto.frontend.jit" || path == "pypto.jit";
}

static void check(const KernelFile &file, KernelReport &report) {
  unsigned entries = 0;
  bool isTold = false;
  llvm::SmallPtrSet<const Node *, 8> decorators;
  for (const auto &function : file.all()) {
    if (!function->def)
      continue;
    for (const Expr *decorator : function->def->decorators) {
      decorators.insert(decorator);
      if (pypto::isLiteralJit(*decorator)) {
        if (++entries > 1) {
          report.add(function->def->nameRange, "a second entry: '" + function->name().str() + "'");
          isTold = true;
        }
      } else if (pypto::isSomeJit(*decorator) ||
                 isJit(file, decorator, function->parent ? *function->parent : file.getModule())) {
        auto *call = llvm::dyn_cast<Call>(decorator);
        const Expr *callee = call ? call->callee : decorator;
        KernelFinding &finding =
            report.add(decorator->range,
                       "'" + function->name().str() + "' is decorated in a form that is not @pypto.frontend.jit");
        finding.edits.push_back({callee->range, "pypto.frontend.jit"});
        isTold = true;
      }
    }
  }
  // `kernel = pypto.frontend.jit(function)`, with options or without.
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls)
      if (!decorators.contains(call.call) && !call.call->arguments.empty() &&
          isJit(file, call.call->callee, *function) && file.functionOf(call.call->arguments[0], *function)) {
        report.add(call.call->range, "an entry is made by a call, not by the decorator @pypto.frontend.jit");
        isTold = true;
      }
  if (!entries && !isTold)
    report.add({1, 0, 1, 0}, "no function is decorated @pypto.frontend.jit");
}

KernelRuleEntry ruleOL01OneEntry() { return {&info, check}; }

} // namespace tilesmith::lint
