from dataclasses import dataclass

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


@dataclass
class Config:
    block: int = 128
    warps: int = 4


class ModelNew(nn.Module):
    def __init__(self, config=None):
        super().__init__()
        self.config = config or Config(block=256)

    def forward(self, x):
        out = {"y": torch.empty_like(x)}
        scale_kernel[(triton.cdiv(x.numel(), self.config.block),)](x, out["y"], x.numel(), BLOCK=self.config.block)
        return out["y"]
