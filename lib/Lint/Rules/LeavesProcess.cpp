// DG409 leaves-process: forward starts threads or processes, calls native code by ctypes, opens connections, or uses
// other services of the system.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG409",
    .name = "leaves-process",
    .what = "forward starts threads or processes, calls native code by ctypes, opens connections, or uses other "
            "services of the system.",
    .why = "What happens there is not followed, and continues after forward has returned.",
    .bad = R"(
import threading


class ModelNew(nn.Module):
    def forward(self, x):
        threading.Thread(target=torch.relu, args=(x,)).start()
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
