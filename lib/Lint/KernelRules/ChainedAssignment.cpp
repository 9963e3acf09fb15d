// TS127 chained-assignment: `a = b = value` in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS127",
    .name = "chained-assignment",
    .level = Level::Error,
    .what = "`a = b = value` in device code.",
    .why = "Both compilers refuse it.",
    .use = "two assignments",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    a = b = asc2.load(x, [64], tile_id=[0])
    asc2.store(a + b, x, tile_id=[0])
)py",
    .good = R"py(
a = b = 3
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Assign>(file, ascLanguages, [&](const Assign &stmt, const Place &, const Function &) {
    if (stmt.targets.size() > 1)
      report.add(stmt.range, "chained assignment in device code");
  });
}

KernelRuleEntry ruleChainedAssignment() { return {&info, check}; }

} // namespace tilesmith::lint
