// TS117 comprehension-in-kernel: a comprehension or generator expression in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS117",
    .name = "comprehension-in-kernel",
    .level = Level::Warning,
    .isPortability = true,
    .what = "A comprehension or generator expression in device code.",
    .why = "Upstream's compiler refuses all of them. Ours takes lists, and refuses sets, dictionaries and generators.",
    .use = "a loop over asc2.static_range",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    parts = [asc2.load(x, [64], tile_id=[i]) for i in range(2)]
    asc2.store(parts[0] + parts[1], x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    total = asc2.load(x, [64], tile_id=[0])
    for i in asc2.static_range(1, 2):
        total = total + asc2.load(x, [64], tile_id=[i])
    asc2.store(total, x, tile_id=[0])

sizes = [n * 2 for n in (1, 2)]
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Comprehension>(file, ascLanguages, [&](const Comprehension &expr, const Place &, const Function &) {
    KernelFinding &finding = report.add(expr.range, "comprehension in device code");
    if (expr.className != "ListComp")
      finding.level = Level::Error;
  });
}

KernelRuleEntry ruleComprehension() { return {&info, check}; }

} // namespace tilesmith::lint
