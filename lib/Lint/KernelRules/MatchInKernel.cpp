// TS121 match-in-kernel: `match` in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS121",
    .name = "match-in-kernel",
    .level = Level::Error,
    .what = "`match` in device code.",
    .why = "Both compilers refuse it.",
    .use = "if and elif",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size, mode: asc.ConstExpr[int]):
    x = asc2.tensor(x_ptr, [size])
    match mode:
        case 1:
            asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size, mode: asc.ConstExpr[int]):
    x = asc2.tensor(x_ptr, [size])
    if mode == 1:
        asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Match>(file, ascLanguages, [&](const Match &stmt, const Place &, const Function &) {
    report.add(stmt.range, "match in device code");
  });
}

KernelRuleEntry ruleMatchInKernel() { return {&info, check}; }

} // namespace tilesmith::lint
