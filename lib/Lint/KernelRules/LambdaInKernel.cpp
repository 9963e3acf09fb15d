// TS111 lambda-in-kernel: a lambda in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS111",
    .name = "lambda-in-kernel",
    .level = Level::Warning,
    .isPortability = true,
    .what = "A lambda in device code.",
    .why = "Upstream's compiler refuses it. Ours takes it.",
    .use = "a function at the top of the file",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    twice = lambda tile: tile * 2
    asc2.store(twice(asc2.load(x, [64], tile_id=[0])), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]) * 2, x, tile_id=[0])

key = lambda row: row[0]
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Lambda>(file, ascLanguages, [&](const Lambda &expr, const Place &, const Function &) {
    report.add(expr.range, "lambda in device code");
  });
}

KernelRuleEntry ruleLambdaInKernel() { return {&info, check}; }

} // namespace tilesmith::lint
