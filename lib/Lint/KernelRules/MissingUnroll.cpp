// TS204 missing-unroll: a loop over tiles without `unroll_factor=2`.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS204",
    .name = "missing-unroll",
    .level = Level::Info,
    .isOn = false,
    .what = "A loop over tiles without `unroll_factor=2`.",
    .why = "The guide of upstream asks for it, so that the load of the next tile runs beside the arithmetic of this "
           "one. Our compiler overlaps them without being asked.",
    .use = "asc2.range(..., unroll_factor=2), and measure: 8 is slower",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    for i in asc2.range(size):
        asc2.store(asc2.load(x, [64], tile_id=[i]) * 2, x, tile_id=[i])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    for i in asc2.range(size, unroll_factor=2):
        asc2.store(asc2.load(x, [64], tile_id=[i]) * 2, x, tile_id=[i])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : file.onDevice({Language::Asc2}))
    for (int index = 0; index != int(function->loops.size()); ++index) {
      const LoopFact &loop = function->loops[index];
      bool loads =
          llvm::any_of(function->calls, [&](const CallFact &it) { return it.loop == index && it.path == "asc2.load"; });
      if (loop.path == "asc2.range" && loads && !keyword(*loop.over, "unroll_factor"))
        report.add(loop.over->range, "loop over tiles without unroll_factor");
    }
}

KernelRuleEntry ruleMissingUnroll() { return {&info, check}; }

} // namespace tilesmith::lint
