// TS137 conditional-types: the two values of a conditional expression are of different types.
#include "../Kernels/Types.h"
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS137",
    .name = "conditional-types",
    .level = Level::Warning,
    .isPortability = true,
    .what =
        "The two values of `a if condition else b` are of different types, and the condition is known only when the "
        "kernel runs.",
    .why = "The result has one type. Upstream refuses values that do not share it.",
    .use = "convert both to one type",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    scale = 2 if asc2.block_idx() > 0 else 0.5
    asc2.store(asc2.load(x, [64], tile_id=[0]) * scale, x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size, half: asc.ConstExpr[bool]):
    x = asc2.tensor(x_ptr, [size])
    scale = 2.0 if asc2.block_idx() > 0 else 0.5
    more = 1 if half else 0.5
    asc2.store(asc2.load(x, [64], tile_id=[0]) * scale * more, x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<IfExp>(file, ascLanguages, [&](const IfExp &expr, const Place &, const Function &in) {
    std::string one = writtenType(file, expr.body, in), other = writtenType(file, expr.orElse, in);
    if (differ(one, other) && !isCompileTime(file, expr.condition, in))
      report.add(expr.range, "one value is " + one + ", the other one is " + other);
  });
}

KernelRuleEntry ruleConditionalTypes() { return {&info, check}; }

} // namespace tilesmith::lint
