// TS503 dropped-comparison: the answer of a comparison is dropped or only printed.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS503",
    .name = "dropped-comparison",
    .level = Level::Error,
    .what = "The answer of a comparison is dropped or only printed.",
    .why = "np.allclose gives True or False and raises nothing. A wrong result passes.",
    .use = "np.testing.assert_allclose, or `assert np.allclose(...)`",
    .bad = R"py(
def test_kernel(result, expected):
    print(np.allclose(result, expected))
)py",
    .good = R"py(
def test_kernel(result, expected):
    assert np.allclose(result, expected)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  static constexpr llvm::StringLiteral answers[] = {"numpy.allclose", "numpy.array_equal", "numpy.isclose",
                                                    "torch.allclose", "torch.equal"};
  for (const auto &function : file.all())
    function->each<ExprStmt>([&](const ExprStmt &stmt, const Place &) {
      auto *call = llvm::dyn_cast<Call>(stmt.value);
      auto *name = call ? llvm::dyn_cast<Name>(call->callee) : nullptr;
      auto tell = [&](const Expr *expr) {
        auto *answer = llvm::dyn_cast<Call>(expr);
        if (answer && llvm::is_contained(answers, file.path(answer->callee, *function)))
          report.add(expr->range, "nothing happens if this is False");
      };
      tell(stmt.value);
      if (name && name->id == "print")
        for (const Expr *printed : call->arguments)
          tell(printed);
    });
}

KernelRuleEntry ruleDroppedComparison() { return {&info, check}; }

} // namespace tilesmith::lint
