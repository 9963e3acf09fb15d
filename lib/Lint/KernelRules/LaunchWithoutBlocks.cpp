// TS402 launch-without-blocks: a kernel is called like a function.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS402",
    .name = "launch-without-blocks",
    .level = Level::Error,
    .what = "A kernel is called like a function.",
    .why = "How many blocks run is part of every launch.",
    .use = "kernel[blocks](...)",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel(x, x.size)
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel[8](x, x.size)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const LaunchFact &launch : file.launches())
    if (!launch.blocks && llvm::is_contained(ascLanguages, launch.kernel->language))
      report.add(launch.call->range,
                 "kernel '" + launch.kernel->name().str() + "' is called without a number of blocks");
}

KernelRuleEntry ruleLaunchWithoutBlocks() { return {&info, check}; }

} // namespace tilesmith::lint
