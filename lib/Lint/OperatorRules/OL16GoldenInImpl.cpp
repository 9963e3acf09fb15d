// OL16 golden-in-impl: an impl file imports the golden.
#include "tilesmith/Lint/KernelRule.h"

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
  auto isGolden = [](llvm::StringRef module) {
    return module.rsplit('.').second.ends_with("_golden") || (!module.contains('.') && module.ends_with("_golden"));
  };
  for (const auto &function : file.all()) {
    function->each<Import>([&](const Import &stmt, const Place &) {
      bool found = stmt.isFrom && isGolden(stmt.module);
      for (const ImportedName &name : stmt.names)
        found |= isGolden(name.name);
      if (found)
        report.add(stmt.range, "the golden is imported");
    });
    for (const CallFact &call : function->calls) {
      auto *name = llvm::dyn_cast<Name>(call.call->callee);
      if (call.path != "importlib.import_module" && !(name && name->id == "__import__"))
        continue;
      auto *text = call.call->arguments.empty() ? nullptr : llvm::dyn_cast<Constant>(call.call->arguments[0]);
      if (text && text->constant == ConstantKind::String && isGolden(text->text))
        report.add(call.call->range, "the golden is imported");
    }
  }
}

KernelRuleEntry ruleOL16GoldenInImpl() { return {&info, check}; }

} // namespace tilesmith::lint
