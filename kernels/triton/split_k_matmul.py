"""C = A B with the inner dimension divided between programs, which add their parts atomically."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def split_k_kernel(a_ptr, b_ptr, c_ptr, m, n, k, span, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    row, column = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M), tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    start = tl.program_id(2) * span
    acc = tl.zeros((TILE_M, TILE_N), tl.float32)
    for first in range(start, min(start + span, k), TILE_K):
        inner = first + tl.arange(0, TILE_K)
        a = tl.load(a_ptr + row[:, None] * k + inner[None, :], mask=(row[:, None] < m) & (inner[None, :] < k), other=0.0)
        b = tl.load(b_ptr + inner[:, None] * n + column[None, :], mask=(inner[:, None] < k) & (column[None, :] < n), other=0.0)
        acc += tl.dot(a, b)
    tl.atomic_add(c_ptr + row[:, None] * n + column[None, :], acc, mask=(row[:, None] < m) & (column[None, :] < n))


def split_k_launch(a, b, c):
    (m, k), n = a.shape, b.shape[1]
    c[:] = 0
    span = triton.cdiv(triton.cdiv(k, 4), 64) * 64
    grid = (triton.cdiv(m, 64), triton.cdiv(n, 64), triton.cdiv(k, span))
    split_k_kernel[grid](a, b, c, m, n, k, span, TILE_M=64, TILE_N=64, TILE_K=64)


# Shapes are m x n x k.
@golden.cases([(16, 16, 16), (70, 100, 500)], dtypes=["float16"])
def test_split_k_matmul(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    a, b = golden.sample((m, k), dtype, low=0, high=1, seed=1), golden.sample((k, n), dtype, low=0, high=1, seed=2)
    c = np.empty((m, n), np.float32)
    split_k_launch(a, b, c)
    golden.check(c, a.astype(np.float64) @ b.astype(np.float64))


if __name__ == "__main__":
    golden.main(test_split_k_matmul, shape=(128, 128, 4096))
