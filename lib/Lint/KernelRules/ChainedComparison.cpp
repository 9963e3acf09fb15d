// TS125 chained-comparison: a comparison of more than two values in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS125",
    .name = "chained-comparison",
    .level = Level::Warning,
    .isPortability = true,
    .what = "A comparison of more than two values in device code.",
    .why = "Upstream's compiler refuses `a < b < c`. Ours takes it.",
    .use = "`a < b and b < c`",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    if 0 < size < 64:
        asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    if 0 < size and size < 64:
        asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Compare>(file, ascLanguages, [&](const Compare &expr, const Place &, const Function &) {
    if (expr.operators.size() > 1)
      report.add(expr.range, "comparison of " + std::to_string(expr.operands.size()) + " values");
  });
}

KernelRuleEntry ruleChainedComparison() { return {&info, check}; }

} // namespace tilesmith::lint
