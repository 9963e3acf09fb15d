// DG403 reference-import: The reference of the task is imported: a module {op}_torch or reference, or a class Model.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG403",
    .name = "reference-import",
    .isAnywhere = true,
    .what = "The reference of the task is imported: a module {op}_torch or reference, or a class Model.",
    .why = "The reference has the answer.",
    .bad = R"(
from softmax_torch import Model


class ModelNew(nn.Module):
    def forward(self, x):
        return run(Model()(x))
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct ReferenceImport final : RuleOn<ReferenceImport, Imported> {
  void on(const Imported &imported, Findings &findings) {
    if (isReference(imported.module) || isReference(imported.name) || imported.name == "Model")
      findings.add(imported, "imports the reference of the task");
  }

  // Names of modules of a project's reference: `{op}_torch`.
  static bool isReference(llvm::StringRef module) {
    llvm::StringRef last = module.substr(module.rfind('.') + 1);
    return last.ends_with("_torch") || last == "reference";
  }
};

} // namespace

RuleEntry ruleReferenceImport() { return entryOf<ReferenceImport>(info); }

} // namespace tilesmith::lint
