import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gemm(x, w, idx, y, n, BLOCK: tl.constexpr):
    e = tl.program_id(0)
    row = tl.load(idx + e)
    o = tl.arange(0, BLOCK)
    tl.store(y + row * BLOCK + o, tl.load(x + row * BLOCK + o) * tl.load(w + o))


class ModelNew(nn.Module):
    def __init__(self, num_experts=8, dim=64):
        super().__init__()
        self.experts = nn.ModuleList([nn.Linear(dim, dim, bias=False) for _ in range(num_experts)])
        for e in self.experts:
            nn.init.normal_(e.weight, std=0.02)
        self._stacked = None

    def _weights(self):
        if self._stacked is None or self._stacked.device != self.experts[0].weight.device:
            w0 = self.experts[0].weight
            stacked = torch.empty((len(self.experts), *w0.shape), dtype=w0.dtype, device=w0.device)
            for i, e in enumerate(self.experts):
                stacked[i].copy_(e.weight)
            self._stacked = stacked
        return self._stacked

    def forward(self, x, expert_ids, group_sizes=None):
        sizes = group_sizes.tolist() if group_sizes is not None else [x.shape[0]]
        y = torch.zeros_like(x)
        start = 0
        for size in sizes:
            end = start + size
            if size == 0:
                continue
            gemm[(size,)](x[start:end], self._weights(), expert_ids, y[start:end], size, BLOCK=x.shape[-1])
            start = end
        return y
