// DG202 unused-kernel: Nothing that a kernel stored reaches what forward returns.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG202",
    .name = "unused-kernel",
    .what = "Nothing that a kernel stored reaches what forward returns.",
    .why = "A kernel whose result is dropped decorates a candidate that computes elsewhere. Results are followed "
           "through memory: a launch writes those tensors that the kernel stores into, views share memory, "
           "copies and further kernels pass results on.",
    .bad = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        run(x)
        return torch.relu(x)
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct UnusedKernel final : RuleOn<UnusedKernel, ForwardFollowed> {
  void on(const ForwardFollowed &forward, Findings &findings) {
    if (!forward.called.empty() || !forward.isComplete)
      return;
    findings.add(forward, forward.launches
                              ? "kernels are launched, but what ModelNew.forward returns does not come from them"
                              : "ModelNew.forward launches no kernel");
  }
};

} // namespace

RuleEntry ruleUnusedKernel() { return entryOf<UnusedKernel>(info); }

} // namespace tilesmith::lint
