// DG401 patched-module: An attribute of another module is assigned, by any means, or operations of a library are
// replaced, also at import.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG401",
    .name = "patched-module",
    .isAnywhere = true,
    .what = "An attribute of another module is assigned, by any means, or operations of a library are replaced, "
            "also at import.",
    .why = "The harness uses the same modules: a patched torch.allclose accepts everything. Settings such as "
           "torch.backends are free.",
    .bad = R"(
torch.allclose = lambda *args, **options: True


class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
    .good = R"(
torch.backends.cuda.matmul.allow_tf32 = False


class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct PatchedModule final : RuleOn<PatchedModule, Replaced, ForeignCall> {
  void on(const Replaced &replaced, Findings &findings) {
    if (replaced.what == Replaced::What::OfOtherModule && !isSetting(replaced.path))
      findings.add(replaced, "replaces something in another module");
  }
  void on(const ForeignCall &call, Findings &findings) {
    if (call.conduct == Conduct::ReplacesLibrary)
      findings.add(call, "replaces operations of a library");
  }

  // What a candidate may assign: torch.backends and the like.
  static bool isSetting(llvm::StringRef path) {
    for (llvm::StringRef module :
         {"torch.backends", "torch._dynamo.config", "torch._inductor.config", "torch._functorch.config"})
      if (llvm::StringRef rest = path; rest.consume_front(module) && (rest.empty() || rest.front() == '.'))
        return true;
    return path.contains(".config.") || path.contains(".options.") || path.contains(".knobs.");
  }
};

} // namespace

RuleEntry rulePatchedModule() { return entryOf<PatchedModule>(info); }

} // namespace tilesmith::lint
