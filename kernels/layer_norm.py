"""Layer normalisation of each row: y = (x - mean) / sqrt(variance + epsilon) * gamma + beta.

Rows that fit on chip are handled many at a time, each element read once. Longer rows are streamed twice: first mean and
variance, chunk by chunk, then the result. The variance is that of the differences from the mean, never mean(x^2) - mean^2,
which loses all digits where the mean is large.
"""

import math

import numpy as np

import asc
import asc2
import golden

TILE = 4096  # the longest row that is kept whole, and the elements of a chunk of a longer one


@asc2.jit
def ones_before(count, width: asc.ConstExpr[int]):
    """A row of ones up to `count`, then zeros: it takes the padding of a row out of a sum."""
    ones = asc2.zeros([1, width], asc.float32)
    with asc2.mask(count=count):
        ones = ones + 1.0
    return ones


@asc2.jit
def layer_norm_kernel(x_ptr, gamma_ptr, beta_ptr, y_ptr, rows, cols, root, added, tile_rows: asc.ConstExpr[int],
                      tile_cols: asc.ConstExpr[int], padded: asc.ConstExpr[bool], lead=0):
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    y_gm = asc2.tensor(y_ptr, [rows, cols])
    shape = [tile_rows, tile_cols]
    gamma = asc2.load(asc2.tensor(gamma_ptr, [1, cols]), [1, tile_cols], tile_id=[0, 0]).to(asc.float32)
    beta = asc2.load(asc2.tensor(beta_ptr, [1, cols]), [1, tile_cols], tile_id=[0, 0]).to(asc.float32)
    if padded:
        inside = ones_before(cols, tile_cols)
    share = 1.0 / cols.cast(asc.float32)
    tiles, block = asc.ceildiv(rows, tile_rows), asc2.block_idx()
    for i in asc2.range(golden.first_tile(tiles, lead, block), golden.first_tile(tiles, lead, block + 1)):
        x = asc2.load(x_gm, shape, tile_id=[i, 0]).to(asc.float32)  # the padding, 0, adds nothing to the mean
        mean = asc2.reduce_sum(x, 1, keep_dims=True) * share
        d = x - mean.broadcast_to(shape)
        if padded:
            d = d * inside.broadcast_to(shape)
        # 1 / sqrt(variance + epsilon), with the number of columns on the other side.
        scale = root / asc2.sqrt(asc2.reduce_sum(d * d, 1, keep_dims=True) + added)
        y = d * scale.broadcast_to(shape) * gamma.broadcast_to(shape) + beta.broadcast_to(shape)
        asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i, 0])


@asc2.jit
def layer_norm_split_kernel(x_ptr, gamma_ptr, beta_ptr, y_ptr, rows, cols, epsilon, tile_cols: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    y_gm = asc2.tensor(y_ptr, [rows, cols])
    gamma_gm = asc2.tensor(gamma_ptr, [1, cols])
    beta_gm = asc2.tensor(beta_ptr, [1, cols])
    chunks = asc.ceildiv(cols, tile_cols)
    for row in asc2.range(asc2.block_idx(), rows, asc2.block_num()):
        mean, squares, seen = 0.0, 0.0, 0.0  # of the elements so far; squares: the sum of (x - mean)^2
        for c in asc2.range(chunks):
            count = min(cols - c * tile_cols, tile_cols)
            n = count.cast(asc.float32)
            x = asc2.load(x_gm, [1, tile_cols], tile_id=[row, c]).to(asc.float32)
            chunk_mean = asc2.reduce_sum(x) / n
            d = (x - chunk_mean) * ones_before(count, tile_cols)
            # Two sets of elements put together: their squares, and what the means differ by.
            delta = chunk_mean - mean
            squares = squares + asc2.reduce_sum(d * d) + delta * delta * (seen * n / (seen + n))
            mean = mean + delta * (n / (seen + n))
            seen = seen + n
        scale = 1.0 / asc2.sqrt(squares / cols + epsilon)
        for c in asc2.range(chunks):
            x = asc2.load(x_gm, [1, tile_cols], tile_id=[row, c]).to(asc.float32)
            gamma = asc2.load(gamma_gm, [1, tile_cols], tile_id=[0, c]).to(asc.float32)
            beta = asc2.load(beta_gm, [1, tile_cols], tile_id=[0, c]).to(asc.float32)
            asc2.store(((x - mean) * scale * gamma + beta).to(y_gm.dtype), y_gm, tile_id=[row, c])


def layer_norm_launch(x, gamma, beta, y, epsilon=1e-5):
    rows, cols = x.shape
    cores = golden.vector_cores()
    if cols > TILE:
        layer_norm_split_kernel[min(cores, rows)](x, gamma, beta, y, rows, cols, epsilon, tile_cols=TILE)
        return
    tile_cols = golden.round_up(cols, 64)
    tile_rows = golden.tile_rows(x, tile_cols, 16 if x.itemsize < 4 else 24, kept=12)
    tiles = asc.ceildiv(rows, tile_rows)
    lead = golden.lead(tiles, tile_rows * cols * x.itemsize)
    layer_norm_kernel[min(cores, tiles)](x, gamma, beta, y, rows, cols, math.sqrt(cols), cols * epsilon, tile_rows=tile_rows,
                                         tile_cols=tile_cols, padded=tile_cols != cols, lead=lead)


@golden.cases([(1, 1), (5, 7), (3, 64), (200, 33), (3, 4097), (2, 10007)])
def test_layer_norm(platform, dtype, shape):
    golden.use(platform)
    # A large beta: where the sum with it cancels, no result can meet a relative bound.
    x, gamma = golden.sample(shape, dtype, low=1, high=9, seed=1), golden.sample(shape[1:], dtype, low=-2, high=2, seed=2)
    beta = golden.sample(shape[1:], dtype, low=6, high=9, seed=3)
    y = np.empty_like(x)
    layer_norm_launch(x, gamma, beta, y)
    x, gamma, beta = (array.astype(np.float64) for array in (x, gamma, beta))
    d = x - x.mean(axis=1, keepdims=True)
    golden.check(y, d / np.sqrt((d * d).mean(axis=1, keepdims=True) + 1e-5) * gamma + beta)


if __name__ == "__main__":
    golden.main(test_layer_norm, shape=(1024, 4096))
