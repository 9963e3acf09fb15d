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


def grid_for(n):
    def grid(meta):
        return (max(1, (n + meta["BLOCK"] - 1) // meta["BLOCK"]), 1, 1)

    return grid


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
        scale_kernel[grid_for(x.numel())](x, out, x.numel(), BLOCK=256)
        return out
