// TS505 swallowed-check: a comparison stands in a `try` whose handler lets it pass.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

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

static bool hasCheck(const KernelFile &file, Body body, const Function &in) {
  bool checks = false;
  for (const Stmt *inner : body)
    forEachBelow(*inner, [&](const Node &node) {
      auto *call = llvm::dyn_cast<Call>(&node);
      checks |= llvm::isa<Assert>(node) || (call && isCheck(file.path(call->callee, in)));
    });
  return checks;
}

// `contextlib.suppress(AssertionError)`, or of what that is one of.
static bool suppresses(const KernelFile &file, const Expr *context, const Function &in) {
  auto *call = llvm::dyn_cast<Call>(context);
  if (!call || file.path(call->callee, in) != "contextlib.suppress")
    return false;
  return llvm::any_of(call->arguments, [](const Expr *it) {
    auto *name = llvm::dyn_cast<Name>(it);
    return name && (name->id == "AssertionError" || name->id == "Exception" || name->id == "BaseException");
  });
}

static void check(const KernelFile &file, KernelReport &report) {
  for (const auto &function : file.all()) {
    function->each<With>([&](const With &stmt, const Place &) {
      for (const Expr *context : stmt.contexts)
        if (suppresses(file, context, *function) && hasCheck(file, stmt.body, *function))
          report.add(context->range, "this lets a failed comparison pass");
    });
    function->each<Try>([&](const Try &stmt, const Place &) {
      bool checks = hasCheck(file, stmt.body, *function);
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
}

KernelRuleEntry ruleSwallowedCheck() { return {&info, check}; }

} // namespace tilesmith::lint
