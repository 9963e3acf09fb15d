"""y = x transposed, for a matrix of any shape.

A tile is turned on chip and stored at the mirrored place. Halves are turned by an instruction in squares of 16 x 16; floats gather
their elements, by positions that are computed once for all tiles.
"""

import numpy as np

import asc
import asc2
import golden


@asc2.jit
def transpose_kernel(x_ptr, y_ptr, rows, cols, tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    y_gm = asc2.tensor(y_ptr, [cols, rows])
    across = asc.ceildiv(cols, tile)
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile) * across, asc2.block_num()):
        row, col = i // across, i % across
        asc2.store(asc2.load(x_gm, [tile, tile], tile_id=[row, col]).T, y_gm, tile_id=[col, row])


def transpose_launch(x, y):
    rows, cols = x.shape
    tile = 128 if x.itemsize < 4 else 64
    tiles = asc.ceildiv(rows, tile) * asc.ceildiv(cols, tile)
    transpose_kernel[min(golden.vector_cores(), tiles)](x, y, rows, cols, tile=tile)


@golden.cases([(1, 1), (1, 7), (5, 1), (3, 50), (64, 64), (128, 128), (129, 127), (31, 500), (300, 257)])
def test_transpose(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype)
    y = np.empty(shape[::-1], dtype)
    transpose_launch(x, y)
    golden.check(y, x.T.astype(np.float64))


if __name__ == "__main__":
    golden.main(test_transpose, shape=(2048, 2048))
