// TS603 one-row-tiles: a loop loads tiles of one row.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS603",
    .name = "one-row-tiles",
    .level = Level::Info,
    .isOn = false,
    .what = "A loop loads tiles of one row.",
    .why = "Several rows in a tile share the start-up of every instruction.",
    .use = "as many rows as fit, [rows, columns]",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, rows):
    x = asc2.tensor(x_ptr, [rows, 64])
    for i in asc2.range(rows):
        asc2.store(asc2.load(x, [1, 64], tile_id=[i, 0]), x, tile_id=[i, 0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, rows):
    x = asc2.tensor(x_ptr, [rows, 64])
    for i in asc2.range(asc.ceildiv(rows, 32)):
        asc2.store(asc2.load(x, [32, 64], tile_id=[i, 0]), x, tile_id=[i, 0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : file.onDevice({Language::Asc2}))
    for (const CallFact &call : function->calls) {
      auto *shape = call.path == "asc2.load"
                        ? llvm::dyn_cast_or_null<Sequence>(file.meaning(argument(*call.call, 1, "shape"), *function))
                        : nullptr;
      if (shape && shape->elements.size() == 2 && call.loop >= 0 && file.computed(shape->elements[0], *function) == 1)
        report.add(shape->range, "a tile of one row in a loop");
    }
}

KernelRuleEntry ruleOneRowTiles() { return {&info, check}; }

} // namespace tilesmith::lint
