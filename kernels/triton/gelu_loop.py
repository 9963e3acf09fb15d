"""Gelu in its tanh form: each program goes through a span of tiles, and the last one hangs over the end."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, span, TILE: tl.constexpr):
    start = tl.program_id(0) * span
    for first in range(start, min(start + span, n), TILE):
        offsets = first + tl.arange(0, TILE)
        mask = (offsets < start + span) & (offsets < n)
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
        u = 1.5957691216 * (x + 0.044715 * x * x * x)  # 0.5 * (1 + tanh(u / 2)) is 1 / (1 + exp(-u))
        tl.store(y_ptr + offsets, x / (1 + tl.exp(-u)), mask=mask)


def gelu_launch(x, y):
    programs = golden.vector_cores()
    gelu_kernel[(programs,)](x, y, x.size, triton.cdiv(x.size, programs), TILE=4096)


@golden.cases([(1,), (5000,), (300001,)], dtypes=["float32", "float16"])
def test_gelu_loop(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype)
    y = np.empty_like(x)
    gelu_launch(x, y)
    wide = x.astype(np.float64)
    golden.check(y, 0.5 * wide * (1 + np.tanh(0.7978845608 * (wide + 0.044715 * wide**3))))


if __name__ == "__main__":
    golden.main(test_gelu_loop, shape=(1048576,))
