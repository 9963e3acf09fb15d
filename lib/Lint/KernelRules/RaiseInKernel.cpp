// TS108 raise-in-kernel: `raise` in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS108",
    .name = "raise-in-kernel",
    .level = Level::Error,
    .what = "`raise` in device code.",
    .why = "Nothing on the chip could catch it. Both compilers refuse it.",
    .use = "check arguments on the host before the launch, or `assert` what is known while compiling",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    if size < 64:
        raise ValueError("too small")
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
def launch(x):
    if x.size < 64:
        raise ValueError("too small")
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<OtherStmt>(file, ascLanguages, [&](const OtherStmt &stmt, const Place &, const Function &) {
    if (stmt.className == "Raise")
      report.add(stmt.range, "raise in device code");
  });
}

KernelRuleEntry ruleRaiseInKernel() { return {&info, check}; }

} // namespace tilesmith::lint
