// DG410 runs-beside: Code is started that runs beside forward: threads, processes, handlers of signals, hooks of the
// interpreter, also at import.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG410",
    .name = "runs-beside",
    .isAnywhere = true,
    .what = "Code is started that runs beside forward: threads, processes, handlers of signals, hooks of the "
            "interpreter, also at import.",
    .why =
        "What runs there is not called by forward, so it cannot be followed from it, and can compute, or change what "
        "others see, at any time.",
    .bad = R"(
import signal

signal.signal(signal.SIGALRM, lambda number, frame: None)


class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
    .good = R"(
import threading

LOCK = threading.Lock()


class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct RunsBeside final : RuleOn<RunsBeside, ForeignCall> {
  void on(const ForeignCall &call, Findings &findings) {
    if (call.conduct == Conduct::RunsBeside)
      findings.add(call, "leaves the process or the thread of forward: it starts code that runs beside it");
  }
};

} // namespace

RuleEntry ruleRunsBeside() { return entryOf<RunsBeside>(info); }

} // namespace tilesmith::lint
