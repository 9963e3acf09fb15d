import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.heuristics({"EVEN": lambda args: args["K"] % args["BK"] == 0})
@triton.jit
def linear_kernel(x, w, b, y, K, N, EVEN: tl.constexpr, BK: tl.constexpr, HAS_BIAS: tl.constexpr):
    row, col = tl.program_id(0), tl.program_id(1)
    acc = 0.0
    for k in range(0, K, BK):
        offs = k + tl.arange(0, BK)
        acc += tl.sum(tl.load(x + row * K + offs) * tl.load(w + col * K + offs), axis=0)
    if HAS_BIAS:
        acc += tl.load(b + col)
    tl.store(y + row * N + col, acc)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features, bias=bias)
        nn.init.xavier_uniform_(self.linear.weight)

    def forward(self, x):
        weight, bias = self.linear.weight, self.linear.bias
        flat = x.view(-1, x.size(-1))
        y = x.new_empty(flat.shape[0], self.linear.out_features)
        linear_kernel[(flat.shape[0], self.linear.out_features)](
            flat, weight, bias, y, x.size(-1), self.linear.out_features, BK=32, HAS_BIAS=bias is not None)
        return y.view(*x.shape[:-1], self.linear.out_features)
