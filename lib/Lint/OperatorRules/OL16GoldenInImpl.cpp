// OL16 golden-in-impl: an impl file imports the golden.
#include "../Kernels/Pypto.h"
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL16",
    .name = "golden-in-impl",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "An impl file imports the golden.",
    .why = "An operator that calls its own reference proves nothing.",
    .use = "compute it in the kernel",
    .bad = R"py(
import pypto
from gelu_golden import gelu_golden

def gelu_wrapper(x):
    return gelu_golden(x)
)py",
    .good = R"py(
import pypto
# compared with gelu_golden by the test

def gelu_wrapper(x):
    return x
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  llvm::SmallDenseSet<std::pair<unsigned, unsigned>> told;
  pypto::eachImport(file, [&](const Range &range, llvm::StringRef module) {
    bool isGolden =
        llvm::any_of(llvm::split(module, '.'), [](llvm::StringRef part) { return part.ends_with("_golden"); });
    if (isGolden && told.insert({range.line, range.column}).second)
      report.add(range, "the golden is imported");
  });
}

KernelRuleEntry ruleOL16GoldenInImpl() { return {&info, check}; }

} // namespace tilesmith::lint
