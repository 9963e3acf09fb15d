"""C = (A B) with A and B in int8: exact sums in int32, then a scale for each row of A and one for each column of B.

The cube core multiplies bytes at twice the rate of halves, and weights take half the memory. quantise.py makes A and its scales;
weights are quantised once, a scale for each column.
"""

import numpy as np

import asc
import asc2
import golden
from matmul import place

TILE_M, TILE_N, TILE_K = 128, 256, 512


@asc2.jit
def quantised_matmul_kernel(a_ptr, b_ptr, row_scale_ptr, column_scale_ptr, c_ptr, m, n, k, group, tile_m: asc.ConstExpr[int],
                            tile_n: asc.ConstExpr[int], tile_k: asc.ConstExpr[int]):
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(b_ptr, [k, n]), asc2.tensor(c_ptr, [m, n])
    row_scale, column_scale = asc2.tensor(row_scale_ptr, [m]), asc2.tensor(column_scale_ptr, [n])
    rows, columns = asc.ceildiv(m, tile_m), asc.ceildiv(n, tile_n)
    for i in asc2.range(asc2.block_idx(), rows * columns, asc2.block_num()):
        row, column = place(i, rows, columns, group)
        row, column = row * tile_m, column * tile_n
        acc = asc2.zeros_acc([tile_m, tile_n], asc.int32)
        for j in asc2.range(asc.ceildiv(k, tile_k)):
            a = asc2.load(a_gm, [tile_m, tile_k], offsets=[row, j * tile_k])
            asc2.matmul_acc(a, asc2.load(b_gm, [tile_k, tile_n], offsets=[j * tile_k, column]), acc)
        by_row = asc2.load(row_scale, [tile_m], offsets=[row]).reshape(tile_m, 1)
        by_column = asc2.load(column_scale, [tile_n], offsets=[column])
        asc2.store((acc.to(asc.float32) * by_row * by_column).to(c_gm.dtype), c_gm, offsets=[row, column])


def quantised_matmul_launch(a, b, row_scale, column_scale, c):
    """a: [m, k] and b: [k, n] of int8; row_scale: [m] and column_scale: [n] of float32; c: [m, n]."""
    (m, k), n = a.shape, b.shape[1]
    tile_m, tile_n = min(TILE_M, golden.round_up(m, 16)), min(TILE_N, golden.round_up(n, 32))
    tile_k = min(TILE_K, golden.round_up(k, 32))
    blocks = min(golden.cube_cores(), asc.ceildiv(m, tile_m) * asc.ceildiv(n, tile_n))
    quantised_matmul_kernel[blocks](a, b, row_scale, column_scale, c, m, n, k, 4, tile_m=tile_m, tile_n=tile_n, tile_k=tile_k)


# Shapes are m x n x k; the dtype is that of the result.
@golden.cases([(1, 1, 1), (127, 129, 65), (7, 300, 31), (200, 48, 1100)])
def test_quantised_matmul(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    random = np.random.default_rng(1)
    a, b = random.integers(-127, 128, (m, k), dtype=np.int8), random.integers(-127, 128, (k, n), dtype=np.int8)
    row_scale = golden.sample((m,), np.float32, low=0.001, high=0.002, seed=2)
    column_scale = golden.sample((n,), np.float32, low=0.001, high=0.002, seed=3)
    c = np.empty((m, n), dtype)
    quantised_matmul_launch(a, b, row_scale, column_scale, c)
    sums = (a.astype(np.int64) @ b.astype(np.int64)).astype(np.float64)
    golden.check(c, sums * row_scale[:, None].astype(np.float64) * column_scale)


if __name__ == "__main__":
    golden.main(test_quantised_matmul, shape=(512, 512, 512))
