// TS101 nested-function: a function is defined inside a kernel.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS101",
    .name = "nested-function",
    .level = Level::Warning,
    .isPortability = true,
    .what = "A function is defined inside a kernel.",
    .why = "Upstream's compiler refuses it. Ours takes it, so the kernel runs here and not there.",
    .use = "define the function at the top of the file",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    def twice(tile):
        return tile * 2
    x = asc2.tensor(x_ptr, [size])
    asc2.store(twice(asc2.load(x, [64], tile_id=[0])), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def twice(tile):
    return tile * 2

@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(twice(asc2.load(x, [64], tile_id=[0])), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<FunctionDef>(file, ascLanguages, [&](const FunctionDef &def, const Place &, const Function &) {
    if (!def.name.empty())
      report.add(def.nameRange, "function '" + def.name.str() + "' inside a kernel");
  });
}

KernelRuleEntry ruleNestedFunction() { return {&info, check}; }

} // namespace tilesmith::lint
