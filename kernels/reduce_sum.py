"""Sums: of each row of a matrix, and of a whole array.

Both accumulate in float32 and round once at the end. The sum of a whole array takes two launches: each block leaves 64
partial sums in global memory, then one block adds them. No atomics: the result is the same in every run.
"""

import math

import numpy as np

import asc
import asc2
import golden

TILE = 4096  # elements of one tile of the sum of an array
ROW_TILE = 32 * 1024  # bytes of one tile of rows
LANES = 64  # partial sums of one block
SHORT = (2, 4, 8, 16, 32)  # columns of rows that fill a vector register together


@asc2.jit
def row_sum_kernel(x_ptr, y_ptr, rows, cols, tile_rows: asc.ConstExpr[int], tile_cols: asc.ConstExpr[int]):
    """y[r] = sum of x[r, :], of rows that fit into a tile."""
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    y_gm = asc2.tensor(y_ptr, [rows])
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile_rows), asc2.block_num()):
        x = asc2.load(x_gm, [tile_rows, tile_cols], tile_id=[i, 0])  # zeros beyond the edges
        total = asc2.reduce_sum(x.to(asc.float32), 1)
        asc2.store(total.to(y_gm.dtype), y_gm, tile_id=[i])


@asc2.jit
def short_row_sum_kernel(x_ptr, y_ptr, rows, cols: asc.ConstExpr[int], tile_rows: asc.ConstExpr[int]):
    """The same of very short rows, which lie side by side in a tile as they do in memory, so that many are summed at once."""
    x_gm = asc2.tensor(x_ptr, [rows * cols])
    y_gm = asc2.tensor(y_ptr, [rows])
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile_rows), asc2.block_num()):
        x = asc2.reshape(asc2.load(x_gm, [tile_rows * cols], tile_id=[i]), tile_rows, cols)
        total = asc2.reduce_sum(x.to(asc.float32), 1)
        asc2.store(total.to(y_gm.dtype), y_gm, tile_id=[i])


@asc2.jit
def long_row_sum_kernel(x_ptr, y_ptr, rows, cols, tile_cols: asc.ConstExpr[int]):
    """The same of rows longer than a tile, added up chunk by chunk."""
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    y_gm = asc2.tensor(y_ptr, [rows])
    for row in asc2.range(asc2.block_idx(), rows, asc2.block_num()):
        total = asc2.zeros([1], asc.float32)
        for c in asc2.range(asc.ceildiv(cols, tile_cols)):
            x = asc2.load(x_gm, [1, tile_cols], tile_id=[row, c])
            total = total + asc2.reduce_sum(x.to(asc.float32), 1)
        asc2.store(total.to(y_gm.dtype), y_gm, tile_id=[row])


@asc2.jit
def partial_sum_kernel(x_ptr, partial_ptr, size, tile: asc.ConstExpr[int], lanes: asc.ConstExpr[int]):
    """partial[b, :]: sums of the tiles of block b, lane by lane."""
    x_gm = asc2.tensor(x_ptr, [size])
    partial_gm = asc2.tensor(partial_ptr, [asc2.block_num() * lanes])
    total = asc2.zeros([tile], asc.float32)
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        total = total + asc2.load(x_gm, [tile], tile_id=[i]).to(asc.float32)
    partial = asc2.reduce_sum(asc2.reshape(total, tile // lanes, lanes), 0)
    asc2.store(partial, partial_gm, tile_id=[asc2.block_idx()])


def row_sum_launch(x, y):
    rows, cols = x.shape
    cores = golden.vector_cores()
    most = ROW_TILE // x.itemsize
    if cols > most:
        long_row_sum_kernel[min(cores, rows)](x, y, rows, cols, tile_cols=most)
        return
    if cols in SHORT:
        tile_rows = max(1, min(most // cols, golden.round_up(asc.ceildiv(rows, cores), 64)))
        short_row_sum_kernel[min(cores, asc.ceildiv(rows, tile_rows))](x, y, rows, cols=cols, tile_rows=tile_rows)
        return
    tile_cols = golden.round_up(cols, 64)
    tile_rows = max(1, min(most // tile_cols, asc.ceildiv(rows, cores)))
    row_sum_kernel[min(cores, asc.ceildiv(rows, tile_rows))](x, y, rows, cols, tile_rows=tile_rows, tile_cols=tile_cols)


def sum_launch(x, y):
    """y: an array of one element."""
    size = math.prod(x.shape)
    cores = min(golden.vector_cores(), asc.ceildiv(size, TILE))
    partial = np.empty((1, cores * LANES), np.float32)
    partial_sum_kernel[cores](x, partial, size, tile=TILE, lanes=LANES)
    row_sum_launch(partial, y)


@golden.cases(golden.ROW_SHAPES + [(3, 10007), (2, 40000), (1000, 16), (100, 32), (999, 8), (5, 4), (3001, 2)])
def test_row_sum(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype, low=-1, high=2)
    y = np.empty(shape[0], dtype)
    row_sum_launch(x, y)
    golden.check(y, x.astype(np.float64).sum(axis=1))


@golden.cases(golden.FLAT_SHAPES)
def test_sum(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype, low=-0.1, high=0.2)  # the sum of the largest shape still fits into float16
    y = np.empty(1, dtype)
    sum_launch(x, y)
    golden.check(y, x.astype(np.float64).sum().reshape(1))


if __name__ == "__main__":
    golden.main(test_row_sum, test_sum, shape=(1024, 1024))
