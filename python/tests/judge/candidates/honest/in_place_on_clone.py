import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = x.clone()
        relu_[(triton.cdiv(y.numel(), 128),)](y, y.numel(), BLOCK=128)
        return y
