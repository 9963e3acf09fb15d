// TS112 import-in-kernel: an import in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS112",
    .name = "import-in-kernel",
    .level = Level::Error,
    .what = "An import in device code.",
    .why = "Modules are the host's. Both compilers refuse it.",
    .use = "import at the top of the file",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    import math
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]) * math.pi, x, tile_id=[0])
)py",
    .good = R"py(
import asc2
import math

@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]) * math.pi, x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Import>(file, ascLanguages, [&](const Import &stmt, const Place &, const Function &) {
    report.add(stmt.range, "import in device code");
  });
}

KernelRuleEntry ruleImportInKernel() { return {&info, check}; }

} // namespace tilesmith::lint
