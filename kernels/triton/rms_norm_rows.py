"""RMS norm, several rows at once."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def rms_norm_kernel(x_ptr, w_ptr, y_ptr, rows, n, eps, ROWS: tl.constexpr, TILE: tl.constexpr):
    column = tl.arange(0, TILE)[None, :]
    w = tl.load(w_ptr + column, mask=column < n, other=0.0).to(tl.float32)
    for first in range(tl.program_id(0) * ROWS, rows, tl.num_programs(0) * ROWS):
        row = first + tl.arange(0, ROWS)[:, None]
        mask = (row < rows) & (column < n)
        x = tl.load(x_ptr + row * n + column, mask=mask, other=0.0).to(tl.float32)
        scale = tl.rsqrt(tl.sum(x * x, axis=1, keep_dims=True) / n + eps)
        tl.store(y_ptr + row * n + column, x * scale * w, mask=mask)


def rms_norm_launch(x, w, y):
    rows, n = x.shape
    tile, programs = triton.next_power_of_2(n), golden.vector_cores()
    height = max(min(8192 // tile, triton.cdiv(rows, programs)), 1)
    rms_norm_kernel[(min(programs, triton.cdiv(rows, height)),)](x, w, y, rows, n, 1e-6, ROWS=height, TILE=tile)


@golden.cases([(1, 8), (37, 100), (9, 1024), (5, 3000)], dtypes=["float16", "float32"])
def test_rms_norm_rows(platform, dtype, shape):
    golden.use(platform)
    x, w = golden.sample(shape, dtype, seed=1), golden.sample(shape[1:], dtype, low=0, high=1, seed=2)
    y = np.empty_like(x)
    rms_norm_launch(x, w, y)
    wide = x.astype(np.float64)
    golden.check(y, wide / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-6) * w)


if __name__ == "__main__":
    golden.main(test_rms_norm_rows, shape=(2048, 1024))
