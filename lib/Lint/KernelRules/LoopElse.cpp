// TS123 loop-else: `else` of a loop in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS123",
    .name = "loop-else",
    .level = Level::Error,
    .what = "`else` of a loop in device code.",
    .why = "Both compilers refuse it.",
    .use = "the code behind the loop",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    for i in asc2.range(size):
        asc2.store(asc2.load(x, [64], tile_id=[i]), x, tile_id=[i])
    else:
        asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    for i in asc2.range(size):
        asc2.store(asc2.load(x, [64], tile_id=[i]), x, tile_id=[i])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<For>(file, ascLanguages, [&](const For &loop, const Place &, const Function &) {
    if (!loop.orElse.empty())
      report.add(loop.orElse.front()->range, "else of a loop in device code");
  });
  eachOnDevice<While>(file, ascLanguages, [&](const While &loop, const Place &, const Function &) {
    if (!loop.orElse.empty())
      report.add(loop.orElse.front()->range, "else of a loop in device code");
  });
}

KernelRuleEntry ruleLoopElse() { return {&info, check}; }

} // namespace tilesmith::lint
