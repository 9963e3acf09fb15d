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


class Base(nn.Module):
    block = 128

    def forward(self, x):
        out = self.allocate(x)
        scale_kernel[(triton.cdiv(x.numel(), self.block),)](x, out, x.numel(), BLOCK=self.block)
        return out

    def allocate(self, x):
        raise NotImplementedError


class ModelNew(Base):
    def allocate(self, x):
        return torch.empty_like(x)
