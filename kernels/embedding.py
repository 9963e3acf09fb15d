"""Rows of a table by their numbers: the embedding of tokens.

The scalar unit reads the numbers, and each row travels as a move of its own. A number that the table does not have gives a row of
zeros, which is what padding tokens get.
"""

import numpy as np

import asc
import asc2
import golden

COLUMNS = 2048  # of one piece of a row


@asc2.jit
def embedding_kernel(table_ptr, ids_ptr, y_ptr, entries, width, tokens, tile_tokens: asc.ConstExpr[int], tile_cols: asc.ConstExpr[int]):
    table = asc2.tensor(table_ptr, [entries, width])
    ids_gm = asc2.tensor(ids_ptr, [tokens])
    y_gm = asc2.tensor(y_ptr, [tokens, width])
    pieces = asc.ceildiv(width, tile_cols)
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(tokens, tile_tokens) * pieces, asc2.block_num()):
        group, piece = i // pieces, i % pieces
        ids = asc2.load(ids_gm, [tile_tokens], tile_id=[group], pad_value=-1)
        rows = asc2.load_rows(table, ids, tile_cols, offset=piece * tile_cols)
        asc2.store(rows, y_gm, tile_id=[group, piece])


def embedding_launch(table, ids, y):
    """ids: an array of int32; y: a row for each of them."""
    (entries, width), tokens = table.shape, ids.shape[0]
    cores = golden.vector_cores()
    tile_cols = min(golden.round_up(width, 16), COLUMNS)
    pieces = asc.ceildiv(width, tile_cols)
    tile_tokens = max(1, min(16, 32 * 1024 // (tile_cols * table.itemsize), asc.ceildiv(tokens * pieces, cores)))
    blocks = min(cores, asc.ceildiv(tokens, tile_tokens) * pieces)
    embedding_kernel[blocks](table, ids, y, entries, width, tokens, tile_tokens=tile_tokens, tile_cols=tile_cols)


# Shapes are tokens x width, of a table of 101 rows.
@golden.cases([(1, 1), (1, 64), (7, 50), (100, 128), (257, 33), (16, 4096), (5, 5000)])
def test_embedding(platform, dtype, shape):
    golden.use(platform)
    tokens, width = shape
    table = golden.sample((101, width), dtype)
    ids = np.random.default_rng(1).integers(-1, 102, tokens).astype(np.int32)
    y = np.full(shape, 7, dtype)
    embedding_launch(table, ids, y)
    known = (ids >= 0) & (ids < 101)
    golden.check(y, np.where(known[:, None], table[np.where(known, ids, 0)], 0).astype(np.float64))


if __name__ == "__main__":
    golden.main(test_embedding, shape=(4096, 1024))
