// TS104 early-return: `return` inside a loop or a branch of device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS104",
    .name = "early-return",
    .level = Level::Warning,
    .isPortability = true,
    .what = "`return` inside a loop or a branch of device code.",
    .why = "Upstream's compiler refuses it. Ours takes it.",
    .use = "turn the condition around and put the rest under it",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    if size < 64:
        return
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]) * 2, x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    if size >= 64:
        x = asc2.tensor(x_ptr, [size])
        asc2.store(asc2.load(x, [64], tile_id=[0]) * 2, x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Return>(file, ascLanguages, [&](const Return &stmt, const Place &place, const Function &) {
    if (place.loop >= 0 || place.branches)
      report.add(stmt.range, place.loop >= 0 ? "return inside a loop" : "return inside a branch");
  });
}

KernelRuleEntry ruleEarlyReturn() { return {&info, check}; }

} // namespace tilesmith::lint
