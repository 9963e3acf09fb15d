import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def nearest(x_ptr, y_ptr, h, w, oh, ow, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row, col = i // ow, i % ow
    tl.store(y_ptr + i, tl.load(x_ptr + (row * h // oh) * w + col * w // ow, mask=row < oh), mask=row < oh)


class ModelNew(nn.Module):
    def forward(self, x, output_size):
        oh, ow = output_size
        n, c, h, w = x.shape
        y = torch.empty((n, c, oh, ow), dtype=x.dtype, device=x.device)
        nearest[(triton.cdiv(oh * ow, 256),)](x, y, h, w, oh, ow, BLOCK=256)
        return y
