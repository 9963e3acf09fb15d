// DG102 shell-kernel: No kernel of the file stores anything.
#include "tilesmith/Lint/Rule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG102",
    .name = "shell-kernel",
    .isAnywhere = true,
    .what = "No kernel of the file stores anything.",
    .why = "A kernel that leaves nothing behind cannot have computed the result. A store counts in the kernel or "
           "in a device function it calls, outside dead code and not under mask=False.",
    .bad = R"(
import torch
import triton
import triton.language as tl

@triton.jit
def shell(x_ptr, out_ptr, n):
    tl.load(x_ptr)

class ModelNew(torch.nn.Module):
    def forward(self, x):
        shell[(1,)](x, x, 1)
        return torch.relu(x)
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct ShellKernel final : RuleOn<ShellKernel, KernelsRead> {
  void on(const KernelsRead &read, Findings &findings) {
    bool stores = llvm::any_of(read.kernels, [](const KernelFact &kernel) { return kernel.stores; });
    if (read.kernels.empty() || stores)
      return;
    KernelsRead at = read;
    at.range.line = read.kernels[0].line;
    findings.add(at, "shell kernel: no kernel loads and stores anything");
  }
};

} // namespace

RuleEntry ruleShellKernel() { return entryOf<ShellKernel>(info); }

} // namespace tilesmith::lint
