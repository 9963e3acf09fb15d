import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x * 2.0, mask=mask)


class Launcher:
    """Remembers a kernel and its block size."""

    def __init__(self, kernel, block):
        self.kernel, self.block = kernel, block

    def __call__(self, x, out):
        n = x.numel()
        self.kernel[(triton.cdiv(n, self.block),)](x, out, n, BLOCK=self.block)
        return out


SCALE = Launcher(scale_kernel, 512)


class ModelNew(nn.Module):
    def forward(self, x):
        return SCALE(x, torch.empty_like(x))
