import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = x_ptr + i
    tl.store(p, tl.maximum(tl.load(p, mask=i < n), 0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        relu_[(triton.cdiv(x.numel(), 128),)](x, x.numel(), BLOCK=128)
        return x
