import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(out_ptr, in_ptr, in_stride, out_stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(in_ptr + row * in_stride + cols, mask=cols < n_cols, other=-float("inf"))
    x = x - tl.max(x, axis=0)
    e = tl.exp(x)
    tl.store(out_ptr + row * out_stride + cols, e / tl.sum(e, axis=0), mask=cols < n_cols)


class ModelNew(nn.Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        shape = x.shape
        dim = self.dim if self.dim >= 0 else self.dim + x.dim()
        x = x.transpose(dim, -1).contiguous()
        rows = x.reshape(-1, x.shape[-1])
        n_rows, n_cols = rows.shape
        out = torch.empty_like(rows)
        block = triton.next_power_of_2(n_cols)
        num_warps = 4
        if block >= 2048:
            num_warps = 8
        softmax_kernel[(n_rows,)](out, rows, rows.stride(0), out.stride(0), n_cols, BLOCK=block, num_warps=num_warps)
        return out.view(x.shape).transpose(dim, -1).reshape(shape)
