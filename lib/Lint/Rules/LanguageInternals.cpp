// DG408 language-internals: Attributes are read that reach behind the language: frames, code objects, closures,
// subclasses.
#include "tilesmith/Lint/Rule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG408",
    .name = "language-internals",
    .what = "Attributes are read that reach behind the language: frames, code objects, closures, subclasses.",
    .why = "Everything in the process can be reached through them.",
    .bad = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(run.__globals__['torch'].relu(x))
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

constexpr llvm::StringLiteral internals[] = {
    "__subclasses__", "__globals__",   "__code__", "__closure__", "__builtins__", "__getattribute__",
    "__reduce__",     "__reduce_ex__", "__mro__",  "f_back",      "f_globals",    "f_locals",
    "gi_frame",       "tb_frame",      "f_code",   "__self__",    "__func__",     "__wrapped__"};

struct LanguageInternals final : RuleOn<LanguageInternals, AttributeRead> {
  void on(const AttributeRead &read, Findings &findings) {
    if (llvm::is_contained(internals, read.spelled))
      findings.add(read, "looks behind the language");
  }
};

} // namespace

RuleEntry ruleLanguageInternals() { return entryOf<LanguageInternals>(info); }

} // namespace tilesmith::lint
