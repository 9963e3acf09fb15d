// TS120 set-or-dict-in-kernel: a set or dictionary in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS120",
    .name = "set-or-dict-in-kernel",
    .level = Level::Error,
    .what = "A set or dictionary in device code.",
    .why = "Device code holds tiles, numbers, tuples and lists. Both compilers refuse it.",
    .use = "a tuple, or names of their own",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    factors = {"a": 2}
    asc2.store(asc2.load(x, [64], tile_id=[0]) * factors["a"], x, tile_id=[0])
)py",
    .good = R"py(
table = {"a": 2}
FACTOR = table["a"]

@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]) * FACTOR, x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Dict>(file, ascLanguages, [&](const Dict &expr, const Place &, const Function &) {
    report.add(expr.range, "dictionary in device code");
  });
  eachOnDevice<OtherExpr>(file, ascLanguages, [&](const OtherExpr &expr, const Place &, const Function &) {
    if (expr.className == "Set")
      report.add(expr.range, "set in device code");
  });
}

KernelRuleEntry ruleSetOrDict() { return {&info, check}; }

} // namespace tilesmith::lint
