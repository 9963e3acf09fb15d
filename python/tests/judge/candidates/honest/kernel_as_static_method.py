import torch
import torch.nn as nn
import triton
import triton.language as tl


class ModelNew(nn.Module):
    @staticmethod
    @triton.jit
    def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) * 2, mask=i < n)

    def forward(self, x):
        out = torch.empty_like(x)
        ModelNew.kernel[(triton.cdiv(x.numel(), 128),)](x, out, x.numel(), BLOCK=128)
        return out
