import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    src = tl.make_tensor_descriptor(x_ptr, [M, N], [N, 1], [BM, BN])
    dst = tl.make_tensor_descriptor(y_ptr, [M, N], [N, 1], [BM, BN])
    at = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    dst.store(at, src.load(at))


class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty_like(x)
        triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device=x.device))
        copy_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](x, y, M, N, 32, 32)
        return y
