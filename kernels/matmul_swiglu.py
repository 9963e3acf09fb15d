"""C = silu(A W_gate) * (A W_up): the first half of a gated feed-forward layer, two products and their epilogue in one kernel.

The weights lie side by side, W = [W_gate | W_up], as models keep them. Both products read the same tile of A once; their results meet
on the vector cores, so neither is ever stored.
"""

import numpy as np

import asc
import asc2
import golden
from matmul import place
from swiglu import silu

TILE_M, TILE_N, TILE_K = 128, 128, 256  # two results of 128 x 128 are what L0C of the 910B holds


@asc2.jit
def matmul_swiglu_kernel(a_ptr, w_ptr, c_ptr, m, n, k, group, tile_m: asc.ConstExpr[int], tile_n: asc.ConstExpr[int],
                         tile_k: asc.ConstExpr[int]):
    a_gm, w_gm, c_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(w_ptr, [k, 2 * n]), asc2.tensor(c_ptr, [m, n])
    rows, columns = asc.ceildiv(m, tile_m), asc.ceildiv(n, tile_n)
    for i in asc2.range(asc2.block_idx(), rows * columns, asc2.block_num()):
        row, column = place(i, rows, columns, group)
        row, column = row * tile_m, column * tile_n
        gate, up = asc2.zeros_acc([tile_m, tile_n], asc.float32), asc2.zeros_acc([tile_m, tile_n], asc.float32)
        for j in asc2.range(asc.ceildiv(k, tile_k)):
            a = asc2.load(a_gm, [tile_m, tile_k], offsets=[row, j * tile_k])
            # The last tile of gate reaches into up; those columns are beyond the end of C, and the store drops them.
            asc2.matmul_acc(a, asc2.load(w_gm, [tile_k, tile_n], offsets=[j * tile_k, column]), gate)
            asc2.matmul_acc(a, asc2.load(w_gm, [tile_k, tile_n], offsets=[j * tile_k, n + column]), up)
        asc2.store((silu(gate + 0.0) * up).to(c_gm.dtype), c_gm, offsets=[row, column])


def matmul_swiglu_launch(a, w, c):
    """a: [m, k]; w: [k, 2 n]; c: [m, n]."""
    (m, k), n = a.shape, c.shape[1]
    tile_m, tile_n = min(TILE_M, golden.round_up(m, 16)), min(TILE_N, golden.round_up(n, 16))
    tile_k = min(TILE_K * 2 // a.itemsize, golden.round_up(k, 16))
    blocks = min(golden.cube_cores(), asc.ceildiv(m, tile_m) * asc.ceildiv(n, tile_n))
    matmul_swiglu_kernel[blocks](a, w, c, m, n, k, 4, tile_m=tile_m, tile_n=tile_n, tile_k=tile_k)


# Shapes are m x n x k.
@golden.cases([(1, 1, 1), (127, 129, 65), (7, 300, 31), (200, 64, 600)], dtypes=["float16", "float32"])
def test_matmul_swiglu(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    # Positive values: where products cancel, no float32 accumulation can meet a relative bound.
    a, w = golden.sample((m, k), dtype, low=0, high=1, seed=1), golden.sample((k, 2 * n), dtype, low=0, high=4 / k, seed=2)
    c = np.empty((m, n), dtype)
    matmul_swiglu_launch(a, w, c)
    gate, up = np.split(a.astype(np.float64) @ w.astype(np.float64), 2, axis=1)
    golden.check(c, gate / (1 + np.exp(-gate)) * up)


if __name__ == "__main__":
    golden.main(test_matmul_swiglu, shape=(512, 512, 512))
