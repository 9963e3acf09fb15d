# degenerate: type 1: no kernel
import torch
import torch.nn as nn
import triton.language as tl


def jit(f):
    return f


@jit
def k(x):
    tl.load
    return torch.relu(x)


class ModelNew(nn.Module):
    def forward(self, x, y):
        return k(x)
