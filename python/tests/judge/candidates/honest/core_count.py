import torch
import torch.nn as nn
import triton
import triton.language as tl


def num_cores():
    try:
        device = torch.npu.current_device()
        return triton.runtime.driver.active.utils.get_device_properties(device)["num_vectorcore"]
    except AttributeError:
        return 40


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, per_core, BLOCK: tl.constexpr):
    start = tl.program_id(0) * per_core
    for off in range(0, per_core, BLOCK):
        i = start + off + tl.arange(0, BLOCK)
        mask = i < min(start + per_core, n)
        tl.store(out_ptr + i, tl.load(x_ptr + i, mask=mask) + tl.load(y_ptr + i, mask=mask), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.cores = num_cores()

    def forward(self, x, y):
        x, y = torch.broadcast_tensors(x, y)
        x, y = x.contiguous(), y.contiguous()
        out = torch.empty_like(x)
        n = out.numel()
        cores = min(self.cores, max(1, n))
        per_core = triton.cdiv(n, cores)
        add_kernel[(cores,)](x, y, out, n, per_core, BLOCK=1024)
        return out
