"""y = x where x >= 0, alpha x elsewhere. alpha is a run-time argument: one compilation serves every slope."""

import math

import numpy as np

import asc
import asc2
import golden

TILE = 4096  # elements of one tile


@asc2.jit
def leaky_relu_kernel(x_ptr, y_ptr, alpha, size, tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        x = asc2.load(x_gm, [tile], tile_id=[i]).to(asc.float32)
        y = asc2.where(x >= 0, x, x * alpha)  # a maximum would be wrong for alpha > 1
        asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i])


def leaky_relu_launch(x, y, alpha):
    """alpha: a Python float, a numpy scalar or a 0-dim torch tensor."""
    size = math.prod(x.shape)
    if size:
        cores = min(golden.vector_cores(), asc.ceildiv(size, TILE))
        leaky_relu_kernel[cores](x, y, alpha, size, tile=TILE)


@golden.cases(golden.FLAT_SHAPES)
def test_leaky_relu(platform, dtype, shape, alpha=0.01):
    golden.use(platform)
    x = golden.sample(shape, dtype)
    y = np.empty_like(x)
    leaky_relu_launch(x, y, alpha)
    wide = x.astype(np.float64)
    golden.check(y, np.where(wide >= 0, wide, wide * alpha))


if __name__ == "__main__":
    golden.main(test_leaky_relu, shape=(1 << 20,))
