"""Cross entropy of each row of logits: loss = log(sum(exp(x))) - x[target], and 0 for rows whose target is not a class.

Rows are streamed in chunks with a running maximum and the sum that belongs to it, so any number of classes will do. With
many short rows in a tile the logit of the target is found by comparing positions: exactly one column of a row is its target.
With one long row, reading that one element from global memory costs less.
"""

import numpy as np

import asc
import asc2
import golden
from positions import positions

TILE = 4096  # elements of one tile
LOWEST = float(np.finfo(np.float32).min)


@asc2.jit
def cross_entropy_kernel(x_ptr, target_ptr, loss_ptr, rows, cols, tile_rows: asc.ConstExpr[int], tile_cols: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    target_gm = asc2.tensor(target_ptr, [rows])
    loss_gm = asc2.tensor(loss_ptr, [rows])
    shape, column = [tile_rows, tile_cols], [tile_rows, 1]
    numbers = asc2.zeros([1, tile_cols], asc.float32)
    if tile_rows > 1:
        numbers = positions(tile_cols).to(asc.float32).reshape(1, tile_cols)
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile_rows), asc2.block_num()):
        target = asc2.load(target_gm, [tile_rows], tile_id=[i], pad_value=-1).to(asc.float32).reshape(column)
        top = asc2.full(column, LOWEST, asc.float32)  # not -inf, as in softmax.py
        total = asc2.zeros(column, asc.float32)
        picked = asc2.zeros(column, asc.float32)
        if tile_rows == 1:
            at = min(max(asc2.load(target_gm, offsets=[i]), 0), cols - 1)
            picked = picked + asc2.load(x_gm, offsets=[i, at])
        for c in asc2.range(asc.ceildiv(cols, tile_cols)):
            x = asc2.load(x_gm, shape, tile_id=[i, c], pad_value=float("-inf")).to(asc.float32)
            new_top = asc2.maximum(top, asc2.reduce_max(x, 1, keep_dims=True))
            e = asc2.exp(x - new_top.broadcast_to(shape))
            total = total * asc2.exp(top - new_top) + asc2.reduce_sum(e, 1, keep_dims=True)
            top = new_top
            if tile_rows > 1:
                here = numbers.broadcast_to(shape) == (target - c * tile_cols).broadcast_to(shape)
                picked = picked + asc2.reduce_sum(asc2.where(here, x, 0.0), 1, keep_dims=True)
        loss = asc2.log(total) + top - picked
        is_class = (target >= 0.0) & (target < cols)  # as float32, exact up to 16 million classes
        asc2.store(asc2.where(is_class, loss, 0.0).reshape(tile_rows), loss_gm, tile_id=[i])


def cross_entropy_launch(x, target, loss):
    """x: [rows, classes]; target: [rows] of int32, a negative one is ignored; loss: [rows] of float32."""
    rows, cols = x.shape
    cores = golden.vector_cores()
    tile_cols = min(TILE, max(128, 1 << (cols - 1).bit_length()))
    # Losses leave a block as rows of 32 bytes: 8 of them at a time, if there are as many.
    tile_rows = max(1, min(TILE // tile_cols, golden.round_up(asc.ceildiv(rows, cores), 8)))
    cross_entropy_kernel[min(cores, asc.ceildiv(rows, tile_rows))](x, target, loss, rows, cols, tile_rows=tile_rows,
                                                                   tile_cols=tile_cols)


@golden.cases([(1, 1), (3, 50), (97, 4096), (2, 10007)])
def test_cross_entropy(platform, dtype, shape):
    golden.use(platform)
    rows, cols = shape
    x, loss = golden.sample(shape, dtype, low=-8, high=8), np.empty(rows, np.float32)
    target = np.random.default_rng(1).integers(0, cols, rows).astype(np.int32)
    target[1::5] = -100  # ignored
    target[-1] = cols - 1
    cross_entropy_launch(x, target, loss)
    wide = x.astype(np.float64)
    top = wide.max(axis=1)
    expected = np.log(np.exp(wide - top[:, None]).sum(axis=1)) + top - wide[np.arange(rows), target.clip(0)]
    golden.check(loss, np.where(target < 0, 0, expected))


if __name__ == "__main__":
    golden.main(test_cross_entropy, shape=(1024, 32000))
