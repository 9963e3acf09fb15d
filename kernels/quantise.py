"""Dynamic quantisation to int8, a scale for each row: scale = max|x| / 127, q = x / scale rounded to nearest even.

The scales come out as float32; q * scale gives x back, to within half a scale.
"""

import numpy as np

import asc
import asc2
import golden

TILE = 4096  # elements of one tile, and the longest row that is read once
# Between 2^23 and 2^24 the float32 numbers are the whole ones, so an addition rounds to one, to nearest even.
TO_WHOLE = 1.5 * 2.0**23
SMALLEST = 2.0**-100  # the least scale: a row of zeros is divided by it


@asc2.jit
def to_int8(x):
    """Whole numbers nearest to x. Converted as it is, x would be truncated."""
    return (x + TO_WHOLE - TO_WHOLE).to(asc.int8)


@asc2.jit
def quantise_kernel(x_ptr, q_ptr, scale_ptr, rows, cols, tile_rows: asc.ConstExpr[int], tile_cols: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    q_gm = asc2.tensor(q_ptr, [rows, cols])
    scale_gm = asc2.tensor(scale_ptr, [rows])
    shape = [tile_rows, tile_cols]
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile_rows), asc2.block_num()):
        if cols <= tile_cols:
            x = asc2.load(x_gm, shape, tile_id=[i, 0]).to(asc.float32)
            scale = asc2.maximum(asc2.reduce_max(asc2.abs(x), 1, keep_dims=True) / 127.0, SMALLEST)
            asc2.store(to_int8(x / scale.broadcast_to(shape)), q_gm, tile_id=[i, 0])
            asc2.store(scale.reshape(tile_rows), scale_gm, tile_id=[i])
        else:  # read twice: for the scale, for the result
            top = asc2.zeros([tile_rows, 1], asc.float32)
            for c in asc2.range(asc.ceildiv(cols, tile_cols)):
                x = asc2.load(x_gm, shape, tile_id=[i, c]).to(asc.float32)
                top = asc2.maximum(top, asc2.reduce_max(asc2.abs(x), 1, keep_dims=True))
            scale = asc2.maximum(top / 127.0, SMALLEST)
            for c in asc2.range(asc.ceildiv(cols, tile_cols)):
                x = asc2.load(x_gm, shape, tile_id=[i, c]).to(asc.float32)
                asc2.store(to_int8(x / scale.broadcast_to(shape)), q_gm, tile_id=[i, c])
            asc2.store(scale.reshape(tile_rows), scale_gm, tile_id=[i])


def quantise_launch(x, q, scale):
    """x: [rows, cols]; q: the same of int8; scale: [rows] of float32."""
    rows, cols = x.shape
    cores = golden.vector_cores()
    tile_cols = min(TILE, golden.round_up(cols, 64))
    tile_rows = max(1, min(TILE // tile_cols, asc.ceildiv(rows, cores)))
    quantise_kernel[min(cores, asc.ceildiv(rows, tile_rows))](x, q, scale, rows, cols, tile_rows=tile_rows, tile_cols=tile_cols)


@golden.cases([(1, 1), (200, 33), (97, 4096), (2, 10007)])
def test_quantise(platform, dtype, shape):
    golden.use(platform)
    x, q, scale = golden.sample(shape, dtype), np.empty(shape, np.int8), np.empty(shape[0], np.float32)
    x[-1, : shape[1] // 2] = 0
    x[shape[0] // 2] = 0  # a row of zeros
    quantise_launch(x, q, scale)
    # The same operations in the same precision: nothing is left to rounding, and every q must be equal.
    wide = x.astype(np.float32)
    expected = np.maximum(np.abs(wide).max(axis=1) / np.float32(127), np.float32(SMALLEST))
    golden.check(q, np.rint(wide / expected[:, None]))
    golden.check(scale, expected)


if __name__ == "__main__":
    golden.main(test_quantise, shape=(1024, 4096))
