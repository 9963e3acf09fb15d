// OL06 bare-min-max: the builtins `min` or `max` in kernel code.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL06",
    .name = "bare-min-max",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "The builtins `min` or `max` in kernel code.",
    .why = "They compare runtime numbers while compiling. The number's own methods, or pypto.min, do it when the "
           "kernel runs.",
    .use = "pypto.min(a, b), or (a).min(b)",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    n = min(x.shape[0], 16)
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    n = pypto.min(x.shape[0], 16)
    m = x.shape[0].min(16)

def wrapper(x):
    return min(x.shape[0], 4)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : pypto::kernelCode(file, report.isCompat()))
    for (const CallFact &call : function->calls) {
      // Through `smaller = min` and `builtins.min`, too; not a function of the file that is called so.
      const Expr *callee = report.isCompat() ? call.call->callee : file.meaning(call.call->callee, *function);
      auto *name = llvm::dyn_cast_or_null<Name>(callee);
      llvm::StringRef word = name ? name->id : "";
      if (!report.isCompat() && (call.path == "builtins.min" || call.path == "builtins.max"))
        word = llvm::StringRef(call.path).take_back(3);
      else if (!name || file.functionOf(name, *function) || function->bound.contains(name->id) || !call.path.empty())
        continue;
      if (word != "min" && word != "max")
        continue;
      KernelFinding &finding = report.add(call.call->range, "bare " + word.str() + "(...) in kernel code");
      if (call.call->arguments.size() == 2 && call.call->keywords.empty())
        finding.edits.push_back({call.call->callee->range, "pypto." + word.str()});
    }
}

KernelRuleEntry ruleOL06BareMinMax() { return {&info, check}; }

} // namespace tilesmith::lint
