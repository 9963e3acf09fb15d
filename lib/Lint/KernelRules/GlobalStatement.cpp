// TS102 global-statement: `global` or `nonlocal` in a kernel.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS102",
    .name = "global-statement",
    .level = Level::Error,
    .what = "`global` or `nonlocal` in a kernel.",
    .why = "A kernel runs on the chip and has no variables of the host to assign.",
    .use = "pass the value as an argument, or return it from a device function",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    global count
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
count = 0

def host():
    global count
    count += 1
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Global>(file, ascLanguages, [&](const Global &stmt, const Place &, const Function &) {
    report.add(stmt.range, stmt.isNonlocal ? "nonlocal in a kernel" : "global in a kernel");
  });
}

KernelRuleEntry ruleGlobalStatement() { return {&info, check}; }

} // namespace tilesmith::lint
