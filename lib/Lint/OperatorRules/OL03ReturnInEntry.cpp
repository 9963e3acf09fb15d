// OL03 return-in-entry: `return` in the entry.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL03",
    .name = "return-in-entry",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "`return` in the entry.",
    .why = "A launch gives nothing back, and the front end refuses the statement.",
    .use = "write results into parameters; let helpers return",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    return x
)py",
    .good = R"py(
def twice(x):
    return x + x

@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    out[:] = twice(x)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *entry : pypto::literalEntries(file))
    entry->each<Return>([&](const Return &stmt, const Place &) {
      report.add(stmt.range, "return in the entry '" + entry->name().str() + "'");
    });
}

KernelRuleEntry ruleOL03ReturnInEntry() { return {&info, check}; }

} // namespace tilesmith::lint
