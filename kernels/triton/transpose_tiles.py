"""The transpose of a matrix, tile by tile."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def transpose_kernel(x_ptr, y_ptr, m, n, TILE: tl.constexpr):
    row, column = tl.program_id(0) * TILE + tl.arange(0, TILE), tl.program_id(1) * TILE + tl.arange(0, TILE)
    x = tl.load(x_ptr + row[:, None] * n + column[None, :], mask=(row[:, None] < m) & (column[None, :] < n))
    tl.store(y_ptr + column[:, None] * m + row[None, :], tl.trans(x), mask=(column[:, None] < n) & (row[None, :] < m))


def transpose_launch(x, y):
    m, n = x.shape
    transpose_kernel[(triton.cdiv(m, 64), triton.cdiv(n, 64))](x, y, m, n, TILE=64)


@golden.cases([(1, 9), (64, 64), (100, 70)], dtypes=["float32", "float16"])
def test_transpose_tiles(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype)
    y = np.empty(shape[::-1], dtype)
    transpose_launch(x, y)
    golden.check(y, x.T)


if __name__ == "__main__":
    golden.main(test_transpose_tiles, shape=(1024, 1024))
