// DG601 python-loop: forward reaches a Python loop, or appends to a list.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG601",
    .name = "python-loop",
    .isOn = false,
    .what = "forward reaches a Python loop, or appends to a list.",
    .why = "A loop around launches leaves to Python what a kernel could overlap. Many honest candidates have "
           "one, so the rule is off unless it is asked for.",
    .bad = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        for _ in range(3):
            x = run(x)
        return x
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct PythonLoop final : RuleOn<PythonLoop, Loop, Append> {
  void on(const Loop &loop, Findings &findings) {
    findings.add(loop, "Python loops are not allowed by --strict-loops");
  }
  void on(const Append &append, Findings &findings) { findings.add(append, "append is not allowed by --strict-loops"); }
};

} // namespace

RuleEntry rulePythonLoop() { return entryOf<PythonLoop>(info); }

} // namespace tilesmith::lint
