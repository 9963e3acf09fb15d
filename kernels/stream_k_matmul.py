"""C = A B by stream-K: every core takes the same number of steps along k, wherever tiles begin and end.

Dealing out whole tiles leaves cores without work in the last round. Here all steps of all tiles are one long row, which is cut into
as many equal pieces as there are cores. A piece begins and ends somewhere inside a tile; such parts go to memory of their own, and a
second kernel adds the parts of a tile, always in the same order.
"""

import numpy as np

import asc
import asc2
import golden

TILE_M, TILE_N, TILE_K = 128, 256, 256


@asc2.jit
def stream_k_kernel(a_ptr, b_ptr, c_ptr, parts_ptr, m, n, k, share, tile_m: asc.ConstExpr[int], tile_n: asc.ConstExpr[int],
                    tile_k: asc.ConstExpr[int]):
    """Steps share * block to share * (block + 1). Block b keeps the tile it begins inside of at 2 b of the parts, the one it ends
    inside of at 2 b + 1."""
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(b_ptr, [k, n]), asc2.tensor(c_ptr, [m, n])
    columns, steps = asc.ceildiv(n, tile_n), asc.ceildiv(k, tile_k)
    parts = asc2.tensor(parts_ptr, [2 * asc2.block_num() * tile_m, tile_n])
    first = asc2.block_idx() * share
    last = min(first + share, asc.ceildiv(m, tile_m) * columns * steps)
    for tile in asc2.range(first // steps, asc.ceildiv(last, steps)):
        begin, end = max(first - tile * steps, 0), min(last - tile * steps, steps)
        row, column = tile // columns * tile_m, tile % columns * tile_n
        acc = asc2.zeros_acc([tile_m, tile_n], asc.float32)
        for j in asc2.range(begin, end):
            a = asc2.load(a_gm, [tile_m, tile_k], offsets=[row, j * tile_k])
            asc2.matmul_acc(a, asc2.load(b_gm, [tile_k, tile_n], offsets=[j * tile_k, column]), acc)
        if begin == 0 and end == steps:
            asc2.store(acc, c_gm, offsets=[row, column])
        else:
            slot = asc2.block_idx() * 2 + (1 if begin == 0 else 0)
            asc2.store(acc, parts, offsets=[slot * tile_m, 0])


@asc2.jit
def stream_k_sum_kernel(parts_ptr, c_ptr, m, n, steps, share, pieces, tile_m: asc.ConstExpr[int], tile_n: asc.ConstExpr[int],
                        rows: asc.ConstExpr[int]):
    """Adds the parts of the tiles that were cut, some rows of one at a time. The first part ends inside its tile, others begin there."""
    parts, c_gm = asc2.tensor(parts_ptr, [2 * pieces * tile_m, tile_n]), asc2.tensor(c_ptr, [m, n])
    columns = asc.ceildiv(n, tile_n)
    strips = tile_m // rows
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tile_m) * columns * strips, asc2.block_num()):
        tile, strip = i // strips, i % strips * rows
        begin, end = tile * steps, (tile + 1) * steps
        piece = begin // share
        if piece != (end - 1) // share:
            total = asc2.zeros([rows, tile_n], asc.float32)
            for p in asc2.range(piece, (end - 1) // share + 1):
                slot = p * 2 + (1 if p * share <= begin else 0)
                total = total + asc2.load(parts, [rows, tile_n], offsets=[slot * tile_m + strip, 0])
            asc2.store(total, c_gm, offsets=[tile // columns * tile_m + strip, tile % columns * tile_n])


def stream_k_launch(a, b, c):
    (m, k), n = a.shape, b.shape[1]
    tile_m, tile_n = min(TILE_M, golden.round_up(m, 16)), min(TILE_N, golden.round_up(n, 16))
    tile_k = min(TILE_K * 2 // a.itemsize, golden.round_up(k, 16))
    steps = asc.ceildiv(k, tile_k)
    work = asc.ceildiv(m, tile_m) * asc.ceildiv(n, tile_n) * steps
    share = asc.ceildiv(work, golden.cube_cores())
    pieces = asc.ceildiv(work, share)
    parts = np.empty((2 * pieces, tile_m, tile_n), np.float32)
    sizes = dict(tile_m=tile_m, tile_n=tile_n)
    stream_k_kernel[pieces](a, b, c, parts, m, n, k, share, tile_k=tile_k, **sizes)
    if pieces > 1 and share % steps:
        stream_k_sum_kernel[golden.vector_cores()](parts, c, m, n, steps, share, pieces, rows=16, **sizes)


# Shapes are m x n x k.
@golden.cases([(1, 1, 1), (127, 129, 65), (16, 16, 4000), (300, 520, 700), (130, 2048, 1030)], dtypes=["float16", "float32"])
def test_stream_k_matmul(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    # Positive values: where products cancel, no float32 accumulation can meet a relative bound.
    a, b = golden.sample((m, k), dtype, low=0, high=1, seed=1), golden.sample((k, n), dtype, low=0, high=1, seed=2)
    c = np.empty((m, n), np.float32)
    stream_k_launch(a, b, c)
    golden.check(c, a.astype(np.float64) @ b.astype(np.float64))


if __name__ == "__main__":
    golden.main(test_stream_k_matmul, shape=(640, 1024, 4096))
