// TS401 launch-stream: a launch names more than the number of blocks: `kernel[blocks, stream]`.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS401",
    .name = "launch-stream",
    .level = Level::Warning,
    .isPortability = true,
    .what = "A launch names more than the number of blocks: `kernel[blocks, stream]`.",
    .why = "That is the form of the first version. Tile kernels are launched with the number of blocks alone.",
    .use = "kernel[blocks](...)",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x, stream):
    kernel[8, stream](x, x.size)
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
    if (llvm::isa_and_nonnull<Sequence>(launch.blocks) && launch.kernel->language == Language::Asc2)
      report.add(launch.blocks->range, "a launch takes the number of blocks alone");
}

KernelRuleEntry ruleLaunchStream() { return {&info, check}; }

} // namespace tilesmith::lint
