// OL22 test-seed: a test does not seed its random numbers.
#include "../Kernels/Pypto.h"
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL22",
    .name = "test-seed",
    .level = Level::S2,
    .role = Role::Test,
    .stages = buildStages,
    .what = "A test does not seed its random numbers.",
    .why = "A failure cannot be repeated.",
    .use = "torch.manual_seed(0)",
    .bad = R"py(
import torch

def test_gelu_l0():
    x = torch.randn(4)
)py",
    .good = R"py(
import torch

def test_gelu_l0():
    torch.manual_seed(0)
    x = torch.randn(4)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls) {
      if (pypto::calledName(call) == "manual_seed" && !file.functionOf(call.call->callee, *function))
        return;
    }
  if (report.isCompat() && llvm::StringRef(file.getSource().text).contains("manual_seed"))
    return;
  report.add({1, 0, 1, 0}, "the test does not call manual_seed");
}

KernelRuleEntry ruleOL22TestSeed() { return {&info, check}; }

} // namespace tilesmith::lint
