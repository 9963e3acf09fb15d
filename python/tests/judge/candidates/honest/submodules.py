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


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def forward(self, x):
        out = torch.empty_like(x)
        scale_kernel[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), BLOCK=64)
        return out


class ModelNew(nn.Module):
    def __init__(self, layers=3):
        super().__init__()
        self.blocks = nn.ModuleList([Block(8) for _ in range(layers)])
        self.tail = nn.Sequential(Block(8), Block(8))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.tail(x)
