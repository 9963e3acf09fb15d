"""C[i] = A[i] B[i]: the last axis of the grid counts the batch."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def batched_matmul_kernel(a_ptr, b_ptr, c_ptr, m, n, k, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    batch = tl.program_id(2)
    row, column = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M), tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    inner = tl.arange(0, TILE_K)
    a_ptrs = a_ptr + batch * m * k + row[:, None] * k + inner[None, :]
    b_ptrs = b_ptr + batch * k * n + inner[:, None] * n + column[None, :]
    acc = tl.zeros((TILE_M, TILE_N), tl.float32)
    for first in range(0, k, TILE_K):
        a = tl.load(a_ptrs, mask=(row[:, None] < m) & (first + inner[None, :] < k), other=0.0)
        b = tl.load(b_ptrs, mask=(first + inner[:, None] < k) & (column[None, :] < n), other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += TILE_K
        b_ptrs += TILE_K * n
    c_ptrs = c_ptr + batch * m * n + row[:, None] * n + column[None, :]
    tl.store(c_ptrs, acc.to(c_ptr.dtype.element_ty), mask=(row[:, None] < m) & (column[None, :] < n))


def batched_matmul_launch(a, b, c):
    (batch, m, k), n = a.shape, b.shape[2]
    batched_matmul_kernel[(triton.cdiv(m, 64), triton.cdiv(n, 64), batch)](a, b, c, m, n, k, TILE_M=64, TILE_N=64, TILE_K=64)


# Shapes are batch x m x n x k.
@golden.cases([(1, 16, 16, 16), (3, 70, 33, 100)], dtypes=["float16"])
def test_matmul_batches(platform, dtype, shape):
    golden.use(platform)
    batch, m, n, k = shape
    a, b = golden.sample((batch, m, k), dtype, low=0, high=1, seed=1), golden.sample((batch, k, n), dtype, low=0, high=1, seed=2)
    c = np.empty((batch, m, n), dtype)
    batched_matmul_launch(a, b, c)
    golden.check(c, a.astype(np.float64) @ b.astype(np.float64))


if __name__ == "__main__":
    golden.main(test_matmul_batches, shape=(8, 256, 256, 256))
