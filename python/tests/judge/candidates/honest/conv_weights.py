import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv(x, w, b, y, H, W, OH, OW, K: tl.constexpr, HAS_BIAS: tl.constexpr):
    pid = tl.program_id(0)
    acc = 0.0
    for i in tl.static_range(K):
        for j in tl.static_range(K):
            acc += tl.load(x + pid + i * W + j) * tl.load(w + i * K + j)
    if HAS_BIAS:
        acc += tl.load(b)
    tl.store(y + pid, acc)


class ModelNew(nn.Module):
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int, stride=1, padding=0):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, stride=stride, padding=padding)
        self.bn = nn.BatchNorm2d(out_channels)
        self.kernel_size = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert x.is_cuda or x.is_npu, "input must be on device"
        N, C, H, W = x.shape
        kh, kw = self.kernel_size
        pad_h, pad_w = self.conv.padding if isinstance(self.conv.padding, tuple) else (self.conv.padding,) * 2
        OH = (H + 2 * pad_h - self.conv.dilation[0] * (kh - 1) - 1) // self.conv.stride[0] + 1
        OW = (W + 2 * pad_w - self.conv.dilation[1] * (kw - 1) - 1) // self.conv.stride[1] + 1
        y = torch.empty((N, self.conv.out_channels, OH, OW), device=x.device, dtype=x.dtype)
        total = y.numel()
        grid = (N * OH,) + (OW,)
        bias = self.conv.bias if self.conv.bias is not None else x
        conv[grid](x, self.conv.weight, bias, y, H, W, OH, OW, K=kh, HAS_BIAS=self.conv.bias is not None)
        return y
