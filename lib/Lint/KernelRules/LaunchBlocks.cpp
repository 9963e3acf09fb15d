// TS405 launch-blocks: a launch with no blocks, or a negative number of them.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS405",
    .name = "launch-blocks",
    .level = Level::Error,
    .what = "A launch with no blocks, or a negative number of them.",
    .why = "Nothing would run.",
    .use = "at least one block",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel[0](x, x.size)
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel[1](x, x.size)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const LaunchFact &launch : file.launches())
    if (std::optional<int64_t> blocks = file.computed(launch.blocks, *launch.from); blocks && *blocks < 1)
      report.add(launch.blocks->range, "a launch with " + std::to_string(*blocks) + " blocks");
}

KernelRuleEntry ruleLaunchBlocks() { return {&info, check}; }

} // namespace tilesmith::lint
