// TS404 launch-result: the result of a launch is used.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS404",
    .name = "launch-result",
    .level = Level::Error,
    .what = "The result of a launch is used.",
    .why = "A launch gives nothing back; it writes into the arrays it is given.",
    .use = "hand an output array over",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    y = kernel[8](x, x.size)
    return y
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel[8](x, x.size)
    return x
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const LaunchFact &launch : file.launches())
    if (launch.isResultUsed && launch.blocks && llvm::is_contained(ascLanguages, launch.kernel->language))
      report.add(launch.call->range, "the launch of '" + launch.kernel->name().str() + "' gives nothing back");
}

KernelRuleEntry ruleLaunchResult() { return {&info, check}; }

} // namespace tilesmith::lint
