import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def layernorm_kernel(X, Y, W, B, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    X += row * stride
    Y += row * stride
    cols = tl.arange(0, BLOCK)
    x = tl.load(X + cols, mask=cols < N, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / N
    d = tl.where(cols < N, x - mean, 0.0)
    rstd = 1 / tl.sqrt(tl.sum(d * d, axis=0) / N + eps)
    w = tl.load(W + cols, mask=cols < N)
    b = tl.load(B + cols, mask=cols < N)
    tl.store(Y + cols, d * rstd * w + b, mask=cols < N)


class ModelNew(nn.Module):
    def __init__(self, normalized_shape: tuple):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(normalized_shape))
        self.bias = nn.Parameter(torch.zeros(normalized_shape))
        self.eps = 1e-5

    def forward(self, x):
        n = self.weight.numel()
        rows = x.numel() // n
        x_ = x.contiguous()
        y = torch.empty_like(x_)
        if rows == 0:
            return y
        layernorm_kernel[(rows,)](x_, y, self.weight, self.bias, n, n, self.eps * 1.0, BLOCK=triton.next_power_of_2(n))
        return y
