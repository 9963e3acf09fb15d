"""Layers that hold the weights, made by a generator: it runs in the constructor, not where the list is gone through."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, w_ptr, out_ptr, n, width, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x * tl.load(w_ptr + offsets % width, mask=mask), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, width=8, depth=3):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(depth))
        self.scales = nn.ParameterList(nn.Parameter(torch.rand(width)) for _ in range(depth))

    def forward(self, x):
        for norm, scale in zip(self.norms, self.scales):
            for weight in (norm.weight, scale):
                out = torch.empty_like(x)
                scale_kernel[(triton.cdiv(x.numel(), 64),)](x, weight, out, x.numel(), x.shape[-1], BLOCK=64)
                x = out
        return x
