import torch
import torch.nn as nn
import triton
import triton.language as tl


from triton.runtime import driver

KERNELS = {}


@triton.jit
def softmax_kernel(out_ptr, in_ptr, stride, n_rows, n_cols, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    step = tl.num_programs(0)
    for row in tl.range(tl.program_id(0), n_rows, step, num_stages=STAGES):
        cols = tl.arange(0, BLOCK)
        ptrs = in_ptr + row * stride + cols
        x = tl.load(ptrs, mask=cols < n_cols, other=-float("inf"))
        e = tl.exp(x - tl.max(x, axis=0))
        out_ptrs = out_ptr + row * stride + cols
        tl.store(out_ptrs, e / tl.sum(e, axis=0), mask=cols < n_cols)


class ModelNew(nn.Module):
    def forward(self, x):
        n_rows, n_cols = x.shape
        block = triton.next_power_of_2(n_cols)
        y = torch.empty_like(x)
        kernel, programs = KERNELS.get(block, (None, 0))
        if kernel is None:
            kernel = softmax_kernel.warmup(y, x, x.stride(0), n_rows, n_cols, BLOCK=block, STAGES=2, grid=(1,))
            kernel._init_handles()
            programs = driver.active.utils.get_device_properties(0)["multiprocessor_count"] * 2
            KERNELS[block] = (kernel, programs)
        programs = min(programs, n_rows)
        kernel[(programs, 1, 1)](y, x, x.stride(0), n_rows, n_cols, block, 2)
        return y
