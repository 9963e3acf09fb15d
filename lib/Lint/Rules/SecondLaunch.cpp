// DG602 second-launch: forward reaches a second launch.
#include "tilesmith/Lint/Rule.h"

#include "llvm/ADT/DenseSet.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG602",
    .name = "second-launch",
    .isOn = false,
    .what = "forward reaches a second launch.",
    .why = "One fused kernel is what such a task asks for. Off unless it is asked for.",
    .bad = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        out = run(x)
        double[(1,)](out, out, x.numel(), BLOCK=64)
        return out
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct SecondLaunch final : RuleOn<SecondLaunch, Launch> {
  void on(const Launch &launch, Findings &findings) {
    if (places.insert(launch.call).second && places.size() > 1)
      findings.add(launch, "a second launch is not allowed by --strict-launches");
  }

private:
  llvm::DenseSet<const ast::Expr *> places; // null: not written as a call
};

} // namespace

RuleEntry ruleSecondLaunch() { return entryOf<SecondLaunch>(info); }

} // namespace tilesmith::lint
