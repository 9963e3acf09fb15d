"""The position of the largest element of each row, the first of equal ones: greedy sampling over a vocabulary.

Rows longer than a tile are streamed once. A chunk takes over where its best is better than the best so far, so the first of equal
elements stays; a NaN is better than any number, as in NumPy.
"""

import numpy as np

import asc
import asc2
import golden

TILE = 4096  # elements of one tile
MINUS_INF = float("-inf")


@asc2.jit
def argmax_kernel(x_ptr, y_ptr, rows, cols, tile_rows: asc.ConstExpr[int], tile_cols: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    y_gm = asc2.tensor(y_ptr, [rows])
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile_rows), asc2.block_num()):
        best = asc2.full([tile_rows], MINUS_INF, asc.float32)
        place = asc2.zeros([tile_rows], asc.int32)
        for c in asc2.range(asc.ceildiv(cols, tile_cols)):
            # Beyond the end of a row nothing is better than what is there.
            x = asc2.load(x_gm, [tile_rows, tile_cols], tile_id=[i, c], pad_value=MINUS_INF)
            top = asc2.reduce_max(x, 1).to(asc.float32)
            is_better = (top > best) | ((top != top) & (best == best))
            place = asc2.where(is_better, x.argmax(1) + c * tile_cols, place)
            best = asc2.where(is_better, top, best)
        asc2.store(place, y_gm, tile_id=[i])


def argmax_launch(x, y):
    rows, cols = x.shape
    cores = golden.vector_cores()
    tile_cols = min(golden.round_up(cols, 64), TILE)
    tile_rows = max(1, min(TILE // tile_cols, asc.ceildiv(rows, cores)))
    argmax_kernel[min(cores, asc.ceildiv(rows, tile_rows))](x, y, rows, cols, tile_rows=tile_rows, tile_cols=tile_cols)


@golden.cases(golden.ROW_SHAPES + [(3, 4097), (2, 10007)])
def test_argmax(platform, dtype, shape):
    golden.use(platform)
    x = np.round(golden.sample(shape, dtype) * 8)  # many equal elements
    if shape[1] > 20:
        x[0, 13] = np.nan
    y = np.full(shape[0], -1, np.int32)
    argmax_launch(x, y)
    golden.check(y, x.argmax(axis=1))


if __name__ == "__main__":
    golden.main(test_argmax, shape=(64, 32000))
