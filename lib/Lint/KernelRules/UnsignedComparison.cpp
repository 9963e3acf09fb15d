// TS116 unsigned-comparison: an unsigned parameter is compared with an integer literal.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS116",
    .name = "unsigned-comparison",
    .level = Level::Warning,
    .isPortability = true,
    .what = "An unsigned parameter is compared with an integer literal.",
    .why = "Upstream compares values of different signs wrongly or refuses them. Ours promotes them.",
    .use = "annotate it as a signed type such as np.int64, or test its truth: `if n:`",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size: np.uint32):
    x = asc2.tensor(x_ptr, [size])
    if size > 64:
        asc2.store(asc2.load(x, [64], tile_id=[0]) * 2, x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size: np.int64):
    x = asc2.tensor(x_ptr, [size])
    if size > 64:
        asc2.store(asc2.load(x, [64], tile_id=[0]) * 2, x, tile_id=[0])
)py",
};

static bool isUnsigned(const KernelFile &file, const Expr *expr, const Function &in) {
  auto *name = llvm::dyn_cast<Name>(expr);
  if (!name || !in.def)
    return false;
  for (const Parameter &parameter : in.def->parameters)
    if (parameter.name == name->id && parameter.annotation)
      return llvm::StringRef(file.path(parameter.annotation, file.getModule())).rsplit('.').second.starts_with("uint");
  return false;
}

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Compare>(file, ascLanguages, [&](const Compare &expr, const Place &, const Function &in) {
    for (size_t i = 0; i + 1 < expr.operands.size(); ++i)
      for (auto [one, other] :
           {std::pair(expr.operands[i], expr.operands[i + 1]), std::pair(expr.operands[i + 1], expr.operands[i])}) {
        auto *literal = llvm::dyn_cast<Constant>(other);
        if (literal && literal->constant == ConstantKind::Int && isUnsigned(file, one, in))
          report.add(expr.range, "an unsigned number is compared with " + std::to_string(literal->integer));
      }
  });
}

KernelRuleEntry ruleUnsignedComparison() { return {&info, check}; }

} // namespace tilesmith::lint
