// TS702 secret: a password, token or key is written into the file.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS702",
    .name = "secret",
    .level = Level::Error,
    .what = "A password, token or key is written into the file.",
    .why = "Whoever reads the file has it, and so has the history of the repository.",
    .use = "read it from the environment",
    .bad = R"py(
API_TOKEN = "9f8e7d6c5b4a39281706"
)py",
    .good = R"py(
import os
NAME = "API" + "_KEY"
API_TOKEN = os.environ[NAME]
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  static constexpr llvm::StringLiteral words[] = {"password", "passwd", "secret", "token", "api_key", "apikey"};
  auto tell = [&](const Expr *target, const Expr *value) {
    auto *name = llvm::dyn_cast<Name>(target);
    auto *text = llvm::dyn_cast_or_null<Constant>(value);
    if (name && text && text->constant == ConstantKind::String && text->text.size() >= 8 && !text->text.contains(' ') &&
        llvm::any_of(words, [&](llvm::StringRef word) { return name->id.contains_insensitive(word); }))
      report.add(text->range, "'" + name->id.str() + "' is written into the file");
  };
  for (const auto &function : file.all())
    function->each<Assign>([&](const Assign &stmt, const Place &) {
      for (const Expr *target : stmt.targets)
        tell(target, stmt.value);
    });
}

KernelRuleEntry ruleSecret() { return {&info, check}; }

} // namespace tilesmith::lint
