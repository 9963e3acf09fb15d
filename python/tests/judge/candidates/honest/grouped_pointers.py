import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def grouped(in_ptrs, out_ptrs, sizes_ptr, BLOCK: tl.constexpr):
    g = tl.program_id(0)
    src = tl.load(in_ptrs + g).to(tl.pointer_type(tl.float32))
    dst = tl.load(out_ptrs + g).to(tl.pointer_type(tl.float32))
    n = tl.load(sizes_ptr + g)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        tl.store(dst + i, tl.load(src + i, mask=i < n) * 2, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, tensors):
        outs = [torch.empty_like(t) for t in tensors]
        device = tensors[0].device
        in_ptrs = torch.tensor([t.data_ptr() for t in tensors], device=device)
        out_ptrs = torch.tensor([o.data_ptr() for o in outs], device=device)
        sizes = torch.tensor([t.numel() for t in tensors], dtype=torch.int32, device=device)
        grouped[(len(tensors),)](in_ptrs, out_ptrs, sizes, BLOCK=256)
        return outs
