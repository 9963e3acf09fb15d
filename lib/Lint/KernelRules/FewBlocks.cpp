// TS604 few-blocks: a launch with fewer than 8 blocks.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS604",
    .name = "few-blocks",
    .level = Level::Info,
    .isOn = false,
    .what = "A launch with fewer than 8 blocks.",
    .why = "The other cores of the chip stand still: the 910B1 has 24 blocks of cores, the 950 has 32.",
    .use = "min(cores, tiles) blocks, each of which loops over its tiles",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel[2](x, x.size)
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel[24](x, x.size)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const LaunchFact &launch : file.launches())
    if (std::optional<int64_t> blocks = file.computed(launch.blocks, *launch.from);
        blocks && *blocks > 0 && *blocks < 8)
      report.add(launch.blocks->range, "a launch with " + std::to_string(*blocks) + " blocks");
}

KernelRuleEntry ruleFewBlocks() { return {&info, check}; }

} // namespace tilesmith::lint
