// TS105 break-continue: `break` or `continue` in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS105",
    .name = "break-continue",
    .level = Level::Warning,
    .isPortability = true,
    .what = "`break` or `continue` in device code.",
    .why = "Upstream's compiler refuses it. Ours takes it.",
    .use = "put the rest of the body under a condition, or give the loop the bound it really has",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    for i in asc2.range(8):
        if i * 64 >= size:
            break
        asc2.store(asc2.load(x, [64], tile_id=[i]) * 2, x, tile_id=[i])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    for i in asc2.range(asc.ceildiv(size, 64)):
        asc2.store(asc2.load(x, [64], tile_id=[i]) * 2, x, tile_id=[i])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<OtherStmt>(file, ascLanguages, [&](const OtherStmt &stmt, const Place &, const Function &) {
    if (stmt.className == "Break" || stmt.className == "Continue")
      report.add(stmt.range, stmt.className.lower() + " in device code");
  });
}

KernelRuleEntry ruleBreakContinue() { return {&info, check}; }

} // namespace tilesmith::lint
