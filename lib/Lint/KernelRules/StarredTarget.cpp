// TS122 starred-target: a starred target of an assignment in device code.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS122",
    .name = "starred-target",
    .level = Level::Error,
    .what = "A starred target of an assignment in device code.",
    .why = "Both compilers refuse it.",
    .use = "a name for each value",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    first, *rest = 1, 2, 3
    asc2.store(asc2.load(x, [64], tile_id=[0]) * first, x, tile_id=[0])
)py",
    .good = R"py(
first, *rest = 1, 2, 3
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  auto isStarred = [](const Expr *target) {
    auto *sequence = llvm::dyn_cast<Sequence>(target);
    return sequence && llvm::any_of(sequence->elements, [](const Expr *it) { return llvm::isa<Starred>(it); });
  };
  eachOnDevice<Assign>(file, ascLanguages, [&](const Assign &stmt, const Place &, const Function &) {
    for (const Expr *target : stmt.targets)
      if (isStarred(target))
        report.add(target->range, "starred target in device code");
  });
}

KernelRuleEntry ruleStarredTarget() { return {&info, check}; }

} // namespace tilesmith::lint
