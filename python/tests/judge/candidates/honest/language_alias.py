import torch
from torch import nn
from triton import cdiv, jit
import triton.language as L


@jit
def negate(x_ptr, y_ptr, n, BLOCK: L.constexpr):
    i = L.program_id(axis=0) * BLOCK + L.arange(0, BLOCK)
    L.store(y_ptr + i, -L.load(x_ptr + i, mask=i < n), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        negate[(cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
