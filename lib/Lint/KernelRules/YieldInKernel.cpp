// TS110 yield-in-kernel: `yield` in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS110",
    .name = "yield-in-kernel",
    .level = Level::Error,
    .what = "`yield` in device code.",
    .why = "A kernel cannot stop in the middle and give a value out. Both compilers refuse it.",
    .use = "store every value",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    yield asc2.load(x, [64], tile_id=[0])
)py",
    .good = R"py(
def tiles(x):
    yield x[:64]
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<OtherExpr>(file, ascLanguages, [&](const OtherExpr &expr, const Place &, const Function &) {
    if (expr.className == "Yield" || expr.className == "YieldFrom")
      report.add(expr.range, "yield in device code");
  });
}

KernelRuleEntry ruleYieldInKernel() { return {&info, check}; }

} // namespace tilesmith::lint
