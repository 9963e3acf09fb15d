"""C = A B with as many programs as cores: each goes through tiles, in groups that share what they read."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def persistent_matmul_kernel(a_ptr, b_ptr, c_ptr, m, n, k, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, GROUP: tl.constexpr):
    rows, columns = tl.cdiv(m, TILE_M), tl.cdiv(n, TILE_N)
    for tile in range(tl.program_id(0), rows * columns, tl.num_programs(0)):
        group = tile // (GROUP * columns)
        height = min(rows - group * GROUP, GROUP)
        top = (group * GROUP + tile % (GROUP * columns) % height) * TILE_M
        left = tile % (GROUP * columns) // height * TILE_N
        acc = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
        for inner in range(0, k, TILE_K):
            a = tl.make_block_ptr(a_ptr, (m, k), (k, 1), (top, inner), (TILE_M, TILE_K), (1, 0))
            b = tl.make_block_ptr(b_ptr, (k, n), (n, 1), (inner, left), (TILE_K, TILE_N), (1, 0))
            acc = tl.dot(tl.load(a, boundary_check=(0, 1)), tl.load(b, boundary_check=(0, 1)), acc)
        c = tl.make_block_ptr(c_ptr, (m, n), (n, 1), (top, left), (TILE_M, TILE_N), (1, 0))
        tl.store(c, acc, boundary_check=(0, 1))


def persistent_matmul_launch(a, b, c):
    (m, k), n = a.shape, b.shape[1]
    tiles = triton.cdiv(m, 128) * triton.cdiv(n, 256)
    programs = min(tiles, golden.cube_cores())
    persistent_matmul_kernel[(programs,)](a, b, c, m, n, k, TILE_M=128, TILE_N=256, TILE_K=256, GROUP=4)


# Shapes are m x n x k.
@golden.cases([(16, 16, 16), (100, 70, 50), (257, 513, 300)], dtypes=["float16"])
def test_persistent_matmul(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    a, b = golden.sample((m, k), dtype, low=0, high=1, seed=1), golden.sample((k, n), dtype, low=0, high=1, seed=2)
    c = np.empty((m, n), np.float32)
    persistent_matmul_launch(a, b, c)
    golden.check(c, a.astype(np.float64) @ b.astype(np.float64))


if __name__ == "__main__":
    golden.main(test_persistent_matmul, shape=(1024, 1024, 1024))
