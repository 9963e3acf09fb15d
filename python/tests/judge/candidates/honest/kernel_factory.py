import functools

import torch
import torch.nn as nn


@functools.lru_cache(maxsize=None)
def make_kernel(factor):
    import triton
    import triton.language as tl

    @triton.jit
    def scale(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) * 2, mask=i < n)

    return scale


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        make_kernel(2)[((x.numel() + 127) // 128,)](x, out, x.numel(), BLOCK=128)
        return out
