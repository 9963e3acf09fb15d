// TS201 bare-range: `for ... in range(...)` in a tile kernel over a number that is only known when the kernel
// runs.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS201",
    .name = "bare-range",
    .level = Level::Warning,
    .isPortability = true,
    .what = "`for ... in range(...)` in a tile kernel over a number that is only known when the kernel runs.",
    .why = "Upstream unrolls `range` and needs its bounds while compiling. Ours makes a loop of it.",
    .use = "asc2.range",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    for i in range(size):
        asc2.store(asc2.load(x, [64], tile_id=[i]), x, tile_id=[i])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size, steps: asc.ConstExpr[int]):
    x = asc2.tensor(x_ptr, [size])
    for i in range(steps):
        asc2.store(asc2.load(x, [64], tile_id=[i]), x, tile_id=[i])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : file.onDevice({Language::Asc2}))
    for (const LoopFact &loop : function->loops) {
      auto *callee = loop.over ? llvm::dyn_cast<Name>(loop.over->callee) : nullptr;
      if (!callee || callee->id != "range" || !loop.path.empty() || !function->isKernel())
        continue;
      for (const Expr *bound : loop.over->arguments)
        if (!isCompileTime(file, bound, *function)) {
          report.add(loop.over->range, "range over a number that is not known while compiling")
              .edits.push_back({callee->range, "asc2.range"});
          break;
        }
    }
}

KernelRuleEntry ruleBareRange() { return {&info, check}; }

} // namespace tilesmith::lint
