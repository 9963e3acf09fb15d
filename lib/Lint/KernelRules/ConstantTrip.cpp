// TS202 constant-trip: asc2.range over a count that is a literal.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS202",
    .name = "constant-trip",
    .level = Level::Info,
    .isOn = false,
    .what = "asc2.range over a count that is a literal.",
    .why = "A loop of few rounds that is known can be written out: asc2.static_range leaves no loop behind.",
    .use = "asc2.static_range",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    for i in asc2.range(2):
        asc2.store(asc2.load(x, [64], tile_id=[i]), x, tile_id=[i])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    for i in asc2.static_range(2):
        asc2.store(asc2.load(x, [64], tile_id=[i]), x, tile_id=[i])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : file.onDevice({Language::Asc2}))
    for (const LoopFact &loop : function->loops)
      if (loop.path == "asc2.range" && !loop.over->arguments.empty() &&
          llvm::all_of(loop.over->arguments, [&](const Expr *it) { return file.computed(it, *function).has_value(); }))
        report.add(loop.over->range, "asc2.range over a constant count");
}

KernelRuleEntry ruleConstantTrip() { return {&info, check}; }

} // namespace tilesmith::lint
