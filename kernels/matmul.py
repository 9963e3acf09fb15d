"""C = A B on the cube cores: float16 inputs, float32 result, any shape."""

import numpy as np

import asc
import asc2
import golden

# A 128 x 64 and a 64 x 128 tile take 16 KiB each of L0A and L0B, the accumulator 64 KiB of L0C: everything fits twice,
# so that loads, products and stores of neighbouring tiles overlap.
TILE_M, TILE_N, TILE_K = 128, 128, 64


@asc2.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, m, n, k, tile_m: asc.ConstExpr[int], tile_n: asc.ConstExpr[int],
                  tile_k: asc.ConstExpr[int]):
    a_gm = asc2.tensor(a_ptr, [m, k])
    b_gm = asc2.tensor(b_ptr, [k, n])
    c_gm = asc2.tensor(c_ptr, [m, n])
    columns = asc.ceildiv(n, tile_n)
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tile_m) * columns, asc2.block_num()):
        row, column = i // columns, i % columns
        acc = asc2.zeros_acc([tile_m, tile_n], asc.float32)
        for j in asc2.range(asc.ceildiv(k, tile_k)):
            # Tails in k are padded with zeros and add nothing; tails in m and n are dropped by the store.
            a = asc2.load(a_gm, [tile_m, tile_k], tile_id=[row, j], location=asc2.TileLocation.L0A)
            b = asc2.load(b_gm, [tile_k, tile_n], tile_id=[j, column], location=asc2.TileLocation.L0B)
            asc2.matmul_acc(a, b, acc)
        asc2.store(acc, c_gm, tile_id=[row, column])


def matmul_launch(a, b, c):
    (m, k), n = a.shape, b.shape[1]
    # Small matrices get smaller tiles (the cube works on 16 x 16 pieces), so that no time goes into padding.
    tile_m, tile_n = min(TILE_M, golden.round_up(m, 16)), min(TILE_N, golden.round_up(n, 16))
    tiles = asc.ceildiv(m, tile_m) * asc.ceildiv(n, tile_n)
    matmul_kernel[min(golden.cube_cores(), tiles)](a, b, c, m, n, k, tile_m=tile_m, tile_n=tile_n, tile_k=TILE_K)


# Shapes are m x n x k.
@golden.cases([(1, 1, 1), (16, 16, 16), (127, 129, 65), (128, 128, 64), (7, 300, 31), (257, 17, 1000), (512, 512, 512),
               (640, 641, 129)], dtypes=["float16"])
def test_matmul(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    # Positive values: where products cancel, no float32 accumulation, BLAS included, can meet a relative bound.
    a, b = golden.sample((m, k), dtype, low=0, high=1, seed=1), golden.sample((k, n), dtype, low=0, high=1, seed=2)
    c = np.empty((m, n), np.float32)
    matmul_launch(a, b, c)
    golden.check(c, a.astype(np.float64) @ b.astype(np.float64))


if __name__ == "__main__":
    golden.main(test_matmul, shape=(512, 512, 512))
