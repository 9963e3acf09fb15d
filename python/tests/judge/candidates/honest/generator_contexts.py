"""Contexts written as generators around launches, and a benchmark of Triton's kind that nobody runs."""
import contextlib

import torch
import triton
import triton.language as tl


@triton.jit
def silu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(y_ptr + offsets, x * tl.sigmoid(x), mask=mask)


@contextlib.contextmanager
def device_of(tensor):
    before = torch.npu.current_device()
    try:
        yield tensor
    finally:
        torch.npu.set_device(before)


def silu(x):
    y = torch.empty_like(x)
    with device_of(x):
        silu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


@triton.testing.perf_report(triton.testing.Benchmark(x_names=["n"], x_vals=[1024], line_arg="provider", line_vals=["triton"],
                                                     line_names=["Triton"], plot_name="silu", args={}))
def benchmark(n, provider):
    x = torch.randn(n)
    return triton.testing.do_bench(lambda: silu(x) if provider == "triton" else torch.nn.functional.silu(x))


class ModelNew(torch.nn.Module):
    def forward(self, x):
        with device_of(x):
            return silu(x)
