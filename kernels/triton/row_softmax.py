"""Softmax of each row: programs go through groups of rows in steps, so that as many run as there are cores."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden



SPAN = 8192  # elements of a tile


@triton.jit
def softmax_kernel(y_ptr, x_ptr, x_pitch, y_pitch, rows, columns, GROUP: tl.constexpr, TILE: tl.constexpr):
    column = tl.arange(0, TILE)[None, :]
    for first in tl.range(tl.program_id(0) * GROUP, rows, tl.num_programs(0) * GROUP):
        row = first + tl.arange(0, GROUP)[:, None]
        mask = (row < rows) & (column < columns)
        x = tl.load(x_ptr + row * x_pitch + column, mask=mask, other=-float("inf")).to(tl.float32)
        e = tl.exp(x - tl.max(x, axis=1, keep_dims=True))
        tl.store(y_ptr + row * y_pitch + column, e / tl.sum(e, axis=1, keep_dims=True), mask=mask)


def softmax_launch(x, y):
    rows, columns = x.shape
    tile = triton.next_power_of_2(columns)
    group = max(min(SPAN // tile, triton.cdiv(rows, golden.vector_cores())), 1)
    programs = min(triton.cdiv(rows, group), golden.vector_cores())
    softmax_kernel[(programs,)](y, x, columns, columns, rows, columns, GROUP=group, TILE=tile)


@golden.cases([(1, 1), (3, 100), (129, 781), (50, 2048)], dtypes=["float32", "float16"])
def test_row_softmax(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype, low=-5, high=5)
    y = np.empty_like(x)
    softmax_launch(x, y)
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    golden.check(y, e / e.sum(1, keepdims=True))


if __name__ == "__main__":
    golden.main(test_row_softmax, shape=(1823, 781))
