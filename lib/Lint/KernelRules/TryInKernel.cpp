// TS109 try-in-kernel: `try` in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS109",
    .name = "try-in-kernel",
    .level = Level::Error,
    .what = "`try` in device code.",
    .why = "There are no exceptions on the chip. Both compilers refuse it.",
    .use = "write the condition as an `if`, or handle the error on the host",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    try:
        asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
    except ValueError:
        pass
)py",
    .good = R"py(
def launch(x):
    try:
        x.flatten()
    except ValueError:
        pass
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Try>(file, ascLanguages, [&](const Try &stmt, const Place &, const Function &) {
    report.add(stmt.range, "try in device code");
  });
}

KernelRuleEntry ruleTryInKernel() { return {&info, check}; }

} // namespace tilesmith::lint
