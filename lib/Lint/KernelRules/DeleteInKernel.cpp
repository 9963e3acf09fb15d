// TS119 delete-in-kernel: `del` in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS119",
    .name = "delete-in-kernel",
    .level = Level::Error,
    .what = "`del` in device code.",
    .why = "Names of a kernel are values, and the planner knows when each was used last. Both compilers refuse it.",
    .use = "leave it out",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    tile = asc2.load(x, [64], tile_id=[0])
    asc2.store(tile, x, tile_id=[0])
    del tile
)py",
    .good = R"py(
x = np.zeros(4)
del x
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<OtherStmt>(file, ascLanguages, [&](const OtherStmt &stmt, const Place &, const Function &) {
    if (stmt.className == "Delete")
      report.add(stmt.range, "del in device code");
  });
}

KernelRuleEntry ruleDeleteInKernel() { return {&info, check}; }

} // namespace tilesmith::lint
