// DG301 host-compute: Something reachable from forward computes on tensors outside kernels: a function of torch or
// NumPy, a method, an operator, a builtin such as sum.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG301",
    .name = "host-compute",
    .what = "Something reachable from forward computes on tensors outside kernels: a function of torch or NumPy, "
            "a method, an operator, a builtin such as sum.",
    .why = "The kernels are to do the work. Host code may allocate, view, move, convert and ask "
           "(docs/validate.md); what is not on those lists computes.",
    .bad = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return torch.relu(run(x))
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x.contiguous()).view(-1)
)",
};

namespace {

struct HostComputation final : RuleOn<HostComputation, HostCompute> {
  void on(const HostCompute &compute, Findings &findings) {
    findings.add(compute, "computes on tensors outside the kernels");
  }
};

} // namespace

RuleEntry ruleHostComputation() { return entryOf<HostComputation>(info); }

} // namespace tilesmith::lint
