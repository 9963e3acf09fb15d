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


class ModelNew(nn.Module):
    def __init__(self, block=256):
        super().__init__()
        self.block = block
        self.kernel = scale_kernel

    @property
    def meta(self):
        return {"BLOCK": self.block}

    def _grid(self, n):
        return (triton.cdiv(n, self.block),)

    def _launch(self, x, out):
        n = x.numel()
        self.kernel[self._grid(n)](x, out, n, **self.meta)

    def forward(self, x):
        out = self._allocate(x)
        self._launch(x, out)
        return out

    @staticmethod
    def _allocate(x):
        return torch.empty_like(x)
