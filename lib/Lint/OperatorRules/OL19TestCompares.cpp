// OL19 test-compares: a test file calls neither assert_allclose nor detailed_tensor_compare.
#include "../Kernels/Pypto.h"
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL19",
    .name = "test-compares",
    .level = Level::S1,
    .role = Role::Test,
    .stages = buildStages,
    .what = "A test file calls neither assert_allclose nor detailed_tensor_compare.",
    .why = "A test that compares nothing always passes.",
    .use = "detailed_tensor_compare(golden, actual, tensor_name=..., rtol=1e-3, atol=1e-3)",
    .bad = R"py(
from gelu_impl import gelu_wrapper

def test_gelu_l0(x):
    gelu_wrapper(x)
    print("assert_allclose passed")
)py",
    .good = R"py(
import numpy as np
from gelu_impl import gelu_wrapper

def test_gelu_l0(x, expected):
    np.testing.assert_allclose(gelu_wrapper(x), expected)
)py",
};

static bool isComparison(llvm::StringRef name, bool isCompat) {
  return name == "assert_allclose" || name == "detailed_tensor_compare" || (!isCompat && name == "assert_close");
}

// A function of the file by the name of a comparison that cannot fail, or fails always.
static bool canFail(const KernelFile &file, const Function &function) {
  return llvm::any_of(file.withHelpers(function), [&](const Function *below) {
    bool raises = false;
    below->each<Assert>([&](const Assert &stmt, const Place &) { raises |= !llvm::isa<Constant>(stmt.condition); });
    below->each<OtherStmt>([&](const OtherStmt &stmt, const Place &) { raises |= stmt.className == "Raise"; });
    return raises || llvm::any_of(below->calls, [](const CallFact &it) { return isCheck(it.path); });
  });
}

static void check(const KernelFile &file, KernelReport &report) {
  // What a test or the file's own code reaches, not what stands in a function nobody calls.
  llvm::SmallVector<const Function *> reached;
  for (const auto &function : file.all())
    if (report.isCompat() || !function->def || function->name().starts_with("test"))
      for (const Function *below : file.withHelpers(*function))
        if (!llvm::is_contained(reached, below))
          reached.push_back(below);
  for (const Function *function : reached)
    for (const CallFact &call : function->calls) {
      if (!isComparison(pypto::calledName(call), report.isCompat()))
        continue;
      const Function *own = report.isCompat() ? nullptr : file.functionOf(call.call->callee, *function);
      Exprs given = call.call->arguments;
      bool isItself = !report.isCompat() && given.size() > 1 && !spelled(file.getSource(), given[0]->range).empty() &&
                      spelled(file.getSource(), given[0]->range) == spelled(file.getSource(), given[1]->range);
      if (!isItself && (!own || canFail(file, *own)))
        return;
    }
  report.add({1, 0, 1, 0}, "the test compares nothing");
}

KernelRuleEntry ruleOL19TestCompares() { return {&info, check}; }

} // namespace tilesmith::lint
