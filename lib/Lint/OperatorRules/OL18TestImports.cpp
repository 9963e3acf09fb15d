// OL18 test-imports: a test file does not import both the impl and the golden.
#include "../Kernels/Pypto.h"
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/StringExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL18",
    .name = "test-imports",
    .level = Level::S1,
    .role = Role::Test,
    .stages = buildStages,
    .what = "A test file does not import both the impl and the golden.",
    .why = "It cannot compare them.",
    .use = "from <op>_impl import <op>_wrapper, from <op>_golden import <op>_golden",
    .bad = R"py(
from gelu_impl import gelu_wrapper
)py",
    .good = R"py(
from gelu_impl import gelu_wrapper
from gelu_golden import gelu_golden
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  bool hasImpl = false, hasGolden = false;
  pypto::eachImport(file, [&](const Range &, llvm::StringRef module) {
    for (llvm::StringRef part : llvm::split(module, '.')) {
      hasImpl |= part.ends_with("_impl");
      hasGolden |= part.ends_with("_golden");
    }
  });
  if (!hasImpl)
    report.add({1, 0, 1, 0}, "the test does not import the impl");
  if (!hasGolden)
    report.add({1, 0, 1, 0}, "the test does not import the golden");
}

KernelRuleEntry ruleOL18TestImports() { return {&info, check}; }

} // namespace tilesmith::lint
