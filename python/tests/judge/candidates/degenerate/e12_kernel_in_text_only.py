# degenerate: type 1: no kernel
import torch
import torch.nn as nn


SOURCE = """
@triton.jit
def k(x_ptr, out_ptr):
    tl.store(out_ptr, tl.load(x_ptr))
"""


class ModelNew(nn.Module):
    def forward(self, x, y):
        return torch.empty_like(x)
