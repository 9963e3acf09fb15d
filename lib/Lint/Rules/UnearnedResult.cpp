// DG205 unearned-result: A way out of forward returns a tensor that no kernel of this call has written, or something
// that does not come from the file.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG205",
    .name = "unearned-result",
    .what = "A way out of forward returns a tensor that no kernel of this call has written, or something that "
            "does not come from the file.",
    .why = "Each way out must show a kernel's work. Exempt is what is returned under a test for nothing to do (n "
           "== 0, x.numel() == 0, 0 in x.shape, not self.training). Beside a result other tensors may be "
           "returned.",
    .bad = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        if x.shape[0] > 4096:
            return x
        return run(x)
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        if x.numel() == 0:
            return x
        return run(x)
)",
};

namespace {

struct UnearnedResult final : RuleOn<UnearnedResult, Returned> {
  void on(const Returned &returned, Findings &findings) {
    if (returned.isForeign)
      findings.add(returned, "returns something that does not come from this file");
    else if (returned.hasTensors && !returned.isEarned && !returned.isStale)
      findings.add(returned, "returns a tensor that no kernel has written on this path");
  }
};

} // namespace

RuleEntry ruleUnearnedResult() { return entryOf<UnearnedResult>(info); }

} // namespace tilesmith::lint
