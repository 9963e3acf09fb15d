// DG307 host-code-in-kernel: The body of a kernel calls host code, or uses tensors of the host.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG307",
    .name = "host-code-in-kernel",
    .what =
        "The body of a kernel calls host code (torch, NumPy, other modules, methods of objects of the host), or uses "
        "tensors of the host.",
    .why =
        "A kernel is compiled from its source. Under Triton's interpreter it is Python, and plain functions that a "
        "kernel calls may run when it is traced: what they do there is not done by the kernel. A kernel may use its "
        "language, device functions, arithmetic and constants. Plain functions of the file are followed as host code.",
    .bad = R"(
OUT = torch.empty(64)


@triton.jit
def odd(x_ptr, out_ptr, n):
    torch.relu_(OUT)
    tl.store(out_ptr, tl.load(x_ptr))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        odd[(1,)](x, out, x.numel())
        return out
)",
    .good = R"(
SCALE = 2


@triton.jit
def scaled(x):
    return x * SCALE


@triton.jit
def plain(x_ptr, out_ptr, n):
    tl.store(out_ptr, scaled(tl.load(x_ptr)).to(tl.float16))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        plain[(1,)](x, out, x.numel())
        return out
)",
};

namespace {

struct KernelHost final : RuleOn<KernelHost, KernelHostCode> {
  void on(const KernelHostCode &code, Findings &findings) {
    findings.add(code, code.isTensor ? "a kernel uses a tensor of the host" : "a kernel calls code of the host");
  }
};

} // namespace

RuleEntry ruleKernelHost() { return entryOf<KernelHost>(info); }

} // namespace tilesmith::lint
