"""C[b] = A[b] B[b] on the cube cores: float16 inputs, float32 result, any shape.

The tiles of all batches are dealt to the cores, so that many small products fill the chip as one large one does.
"""

import numpy as np

import asc
import asc2
import golden

TILE_M, TILE_N, TILE_K = 128, 128, 64  # as in matmul.py


@asc2.jit
def batched_matmul_kernel(a_ptr, b_ptr, c_ptr, batch, m, n, k, tile_m: asc.ConstExpr[int], tile_n: asc.ConstExpr[int],
                          tile_k: asc.ConstExpr[int]):
    # The batch is a dimension of the tensors: a tile that reaches beyond its matrix is padded, not filled from the next one.
    a_gm = asc2.tensor(a_ptr, [batch, m, k])
    b_gm = asc2.tensor(b_ptr, [batch, k, n])
    c_gm = asc2.tensor(c_ptr, [batch, m, n])
    columns = asc.ceildiv(n, tile_n)
    tiles = asc.ceildiv(m, tile_m) * columns
    for i in asc2.range(asc2.block_idx(), batch * tiles, asc2.block_num()):
        matrix, row, column = i // tiles, i % tiles // columns, i % columns
        acc = asc2.zeros_acc([tile_m, tile_n], asc.float32)
        for j in asc2.range(asc.ceildiv(k, tile_k)):
            a = asc2.load(a_gm, [1, tile_m, tile_k], tile_id=[matrix, row, j], location=asc2.TileLocation.L0A)
            b = asc2.load(b_gm, [1, tile_k, tile_n], tile_id=[matrix, j, column], location=asc2.TileLocation.L0B)
            asc2.matmul_acc(a.squeeze(0), b.squeeze(0), acc)
        asc2.store(acc.reshape(1, tile_m, tile_n), c_gm, tile_id=[matrix, row, column])


def batched_matmul_launch(a, b, c):
    (batch, m, k), n = a.shape, b.shape[2]
    tile_m, tile_n = min(TILE_M, golden.round_up(m, 16)), min(TILE_N, golden.round_up(n, 16))
    tiles = batch * asc.ceildiv(m, tile_m) * asc.ceildiv(n, tile_n)
    batched_matmul_kernel[min(golden.cube_cores(), tiles)](a, b, c, batch, m, n, k, tile_m=tile_m, tile_n=tile_n, tile_k=TILE_K)


# Shapes are batch x m x n x k.
@golden.cases([(1, 1, 1, 1), (3, 16, 16, 16), (5, 7, 129, 65), (3, 130, 150, 64)], dtypes=["float16"])
def test_batched_matmul(platform, dtype, shape):
    golden.use(platform)
    batch, m, n, k = shape
    # Positive values, as in matmul.py.
    a, b = golden.sample((batch, m, k), dtype, low=0, high=1, seed=1), golden.sample((batch, k, n), dtype, low=0, high=1, seed=2)
    c = np.empty((batch, m, n), np.float32)
    batched_matmul_launch(a, b, c)
    golden.check(c, a.astype(np.float64) @ b.astype(np.float64))


if __name__ == "__main__":
    golden.main(test_batched_matmul, shape=(16, 256, 256, 256))
