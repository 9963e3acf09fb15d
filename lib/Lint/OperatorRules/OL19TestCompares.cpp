// OL19 test-compares: a test file calls neither assert_allclose nor detailed_tensor_compare.
#include "tilesmith/Lint/KernelRule.h"

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

static void check(const KernelFile &file, KernelReport &report) {
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls) {
      auto *name = llvm::dyn_cast<Name>(call.call->callee);
      auto *attribute = llvm::dyn_cast<Attribute>(call.call->callee);
      llvm::StringRef last = name ? name->id : attribute ? attribute->name : "";
      if (last == "assert_allclose" || last == "detailed_tensor_compare" ||
          (!report.isCompat() && last == "assert_close"))
        return;
    }
  report.add({1, 0, 1, 0}, "the test compares nothing");
}

KernelRuleEntry ruleOL19TestCompares() { return {&info, check}; }

} // namespace tilesmith::lint
