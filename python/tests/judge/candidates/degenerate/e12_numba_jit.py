# degenerate: type 1: no kernel
import torch
import torch.nn as nn
from numba import jit
import triton.language as tl


@jit
def k(x_ptr, out_ptr):
    tl.store(out_ptr, tl.load(x_ptr))


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        k[(1,)](x, out)
        return out
