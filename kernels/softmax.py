"""Softmax over the last dimension of a matrix.

Rows that fit on chip are handled many at a time, each element read once. Longer rows are streamed twice in chunks:
first a running maximum and the sum that belongs to it, then the result.
"""

import numpy as np

import asc
import asc2
import golden

TILE = 4096  # the longest row that is kept whole, and the elements of a chunk of a longer one
MINUS_INF = float("-inf")
LOWEST = float(np.finfo(np.float32).min)


@asc2.jit
def softmax_kernel(x_ptr, y_ptr, rows, cols, tile_rows: asc.ConstExpr[int], tile_cols: asc.ConstExpr[int],
                   part: asc.ConstExpr[int] = 1, lead=0):
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    y_gm = asc2.tensor(y_ptr, [rows, cols])
    tiles, block = asc.ceildiv(rows, tile_rows), asc2.block_idx()
    for i in asc2.range(golden.first_tile(tiles, lead, block), golden.first_tile(tiles, lead, block + 1)):
        # Columns beyond the row's end must not win the maximum and must add nothing to the sum: exp(-inf) is 0.
        x = asc2.load(x_gm, [tile_rows, tile_cols], tile_id=[i, 0], pad_value=MINUS_INF)
        top = asc2.reduce_max(x, 1, keep_dims=True)
        # In half precision this takes half as long; the difference is rounded no more than x itself was.
        below = x - top.broadcast_to(tile_rows, tile_cols)
        e = asc2.exp(below.to(asc.float32))
        # Each row in parts, which are short rows: instructions sum many of these at a time.
        parts = asc2.reshape(asc2.reduce_sum(asc2.reshape(e, tile_rows * part, tile_cols // part), 1), tile_rows, part)
        total = asc2.reduce_sum(parts, 1, keep_dims=True)
        if y_gm.dtype == asc.float16:  # the powers and the scale, 1 / cols at least, are in its range
            e, scale = e.to(asc.float16), asc2.reciprocal(total).to(asc.float16)
        else:
            scale = 1.0 / total  # one divide a row
        y = e * scale.broadcast_to(tile_rows, tile_cols)
        asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i, 0])


@asc2.jit
def softmax_split_kernel(x_ptr, y_ptr, rows, cols, tile_cols: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    y_gm = asc2.tensor(y_ptr, [rows, cols])
    chunks = asc.ceildiv(cols, tile_cols)
    for row in asc2.range(asc2.block_idx(), rows, asc2.block_num()):
        # Not -inf: a first chunk that is all -inf (masked) would make exp(-inf - -inf), which is no number.
        top = asc2.full([1, 1], LOWEST, asc.float32)
        total = asc2.zeros([1, 1], asc.float32)
        for c in asc2.range(chunks):
            x = asc2.load(x_gm, [1, tile_cols], tile_id=[row, c], pad_value=MINUS_INF).to(asc.float32)
            new_top = asc2.maximum(top, asc2.reduce_max(x, 1, keep_dims=True))
            e = asc2.exp(x - new_top.broadcast_to(1, tile_cols))
            # What was summed so far was relative to the old maximum.
            total = total * asc2.exp(top - new_top) + asc2.reduce_sum(e, 1, keep_dims=True)
            top = new_top
        for c in asc2.range(chunks):
            x = asc2.load(x_gm, [1, tile_cols], tile_id=[row, c], pad_value=MINUS_INF).to(asc.float32)
            y = asc2.exp(x - top.broadcast_to(1, tile_cols)) / total.broadcast_to(1, tile_cols)
            asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[row, c])


def softmax_launch(x, y):
    rows, cols = x.shape
    cores = golden.vector_cores()
    if cols > TILE:
        softmax_split_kernel[min(cores, rows)](x, y, rows, cols, tile_cols=TILE)
        return
    tile_cols = golden.round_up(cols, 64)
    tile_rows = golden.tile_rows(x, tile_cols, 11 if x.itemsize < 4 else 16)
    part = 1 if golden.memory_decides() else tile_cols // 64
    tiles = asc.ceildiv(rows, tile_rows)
    lead = golden.lead(tiles, tile_rows * cols * x.itemsize)
    softmax_kernel[min(cores, tiles)](x, y, rows, cols, tile_rows=tile_rows, tile_cols=tile_cols, part=part, lead=lead)


@golden.cases(golden.ROW_SHAPES + [(3, 4097), (2, 10007)])
def test_softmax(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype)
    y = np.empty_like(x)
    softmax_launch(x, y)
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    golden.check(y, e / e.sum(axis=1, keepdims=True))


if __name__ == "__main__":
    golden.main(test_softmax, shape=(1024, 4096))
