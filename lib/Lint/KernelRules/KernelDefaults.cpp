// TS128 kernel-defaults: a kernel's parameter has a default, or the kernel takes `*args` or `**kwargs`.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS128",
    .name = "kernel-defaults",
    .level = Level::Warning,
    .isPortability = true,
    .what = "A kernel's parameter has a default, or the kernel takes `*args` or `**kwargs`.",
    .why = "Upstream ignores defaults of kernels; what is not handed over is an error there. Neither compiler takes a "
           "number of arguments that varies.",
    .use = "hand every argument over at the launch",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size, factor=2):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]) * factor, x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size, factor):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]) * factor, x, tile_id=[0])

def launch(x, factor=2):
    kernel[8](x, x.size, factor)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *kernel : file.entries(ascLanguages)) {
    for (const Parameter &parameter : kernel->def->parameters)
      if (parameter.defaultValue)
        report.add(parameter.range, "parameter '" + parameter.name.str() + "' of a kernel has a default");
    if (!kernel->def->variadic.empty())
      report.add(kernel->def->nameRange, "kernel '" + kernel->name().str() + "' takes " + kernel->def->variadic.str())
          .level = Level::Error;
  }
}

KernelRuleEntry ruleKernelDefaults() { return {&info, check}; }

} // namespace tilesmith::lint
