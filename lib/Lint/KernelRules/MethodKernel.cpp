// TS114 method-kernel: a kernel is a method of a class.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS114",
    .name = "method-kernel",
    .level = Level::Error,
    .what = "A kernel is a method of a class.",
    .why = "A launch has no object to hand over as `self`.",
    .use = "a function at the top of the file",
    .bad = R"py(
class Scale:
    @asc2.jit
    def kernel(self, x_ptr, size):
        x = asc2.tensor(x_ptr, [size])
        asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

class Scale:
    def __call__(self, x):
        kernel[8](x, x.size)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const auto &function : file.all())
    if (function->isMethod && function->isKernel() && llvm::is_contained(ascLanguages, function->language))
      report.add(function->def->nameRange, "kernel '" + function->name().str() + "' is a method");
}

KernelRuleEntry ruleMethodKernel() { return {&info, check}; }

} // namespace tilesmith::lint
