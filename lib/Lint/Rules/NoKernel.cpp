// DG101 no-kernel: The file has no kernel.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG101",
    .name = "no-kernel",
    .isAnywhere = true,
    .what = "The file has no kernel.",
    .why = "A candidate is there to show a kernel. Functions made by triton.jit (also under autotune and "
           "heuristics), asc2.jit or asc.jit count, whatever the names they were imported by, and kernels of "
           "asc.load_ascendc; other things called jit do not.",
    .bad = R"(
import torch

class ModelNew(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct NoKernel final : RuleOn<NoKernel, KernelsRead> {
  void on(const KernelsRead &read, Findings &findings) {
    if (read.kernels.empty())
      findings.add(read, "no kernel: no function is decorated with triton.jit, asc2.jit or the like");
  }
};

} // namespace

RuleEntry ruleNoKernel() { return entryOf<NoKernel>(info); }

} // namespace tilesmith::lint
