import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def quant(x, q, s, N, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    v = tl.load(x + r * N + o, mask=o < N, other=0.0)
    sc = tl.max(tl.abs(v), axis=0) / 127.0
    tl.store(s + r, sc)
    tl.store(q + r * N + o, (v / sc).to(tl.int8), mask=o < N)


class ModelNew(nn.Module):
    @torch.no_grad()
    def forward(self, x, *, group_size: int = -1, out_dtype=torch.int8):
        assert x.ndim >= 2, f"got {x.ndim}"
        org = x.shape
        x2 = x.reshape(-1, org[-1] if group_size <= 0 else group_size)
        M, N = x2.shape
        q = torch.empty_like(x2, dtype=out_dtype)
        s = x.new_empty((M,), dtype=torch.float32)
        BLOCK = triton.next_power_of_2(N)
        num_warps = min(max(BLOCK // 256, 1), 8)
        quant[(M,)](x2, q, s, N, BLOCK=BLOCK, num_warps=num_warps)
        return q.view(org), s.view(*org[:-1], -1)
