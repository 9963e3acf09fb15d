// OL05 unannotated-parameter: a parameter of the entry has no annotation.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL05",
    .name = "unannotated-parameter",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "A parameter of the entry has no annotation.",
    .why = "What is annotated as a tensor is taken from the first arguments of a call. One that is not becomes a "
           "compile-time value.",
    .use = "`x: pypto.Tensor([...], pypto.DT_...)` or `n: int`",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), n):
    pypto.set_vec_tile_shapes(16, 64)
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), n: int):
    pypto.set_vec_tile_shapes(16, 64)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *entry : pypto::literalEntries(file))
    for (const Parameter &parameter : entry->def->parameters)
      if (!parameter.annotation)
        report.add(parameter.range, "parameter '" + parameter.name.str() + "' has no annotation");
  if (report.isCompat())
    return;
  for (const Function *entry : pypto::literalEntries(file))
    if (!entry->def->variadic.empty())
      report.add(entry->def->nameRange, "what " + entry->def->variadic.str() + " takes has no type");
}

KernelRuleEntry ruleOL05Unannotated() { return {&info, check}; }

} // namespace tilesmith::lint
