"""z = x + y, element by element, for any number of elements."""

import math

import numpy as np

import asc
import asc2
import golden


@asc2.jit
def add_kernel(x_ptr, y_ptr, z_ptr, size, tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    z_gm = asc2.tensor(z_ptr, [size])
    # Each block has tiles that follow each other: what is next in memory is what is wanted next, on the chip and on the host.
    tiles = asc2.num_tiles(x_gm, 0, [tile])
    block = asc2.block_idx()
    for i in asc2.range(golden.first_tile(tiles, 0, block), golden.first_tile(tiles, 0, block + 1)):
        x = asc2.load(x_gm, [tile], tile_id=[i])
        y = asc2.load(y_gm, [tile], tile_id=[i])
        asc2.store(x + y, z_gm, tile_id=[i])


def add_launch(x, y, z):
    size = math.prod(x.shape)
    if size:
        tile = 2 * golden.STREAM // x.itemsize
        add_kernel[min(golden.vector_cores(), asc.ceildiv(size, tile))](x, y, z, size, tile=tile)


@golden.cases(golden.FLAT_SHAPES)
def test_add(platform, dtype, shape):
    golden.use(platform)
    x, y = golden.sample(shape, dtype, seed=1), golden.sample(shape, dtype, seed=2)
    z = np.empty_like(x)
    add_launch(x, y, z)
    golden.check(z, x.astype(np.float64) + y.astype(np.float64))


if __name__ == "__main__":
    golden.main(test_add, shape=(1 << 20,))
