// OL01 one-entry: an impl file does not have exactly one function decorated `@pypto.frontend.jit`.
#include "tilesmith/Lint/KernelRule.h"

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

static void check(const KernelFile &file, KernelReport &report) {
  unsigned entries = 0;
  bool isTold = false;
  for (const auto &function : file.all()) {
    if (!function->def)
      continue;
    for (const Expr *decorator : function->def->decorators) {
      if (pypto::isLiteralJit(*decorator)) {
        if (++entries > 1) {
          report.add(function->def->nameRange, "a second entry: '" + function->name().str() + "'");
          isTold = true;
        }
      } else if (pypto::isSomeJit(*decorator)) {
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
  if (!entries && !isTold)
    report.add({1, 0, 1, 0}, "no function is decorated @pypto.frontend.jit");
}

KernelRuleEntry ruleOL01OneEntry() { return {&info, check}; }

} // namespace tilesmith::lint
