"""C = A B with block pointers, which know where the arrays end."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden



@triton.jit
def block_matmul_kernel(a_ptr, b_ptr, c_ptr, m, n, k, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    top, left = tl.program_id(0) * TILE_M, tl.program_id(1) * TILE_N
    a_block = tl.make_block_ptr(a_ptr, (m, k), (k, 1), (top, 0), (TILE_M, TILE_K), (1, 0))
    b_block = tl.make_block_ptr(b_ptr, (k, n), (n, 1), (0, left), (TILE_K, TILE_N), (1, 0))
    acc = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for _ in range(0, k, TILE_K):
        acc += tl.dot(tl.load(a_block, boundary_check=(0, 1)), tl.load(b_block, boundary_check=(0, 1)))
        a_block = tl.advance(a_block, (0, TILE_K))
        b_block = tl.advance(b_block, (TILE_K, 0))
    c_block = tl.make_block_ptr(c_ptr, (m, n), (n, 1), (top, left), (TILE_M, TILE_N), (1, 0))
    tl.store(c_block, acc, boundary_check=(0, 1))


def block_matmul_launch(a, b, c):
    (m, k), n = a.shape, b.shape[1]
    block_matmul_kernel[(triton.cdiv(m, 128), triton.cdiv(n, 128))](a, b, c, m, n, k, TILE_M=128, TILE_N=128, TILE_K=64)


# Shapes are m x n x k.
@golden.cases([(16, 16, 16), (100, 70, 50), (129, 257, 200)], dtypes=["float16"])
def test_block_matmul(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    a, b = golden.sample((m, k), dtype, low=0, high=1, seed=1), golden.sample((k, n), dtype, low=0, high=1, seed=2)
    c = np.empty((m, n), np.float32)
    block_matmul_launch(a, b, c)
    golden.check(c, a.astype(np.float64) @ b.astype(np.float64))


if __name__ == "__main__":
    golden.main(test_block_matmul, shape=(512, 512, 512))
