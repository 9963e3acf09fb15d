// OL15 golden-imports-pypto: a golden file imports pypto.
#include "../Kernels/Pypto.h"
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL15",
    .name = "golden-imports-pypto",
    .level = Level::S1,
    .role = Role::Golden,
    .stages = stage(2) | stage(3) | stage(4) | stage(5) | stage(6),
    .what = "A golden file imports pypto.",
    .why = "The reference must not be computed by what it judges.",
    .use = "torch alone",
    .bad = R"py(
import pypto
import torch

def gelu_golden(x):
    return torch.nn.functional.gelu(x)
)py",
    .good = R"py(
import torch

def gelu_golden(x):
    return torch.nn.functional.gelu(x)  # import pypto is not needed here
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  llvm::SmallDenseSet<std::pair<unsigned, unsigned>> told;
  pypto::eachImport(file, [&](const Range &range, llvm::StringRef module) {
    bool isPypto = module == "pypto" || module.starts_with("pypto.");
    bool isImpl = !report.isCompat() &&
                  llvm::any_of(llvm::split(module, '.'), [](llvm::StringRef part) { return part.ends_with("_impl"); });
    if ((isPypto || isImpl) && told.insert({range.line, range.column}).second)
      report.add(range, isPypto ? "a golden imports pypto" : "a golden imports the impl, which is made of pypto");
  });
}

KernelRuleEntry ruleOL15GoldenImport() { return {&info, check}; }

} // namespace tilesmith::lint
