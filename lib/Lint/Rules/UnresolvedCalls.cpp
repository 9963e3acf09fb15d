// DG305 unresolved-call: Something is called that cannot be resolved from the source: a value of unknown origin with
// tensors, a tensor, a forward that nothing defines.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG305",
    .name = "unresolved-call",
    .what = "Something is called that cannot be resolved from the source: a value of unknown origin with tensors, "
            "a tensor, a forward that nothing defines.",
    .why = "What cannot be found cannot be followed.",
    .bad = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        step = x.shape[0]
        return run(step(x))
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct UnresolvedCalls final : RuleOn<UnresolvedCalls, UnresolvedCall> {
  void on(const UnresolvedCall &call, Findings &findings) {
    if (call.callee == UnresolvedCall::Callee::Forward)
      findings.add(call, "nothing in the file defines it");
    else if (call.callee == UnresolvedCall::Callee::Tensor)
      findings.add(call, "calls something that cannot be resolved");
    else if (call.handsTensors)
      findings.add(call, "calls something that cannot be resolved, with tensors");
  }
};

} // namespace

RuleEntry ruleUnresolvedCalls() { return entryOf<UnresolvedCalls>(info); }

} // namespace tilesmith::lint
