// TS602 divide-by-broadcast: a tile is divided by one that was broadcast.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS602",
    .name = "divide-by-broadcast",
    .level = Level::Info,
    .isOn = false,
    .what = "A tile is divided by one that was broadcast.",
    .why = "A division costs several multiplications. The reciprocal of the small tile is cheap.",
    .use = "multiply with the broadcast reciprocal",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [8, size])
    tile = asc2.load(x, [8, 64], tile_id=[0, 0])
    total = asc2.reduce_sum(tile, 1, keep_dims=True)
    asc2.store(tile / total.broadcast_to(8, 64), x, tile_id=[0, 0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [8, size])
    tile = asc2.load(x, [8, 64], tile_id=[0, 0])
    scale = 1.0 / asc2.reduce_sum(tile, 1, keep_dims=True)
    asc2.store(tile * scale.broadcast_to(8, 64), x, tile_id=[0, 0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<BinOp>(file, {Language::Asc2}, [&](const BinOp &expr, const Place &, const Function &in) {
    auto *call = expr.op == Operator::Div ? llvm::dyn_cast<Call>(file.meaning(expr.rhs, in)) : nullptr;
    auto *callee = call ? llvm::dyn_cast<Attribute>(call->callee) : nullptr;
    if (callee && callee->name == "broadcast_to")
      report.add(expr.range, "division by a tile that was broadcast");
  });
}

KernelRuleEntry ruleDivideByBroadcast() { return {&info, check}; }

} // namespace tilesmith::lint
