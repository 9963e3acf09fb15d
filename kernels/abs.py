"""y = |x|, element by element, for any number of elements."""

import math

import numpy as np

import asc
import asc2
import golden

TILE = 4096  # elements of one tile


@asc2.jit
def abs_kernel(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    # Block b takes the tiles b, b + blocks, b + 2 blocks ... The last tile may be partial: the load pads it and the
    # store drops what lies outside. A block that finds no tile does nothing.
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        x = asc2.load(x_gm, [tile], tile_id=[i]).to(asc.float32)
        asc2.store(asc2.abs(x).to(y_gm.dtype), y_gm, tile_id=[i])


def abs_launch(x, y):
    size = math.prod(x.shape)
    if size:
        abs_kernel[min(golden.vector_cores(), asc.ceildiv(size, TILE))](x, y, size, tile=TILE)


@golden.cases(golden.FLAT_SHAPES)
def test_abs(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype)
    y = np.empty_like(x)
    abs_launch(x, y)
    golden.check(y, np.abs(x.astype(np.float64)))


if __name__ == "__main__":
    golden.main(test_abs, shape=(1 << 20,))
