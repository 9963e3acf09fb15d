// OL29 no-dynamic: no tensor of the entry has a dynamic axis.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"
#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL29",
    .name = "no-dynamic",
    .level = Level::S2,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "No tensor of the entry has a dynamic axis.",
    .why = "The kernel is compiled again for every shape.",
    .use = "pypto.DYNAMIC for the axes that vary",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
)py",
    .good = R"py(
B = pypto.DYNAMIC

@pypto.frontend.jit
def kernel(x: pypto.Tensor([B, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *entry : pypto::primaryEntries(file))
    if (llvm::none_of(entry->def->parameters, [&](const Parameter &it) { return pypto::isDynamic(file, it, *entry); }))
      report.add(entry->def->nameRange, "no tensor of '" + entry->name().str() + "' has a dynamic axis");
}

KernelRuleEntry ruleOL29NoDynamic() { return {&info, check}; }

} // namespace tilesmith::lint
