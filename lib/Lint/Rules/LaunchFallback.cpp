// DG206 launch-fallback: An except around a launch neither raises nor launches.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG206",
    .name = "launch-fallback",
    .what = "An except around a launch neither raises nor launches.",
    .why = "A kernel that fails must be seen to fail. With a fallback the candidate is right whatever the kernel "
           "does.",
    .bad = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        try:
            return run(x)
        except Exception:
            return torch.relu(x)
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        try:
            return run(x)
        except RuntimeError as error:
            raise ValueError('shape not supported') from error
)",
};

namespace {

struct LaunchFallback final : RuleOn<LaunchFallback, HandlerRead> {
  void on(const HandlerRead &handler, Findings &findings) {
    if (handler.isAroundLaunch && handler.isSwallowed)
      findings.add(handler, "a failing launch is answered by other code instead of an error");
  }
};

} // namespace

RuleEntry ruleLaunchFallback() { return entryOf<LaunchFallback>(info); }

} // namespace tilesmith::lint
