// DG409 leaves-process: forward calls native code by ctypes, opens connections, or uses other services of the system.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG409",
    .name = "leaves-process",
    .what = "forward calls native code by ctypes, opens connections, or uses other services of the system.",
    .why = "What happens there is not followed.",
    .bad = R"(
import ctypes


class ModelNew(nn.Module):
    def forward(self, x):
        ctypes.CDLL(None).abs(1)
        return run(x)
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct LeavesProcess final : RuleOn<LeavesProcess, ForeignCall> {
  void on(const ForeignCall &call, Findings &findings) {
    if (call.conduct == Conduct::LeavesProcess)
      findings.add(call, "leaves the process or the thread of forward");
  }
};

} // namespace

RuleEntry ruleLeavesProcess() { return entryOf<LeavesProcess>(info); }

} // namespace tilesmith::lint
