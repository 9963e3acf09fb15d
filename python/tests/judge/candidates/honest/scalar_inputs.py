import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def axpy(x_ptr, y_ptr, n, a, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) * a, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, alpha: float, dim: int = -1, keepdim=False, size=None):
        if dim < 0:
            dim += x.dim()
        rows = x.shape[dim] * 2 // 2
        factor = alpha * 2.0 - alpha
        y = torch.empty_like(x)
        axpy[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), factor, BLOCK=128)
        return y
