// TS504 compared-with-itself: a result is compared with itself.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS504",
    .name = "compared-with-itself",
    .level = Level::Error,
    .what = "A result is compared with itself.",
    .why = "It is always equal.",
    .use = "compare it with a reference that is computed another way",
    .bad = R"py(
def test_kernel(result):
    np.testing.assert_allclose(result, result)
)py",
    .good = R"py(
def test_kernel(result, expected):
    np.testing.assert_allclose(result, expected)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  const SourceFile &source = file.getSource();
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls) {
      if ((!isCheck(call.path) && call.path != "numpy.allclose" && call.path != "torch.allclose") ||
          call.call->arguments.size() < 2)
        continue;
      const Expr *lhs = file.meaning(call.call->arguments[0], *function),
                 *rhs = file.meaning(call.call->arguments[1], *function);
      std::string left = spelled(source, lhs->range);
      if (lhs == rhs || (!left.empty() && left == spelled(source, rhs->range)))
        report.add(call.call->range, "both sides are the same");
    }
}

KernelRuleEntry ruleComparedWithItself() { return {&info, check}; }

} // namespace tilesmith::lint
