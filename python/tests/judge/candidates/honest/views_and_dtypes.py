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
    def forward(self, x, y=None):
        original = x.dtype
        x = x.to(torch.float32)
        if x.stride(-1) != 1:
            x = x.contiguous()
        flat = x.permute(1, 0).reshape(-1).unsqueeze(0)[0, :]
        out = torch.empty(x.shape, dtype=torch.float32, device=x.device)
        view = out.view(-1)
        scale_kernel[(triton.cdiv(flat.numel(), 128),)](flat, view, flat.numel(), BLOCK=128)
        return out.half().to(original)
