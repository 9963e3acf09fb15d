"""The largest element of each row, as the library's row_sum is written."""

import asc
import asc2
import golden

TILE = 4096  # elements of one tile


@asc2.jit
def row_max_kernel(x_ptr, y_ptr, rows, cols, tile_rows: asc.ConstExpr[int], tile_cols: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [rows, cols])
    y_gm = asc2.tensor(y_ptr, [rows])
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile_rows), asc2.block_num()):
        x = asc2.load(x_gm, [tile_rows, tile_cols], tile_id=[i, 0], pad_value=float("-inf"))
        asc2.store(asc2.reduce_max(x, 1), y_gm, tile_id=[i])


def row_max_launch(x, y):
    rows, cols = x.shape
    cores = golden.vector_cores()
    tile_cols = golden.round_up(cols, 8)
    tile_rows = max(8, min(TILE // tile_cols, golden.round_up(asc.ceildiv(rows, cores), 8)))
    row_max_kernel[min(cores, asc.ceildiv(rows, tile_rows))](x, y, rows, cols, tile_rows=tile_rows, tile_cols=tile_cols)
