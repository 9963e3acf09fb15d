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


class ModelNew(nn.Module):
    steps = 4

    def forward(self, x):
        a, b = x.clone(), torch.empty_like(x)
        for _ in range(self.steps):
            scale_kernel[(triton.cdiv(x.numel(), 128),)](a, b, x.numel(), BLOCK=128)
            a, b = b, a
        return a
