// TS505 swallowed-check: a comparison stands in a `try` whose handler lets it pass.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS505",
    .name = "swallowed-check",
    .level = Level::Error,
    .what = "A comparison stands in a `try` whose handler lets it pass.",
    .why = "A wrong result then goes unnoticed.",
    .use = "let the exception through",
    .bad = R"py(
def test_kernel(result, expected):
    try:
        np.testing.assert_allclose(result, expected)
    except AssertionError:
        print("close enough")
)py",
    .good = R"py(
def test_kernel(result, expected):
    try:
        np.testing.assert_allclose(result, expected)
    except AssertionError:
        print(result)
        raise
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const auto &function : file.all())
    function->each<Try>([&](const Try &stmt, const Place &) {
      bool checks = false;
      for (const Stmt *inner : stmt.body)
        forEachBelow(*inner, [&](const Node &node) {
          auto *call = llvm::dyn_cast<Call>(&node);
          checks |= llvm::isa<Assert>(node) || (call && isCheck(file.path(call->callee, *function)));
        });
      for (const Handler &handler : stmt.handlers) {
        bool leaves = false;
        for (const Stmt *inner : handler.body)
          forEachBelow(*inner, [&](const Node &node) {
            auto *other = llvm::dyn_cast<OtherStmt>(&node);
            auto *call = llvm::dyn_cast<Call>(&node);
            std::string path = call ? file.path(call->callee, *function) : "";
            leaves |= (other && other->className == "Raise") || llvm::isa<Return>(node) || path == "sys.exit" ||
                      path == "pytest.fail";
          });
        if (checks && !leaves)
          report.add(handler.range, "this handler lets a failed comparison pass");
      }
    });
}

KernelRuleEntry ruleSwallowedCheck() { return {&info, check}; }

} // namespace tilesmith::lint
