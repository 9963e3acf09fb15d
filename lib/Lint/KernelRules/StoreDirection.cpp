// TS308 store-direction: asc2.store is given the tensor first and the tile second.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS308",
    .name = "store-direction",
    .level = Level::Error,
    .what = "asc2.store is given the tensor first and the tile second.",
    .why = "A store takes what is stored, then where.",
    .use = "asc2.store(tile, tensor, ...)",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    tile = asc2.load(x, [64], tile_id=[0])
    asc2.store(x, tile, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    tile = asc2.load(x, [64], tile_id=[0])
    asc2.store(tile, x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  auto isTensor = [&](const Expr *expr, const Function &in) {
    auto *call = llvm::dyn_cast_or_null<Call>(file.meaning(expr, in));
    return call && file.path(call->callee, in) == "asc2.tensor";
  };
  for (const Function *function : file.onDevice({Language::Asc2}))
    for (const CallFact &call : function->calls)
      if (call.path == "asc2.store" && call.call->arguments.size() > 1 &&
          isTensor(call.call->arguments[0], *function) && !isTensor(call.call->arguments[1], *function))
        report.add(call.call->arguments[0]->range, "the tensor stands where the tile should");
}

KernelRuleEntry ruleStoreDirection() { return {&info, check}; }

} // namespace tilesmith::lint
