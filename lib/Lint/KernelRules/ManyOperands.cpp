// TS126 many-operands: `and` or `or` of more than two values in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS126",
    .name = "many-operands",
    .level = Level::Warning,
    .isPortability = true,
    .what = "`and` or `or` of more than two values in device code.",
    .why = "Upstream's compiler refuses three in a row. Ours takes them.",
    .use = "parentheses: `(a and b) and c`",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size, a, b):
    x = asc2.tensor(x_ptr, [size])
    if size > 1 and a > 1 and b > 1:
        asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size, a, b):
    x = asc2.tensor(x_ptr, [size])
    if (size > 1 and a > 1) and b > 1:
        asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<BoolOp>(file, ascLanguages, [&](const BoolOp &expr, const Place &, const Function &) {
    if (expr.operands.size() > 2)
      report.add(expr.range,
                 std::string(expr.isAnd ? "and" : "or") + " of " + std::to_string(expr.operands.size()) + " values");
  });
}

KernelRuleEntry ruleManyOperands() { return {&info, check}; }

} // namespace tilesmith::lint
