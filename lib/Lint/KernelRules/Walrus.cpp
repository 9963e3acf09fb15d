// TS118 walrus-in-kernel: `:=` in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS118",
    .name = "walrus-in-kernel",
    .level = Level::Error,
    .what = "`:=` in device code.",
    .why = "Both compilers refuse it.",
    .use = "an assignment on a line of its own",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store((tile := asc2.load(x, [64], tile_id=[0])) + tile, x, tile_id=[0])
)py",
    .good = R"py(
if (n := len("abc")) > 2:
    print(n)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<NamedExpr>(file, ascLanguages, [&](const NamedExpr &expr, const Place &, const Function &) {
    report.add(expr.range, ":= in device code");
  });
}

KernelRuleEntry ruleWalrus() { return {&info, check}; }

} // namespace tilesmith::lint
