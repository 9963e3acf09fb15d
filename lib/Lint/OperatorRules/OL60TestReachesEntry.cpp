// OL60 test-reaches-entry: no test calls something of the impl.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL60",
    .name = "test-reaches-entry",
    .level = Level::S1,
    .role = Role::Test,
    .stages = buildStages,
    .isLatest = true,
    .what = "No test calls something of the impl.",
    .why = "A test that never reaches the entry tests nothing of it.",
    .use = "call <op>_wrapper in every test",
    .bad = R"py(
from gelu_impl import gelu_wrapper

def test_gelu_l0(x):
    assert x is not None
)py",
    .good = R"py(
from gelu_impl import gelu_wrapper

def test_gelu_l0(x):
    assert gelu_wrapper(x) is not None
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  bool reaches = false, hasTest = false;
  for (const auto &function : file.all()) {
    if (!function->name().starts_with("test_"))
      continue;
    hasTest = true;
    for (const Function *below : file.withHelpers(*function))
      for (const CallFact &call : below->calls)
        reaches |= llvm::StringRef(call.path).contains("_impl.");
  }
  if (hasTest && !reaches)
    report.add({1, 0, 1, 0}, "no test calls the impl");
}

KernelRuleEntry ruleOL60TestReachesEntry() { return {&info, check}; }

} // namespace tilesmith::lint
