// DG406 hidden-code: Code is run that is not in the source (eval, exec, compile, code objects), or chosen behind it
// (functools.singledispatch), also at import.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG406",
    .name = "hidden-code",
    .isAnywhere = true,
    .what = "Code is run that is not in the source (eval, exec, compile, code objects), or chosen behind it "
            "(functools.singledispatch), also at import.",
    .why = "What is not in the source cannot be judged by it.",
    .bad = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(eval('torch.relu(x)'))
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct HiddenCode final : RuleOn<HiddenCode, ForeignCall> {
  void on(const ForeignCall &call, Findings &findings) {
    if (call.conduct == Conduct::RunsHiddenCode)
      findings.add(call, "runs code that is not in the source");
    else if (call.conduct == Conduct::ChoosesCallee)
      findings.add(call, "chooses what is called behind the source");
  }
};

} // namespace

RuleEntry ruleHiddenCode() { return entryOf<HiddenCode>(info); }

} // namespace tilesmith::lint
