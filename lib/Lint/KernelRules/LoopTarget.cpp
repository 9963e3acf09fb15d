// TS124 loop-target: the target of a loop in device code is not a name.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS124",
    .name = "loop-target",
    .level = Level::Warning,
    .isPortability = true,
    .what = "The target of a loop in device code is not a name.",
    .why = "Upstream's compiler refuses it. Ours takes it where the loop is unrolled.",
    .use = "loop over a number and take the values by it",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    for i, factor in ((0, 2), (1, 3)):
        asc2.store(asc2.load(x, [64], tile_id=[i]) * factor, x, tile_id=[i])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    for i in asc2.static_range(2):
        asc2.store(asc2.load(x, [64], tile_id=[i]) * (i + 2), x, tile_id=[i])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<For>(file, ascLanguages, [&](const For &loop, const Place &, const Function &) {
    if (!llvm::isa<Name>(loop.target))
      report.add(loop.target->range, "the target of a loop is not a name");
  });
}

KernelRuleEntry ruleLoopTarget() { return {&info, check}; }

} // namespace tilesmith::lint
