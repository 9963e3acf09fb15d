// OL18 test-imports: a test file does not import both the impl and the golden.
#include "tilesmith/Lint/KernelRule.h"

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
  auto note = [&](llvm::StringRef path) {
    for (llvm::StringRef rest = path; !rest.empty();) {
      auto [first, tail] = rest.split('.');
      hasImpl |= first.ends_with("_impl");
      hasGolden |= first.ends_with("_golden");
      rest = tail;
    }
  };
  for (const auto &function : file.all()) {
    function->each<Import>([&](const Import &stmt, const Place &) {
      if (stmt.isFrom)
        note(stmt.module);
      for (const ImportedName &name : stmt.names)
        note(name.name);
    });
    for (const CallFact &call : function->calls)
      if (call.path == "importlib.import_module" && !call.call->arguments.empty())
        if (auto *text = llvm::dyn_cast<Constant>(call.call->arguments[0]);
            text && text->constant == ConstantKind::String)
          note(text->text);
  }
  if (!hasImpl)
    report.add({1, 0, 1, 0}, "the test does not import the impl");
  if (!hasGolden)
    report.add({1, 0, 1, 0}, "the test does not import the golden");
}

KernelRuleEntry ruleOL18TestImports() { return {&info, check}; }

} // namespace tilesmith::lint
