"""The numbers 0, 1, 2, ... as a tile: what other languages call arange.

The language has no function for it. Here the seven digits of the first 128 numbers are put down through masks of bits, and
then doubled: a tile of 4096 takes 12 additions, once for each block. `positions` is meant to be called from other kernels.
"""

import numpy as np

import asc
import asc2
import golden

# Where, in 128 elements, bit b of the index is set: as asc2.mask takes it, the high and the low 64 of 128 bits.
LOW = [sum((i >> b & 1) << i for i in range(64)) for b in range(7)]
HIGH = [sum((i >> b & 1) << i - 64 for i in range(64, 128)) for b in range(7)]


@asc2.jit
def positions(count: asc.ConstExpr[int]):
    """A tile [count] of int32: 0, 1, ..., count - 1. The count is 128 or a larger power of two."""
    asc.static_assert(count >= 128 and count & (count - 1) == 0, "positions: the count is a power of two, at least 128")
    x = asc2.zeros([1, 128], asc.int32)
    for b in asc.static_range(7):
        digit = asc2.zeros([1, 128], asc.int32)
        with asc2.mask(bits=(HIGH[b], LOW[b])):  # elsewhere it stays 0
            digit = digit + (1 << b)
        x = x + digit
    for i in asc.static_range(count.bit_length() - 8):
        x = asc2.concat(x, x + (128 << i))
    return x.reshape(count)


@asc2.jit
def arange_kernel(y_ptr, size, start, step, tile: asc.ConstExpr[int]):
    y_gm = asc2.tensor(y_ptr, [size])
    ramp = positions(tile)
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(y_gm, 0, [tile]), asc2.block_num()):
        asc2.store((ramp + i * tile) * step + start, y_gm, tile_id=[i])


def arange_launch(y, start=0, step=1):
    """y: an array of int32."""
    tile = 1024
    arange_kernel[min(golden.vector_cores(), asc.ceildiv(y.shape[0], tile))](y, y.shape[0], start, step, tile=tile)


@golden.cases([(1,), (127,), (1024,), (10007,)], dtypes=["int32"])
def test_arange(platform, dtype, shape):
    golden.use(platform)
    y = np.empty(shape, dtype)
    arange_launch(y, start=-5, step=3)
    golden.check(y, np.arange(-5, -5 + 3 * shape[0], 3))


if __name__ == "__main__":
    golden.main(test_arange, shape=(100_000,))
