"""RMS normalisation of each row: y = x / sqrt(mean(x^2) + epsilon) * gamma.

Two variants and a host function that chooses. Full rows: several rows in one tile, each element read once. Split rows:
a row that does not fit on chip is streamed twice, first for its mean square, then for the result.
"""

import math

import numpy as np

import asc
import asc2
import golden

TILE = 4096  # the longest row that is kept whole, and the elements of a chunk of a longer one


@asc2.jit
def rms_norm_full_kernel(x_ptr, gamma_ptr, y_ptr, rows, cols, root, added, tile_rows: asc.ConstExpr[int],
                         tile_cols: asc.ConstExpr[int], lead=0):
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    y_gm = asc2.tensor(y_ptr, [rows, cols])
    gamma_gm = asc2.tensor(gamma_ptr, [1, cols])
    gamma = asc2.load(gamma_gm, [1, tile_cols], tile_id=[0, 0])
    if gamma_gm.dtype != asc.float16:
        gamma = gamma.to(asc.float32)
    tiles, block = asc.ceildiv(rows, tile_rows), asc2.block_idx()
    for i in asc2.range(golden.first_tile(tiles, lead, block), golden.first_tile(tiles, lead, block + 1)):
        x = asc2.load(x_gm, [tile_rows, tile_cols], tile_id=[i, 0]).to(asc.float32)  # the padding, 0, adds nothing
        # 1 / sqrt(sum / cols + epsilon) with the number of columns on the other side: two instructions less for each tile.
        scale = root / asc2.sqrt(asc2.reduce_sum(x * x, 1, keep_dims=True) + added)
        # What is normalised is below sqrt(cols): in half precision its product with gamma needs no more.
        y = (x * scale.broadcast_to(tile_rows, tile_cols)).to(gamma.dtype) * gamma.broadcast_to(tile_rows, tile_cols)
        asc2.store(y.to(y_gm.dtype), y_gm, tile_id=[i, 0])


@asc2.jit
def rms_norm_split_kernel(x_ptr, gamma_ptr, y_ptr, rows, cols, epsilon, tile_cols: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    y_gm = asc2.tensor(y_ptr, [rows, cols])
    gamma_gm = asc2.tensor(gamma_ptr, [1, cols])
    chunks = asc.ceildiv(cols, tile_cols)
    for row in asc2.range(asc2.block_idx(), rows, asc2.block_num()):
        squares = asc2.zeros([1, tile_cols], asc.float32)  # added lane by lane; one reduction per row, not per chunk
        for c in asc2.range(chunks):
            x = asc2.load(x_gm, [1, tile_cols], tile_id=[row, c]).to(asc.float32)
            squares = squares + x * x
        scale = 1.0 / asc2.sqrt(asc2.reduce_sum(squares) / cols + epsilon)
        for c in asc2.range(chunks):
            x = asc2.load(x_gm, [1, tile_cols], tile_id=[row, c]).to(asc.float32)
            gamma = asc2.load(gamma_gm, [1, tile_cols], tile_id=[0, c]).to(asc.float32)
            asc2.store((x * scale * gamma).to(y_gm.dtype), y_gm, tile_id=[row, c])


def rms_norm_full_launch(x, gamma, y, epsilon):
    rows, cols = x.shape
    cores = golden.vector_cores()
    tile_cols = golden.round_up(cols, 64)
    tile_rows = golden.tile_rows(x, tile_cols, 13 if x.itemsize < 4 else 20, kept=4)
    tiles = asc.ceildiv(rows, tile_rows)
    lead = golden.lead(tiles, tile_rows * cols * x.itemsize)
    rms_norm_full_kernel[min(cores, tiles)](x, gamma, y, rows, cols, math.sqrt(cols), cols * epsilon, tile_rows=tile_rows,
                                            tile_cols=tile_cols, lead=lead)


def rms_norm_split_launch(x, gamma, y, epsilon):
    rows, cols = x.shape
    rms_norm_split_kernel[min(golden.vector_cores(), rows)](x, gamma, y, rows, cols, epsilon, tile_cols=TILE)


def rms_norm_launch(x, gamma, y, epsilon=1e-6):
    launch = rms_norm_full_launch if x.shape[1] <= TILE else rms_norm_split_launch
    launch(x, gamma, y, epsilon)


def run(launch, platform, dtype, shape, epsilon=1e-6):
    golden.use(platform)
    x, gamma = golden.sample(shape, dtype, seed=1), golden.sample(shape[1:], dtype, seed=2)
    y = np.empty_like(x)
    launch(x, gamma, y, epsilon)
    wide = x.astype(np.float64)
    golden.check(y, wide / np.sqrt((wide * wide).mean(axis=1, keepdims=True) + epsilon) * gamma.astype(np.float64))


@golden.cases(golden.ROW_SHAPES + [(3, 4097), (2, 10007)])
def test_rms_norm(platform, dtype, shape):
    run(rms_norm_launch, platform, dtype, shape)


@golden.cases([(1, 1), (3, 50), (2, 4096), (75, 130)])
def test_rms_norm_split(platform, dtype, shape):
    """The split variant is right on short rows too; the host function merely does not choose it there."""
    run(rms_norm_split_launch, platform, dtype, shape)


if __name__ == "__main__":
    golden.main(test_rms_norm, shape=(1024, 4096))
