import math
import os
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
    def __init__(self, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.twice = self.eps * 2

    def forward(self, x):
        n = 1
        for s in x.shape:
            n *= s
        total = math.prod(x.shape)
        stride = x.stride(0) * x.element_size()
        block = max(64, min(1024, 1 << (n.bit_length() - 1)))
        scale = 1.0 / math.sqrt(x.size(-1)) + self.eps * 2 - self.twice
        blocks = (total + block - 1) // block
        debug = os.environ.get("DEBUG", "0") == "1"
        if debug:
            print(f"launch {blocks} blocks, stride {stride}, scale {scale:.3f}")
        y = torch.zeros(x.shape, dtype=x.dtype, device=x.device)
        scale_kernel[(blocks,)](x, y, total, BLOCK=block)
        return y
