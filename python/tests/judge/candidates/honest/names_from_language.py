import torch
import triton
from triton.language import arange, constexpr, load, program_id, store


@triton.jit
def copy(x_ptr, y_ptr, n, BLOCK: constexpr):
    i = program_id(0) * BLOCK + arange(0, BLOCK)
    store(y_ptr + i, load(x_ptr + i, mask=i < n), mask=i < n)


class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        copy[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), 128)
        return y
