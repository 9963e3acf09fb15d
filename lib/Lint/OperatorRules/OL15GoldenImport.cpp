// OL15 golden-imports-pypto: a golden file imports pypto.
#include "tilesmith/Lint/KernelRule.h"

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
  for (const auto &function : file.all())
    function->each<Import>([&](const Import &stmt, const Place &) {
      for (const ImportedName &name : stmt.names) {
        llvm::StringRef module = stmt.isFrom ? stmt.module : name.name;
        if (module == "pypto" || module.starts_with("pypto.")) {
          report.add(stmt.range, "a golden imports pypto");
          return;
        }
      }
    });
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls) {
      bool isImport = call.path == "importlib.import_module" || call.path == "import_module";
      auto *name = llvm::dyn_cast<Name>(call.call->callee);
      if ((isImport || (name && name->id == "__import__")) && !call.call->arguments.empty() &&
          isString(call.call->arguments[0], "pypto"))
        report.add(call.call->range, "a golden imports pypto");
    }
}

KernelRuleEntry ruleOL15GoldenImport() { return {&info, check}; }

} // namespace tilesmith::lint
