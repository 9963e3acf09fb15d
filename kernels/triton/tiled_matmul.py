"""C = A B with pointers that the loop moves, rows and columns that wrap around, and programs in groups that share what they read."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden



@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, m, n, k, a_pitch, b_pitch, c_pitch, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
                  TILE_K: tl.constexpr, GROUP: tl.constexpr):
    program, columns = tl.program_id(0), tl.cdiv(n, TILE_N)
    group = program // (GROUP * columns)
    height = min(tl.cdiv(m, TILE_M) - group * GROUP, GROUP)
    i = group * GROUP + program % (GROUP * columns) % height
    j = program % (GROUP * columns) // height
    row = (i * TILE_M + tl.arange(0, TILE_M)) % m
    column = (j * TILE_N + tl.arange(0, TILE_N)) % n
    inner = tl.arange(0, TILE_K)
    a_ptrs = a_ptr + row[:, None] * a_pitch + inner[None, :]
    b_ptrs = b_ptr + inner[:, None] * b_pitch + column[None, :]
    acc = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, TILE_K)):
        a = tl.load(a_ptrs, mask=inner[None, :] < k - step * TILE_K, other=0.0)
        b = tl.load(b_ptrs, mask=inner[:, None] < k - step * TILE_K, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += TILE_K
        b_ptrs += TILE_K * b_pitch
    row = i * TILE_M + tl.arange(0, TILE_M)
    column = j * TILE_N + tl.arange(0, TILE_N)
    tl.store(c_ptr + row[:, None] * c_pitch + column[None, :], acc, mask=(row[:, None] < m) & (column[None, :] < n))


def matmul_launch(a, b, c):
    (m, k), n = a.shape, b.shape[1]
    grid = lambda meta: (triton.cdiv(m, meta["TILE_M"]) * triton.cdiv(n, meta["TILE_N"]),)
    matmul_kernel[grid](a, b, c, m, n, k, k, n, n, TILE_M=64, TILE_N=64, TILE_K=64, GROUP=8)


# Shapes are m x n x k.
@golden.cases([(16, 16, 16), (100, 70, 50), (129, 257, 64)], dtypes=["float16"])
def test_tiled_matmul(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    a, b = golden.sample((m, k), dtype, low=0, high=1, seed=1), golden.sample((k, n), dtype, low=0, high=1, seed=2)
    c = np.empty((m, n), np.float32)
    matmul_launch(a, b, c)
    golden.check(c, a.astype(np.float64) @ b.astype(np.float64))


if __name__ == "__main__":
    golden.main(test_tiled_matmul, shape=(512, 512, 512))
