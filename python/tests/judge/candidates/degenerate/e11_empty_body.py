# degenerate: type 1: shell
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def shell(x_ptr, out_ptr, BLOCK: tl.constexpr):
    pass


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        shell[(1,)](x, out, BLOCK=64)
        return out
