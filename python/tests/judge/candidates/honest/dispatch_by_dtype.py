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


@triton.jit
def scale_kernel_half(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n).to(tl.float32)
    tl.store(out_ptr + i, (x * 2.0).to(tl.float16), mask=i < n)


KERNELS = {torch.float32: scale_kernel, torch.float16: scale_kernel_half}


class ModelNew(nn.Module):
    def forward(self, x):
        kernel = KERNELS[x.dtype]
        out = torch.empty_like(x)
        if x.shape[-1] <= 1024:
            kernel[(triton.cdiv(x.numel(), 128),)](x, out, x.numel(), BLOCK=128)
        elif x.shape[-1] <= 4096:
            kernel[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), BLOCK=512)
        else:
            kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
        return out
