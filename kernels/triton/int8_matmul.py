"""C = A B of 8-bit integers, with a scale for each row of A and each column of B."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def int8_matmul_kernel(a_ptr, b_ptr, row_scale_ptr, column_scale_ptr, c_ptr, m, n, k, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
                       TILE_K: tl.constexpr):
    row, column = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M), tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    acc = tl.zeros((TILE_M, TILE_N), tl.int32)
    for first in range(0, k, TILE_K):
        inner = first + tl.arange(0, TILE_K)
        a = tl.load(a_ptr + row[:, None] * k + inner[None, :], mask=(row[:, None] < m) & (inner[None, :] < k), other=0)
        b = tl.load(b_ptr + inner[:, None] * n + column[None, :], mask=(inner[:, None] < k) & (column[None, :] < n), other=0)
        acc += tl.dot(a, b)
    by_row = tl.load(row_scale_ptr + row, mask=row < m, other=0.0)
    by_column = tl.load(column_scale_ptr + column, mask=column < n, other=0.0)
    c = acc.to(tl.float32) * by_row[:, None] * by_column[None, :]
    tl.store(c_ptr + row[:, None] * n + column[None, :], c, mask=(row[:, None] < m) & (column[None, :] < n))


def int8_matmul_launch(a, b, row_scale, column_scale, c):
    (m, k), n = a.shape, b.shape[1]
    grid = (triton.cdiv(m, 64), triton.cdiv(n, 64))
    int8_matmul_kernel[grid](a, b, row_scale, column_scale, c, m, n, k, TILE_M=64, TILE_N=64, TILE_K=128)


# Shapes are m x n x k.
@golden.cases([(16, 32, 32), (70, 64, 200)], dtypes=["float32"])
def test_int8_matmul(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    random = np.random.default_rng(1)
    a, b = random.integers(-128, 128, (m, k), dtype=np.int8), random.integers(-128, 128, (k, n), dtype=np.int8)
    rows, columns = golden.sample((m,), dtype, low=0.01, high=0.02, seed=2), golden.sample((n,), dtype, low=0.01, high=0.02, seed=3)
    c = np.empty((m, n), dtype)
    int8_matmul_launch(a, b, rows, columns, c)
    wide = a.astype(np.int64) @ b.astype(np.int64)
    golden.check(c, wide * rows.astype(np.float64)[:, None] * columns.astype(np.float64)[None, :])


if __name__ == "__main__":
    golden.main(test_int8_matmul, shape=(256, 256, 512))
