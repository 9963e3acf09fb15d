"""Rotary position embedding: each head's vector, in pairs of elements, is turned by an angle that grows with its position.

Element j of the first half of a vector is paired with element j of the second half. Cosines and sines come as tables
[tokens, dim / 2], made once for a model (`rope_tables`).
"""

import numpy as np

import asc
import asc2
import golden

TILE = 4096  # elements of half a tile


@asc2.jit
def rope_kernel(x_ptr, cos_ptr, sin_ptr, y_ptr, tokens, heads, half: asc.ConstExpr[int], tile_heads: asc.ConstExpr[int],
                tile_cols: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [tokens, heads, 2 * half])
    y_gm = asc2.tensor(y_ptr, [tokens, heads, 2 * half])
    halves_gm = asc2.tensor(y_ptr, [tokens, heads, 2, half])
    cos_gm = asc2.tensor(cos_ptr, [tokens, 1, half])
    sin_gm = asc2.tensor(sin_ptr, [tokens, 1, half])
    groups = asc.ceildiv(heads, tile_heads)
    shape = [1, tile_heads, tile_cols]
    for i in asc2.range(asc2.block_idx(), tokens * groups, asc2.block_num()):
        token, head = i // groups, i % groups * tile_heads
        cos = asc2.load(cos_gm, [1, 1, tile_cols], offsets=[token, 0, 0]).to(asc.float32).broadcast_to(shape)
        sin = asc2.load(sin_gm, [1, 1, tile_cols], offsets=[token, 0, 0]).to(asc.float32).broadcast_to(shape)
        a = asc2.load(x_gm, shape, offsets=[token, head, 0]).to(asc.float32)
        b = asc2.load(x_gm, shape, offsets=[token, head, half]).to(asc.float32)
        first, second = (a * cos - b * sin).to(y_gm.dtype), (b * cos + a * sin).to(y_gm.dtype)
        if tile_cols == half:
            asc2.store(first, y_gm, offsets=[token, head, 0])
            asc2.store(second, y_gm, offsets=[token, head, half])
        else:  # a tile is wider than a half: with the halves as a dimension, the store ends where the half ends (and is slower)
            wide = [1, tile_heads, 1, tile_cols]
            asc2.store(first.reshape(wide), halves_gm, offsets=[token, head, 0, 0])
            asc2.store(second.reshape(wide), halves_gm, offsets=[token, head, 1, 0])


def rope_tables(tokens, dim, dtype, base=10000.0):
    """Cosines and sines of the angles position / base^(2j / dim), j < dim / 2."""
    angles = np.arange(tokens)[:, None] / base ** (2 * np.arange(dim // 2) / dim)
    return np.cos(angles).astype(dtype), np.sin(angles).astype(dtype)


def rope_launch(x, cos, sin, y):
    """x and y: [tokens, heads, dim], dim even."""
    tokens, heads, dim = x.shape
    tile_cols = golden.round_up(dim // 2, 32 // x.itemsize)  # rows of tiles are multiples of 32 bytes
    tile_heads = min(golden.round_up(heads, 8), max(1, TILE // tile_cols))
    blocks = min(golden.vector_cores(), tokens * asc.ceildiv(heads, tile_heads))
    rope_kernel[blocks](x, cos, sin, y, tokens, heads, half=dim // 2, tile_heads=tile_heads, tile_cols=tile_cols)


# Shapes are tokens x heads x dim.
@golden.cases([(1, 1, 2), (3, 5, 70), (9, 70, 128)])
def test_rope(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype)
    cos, sin = rope_tables(shape[0], shape[2], dtype)
    y = np.empty_like(x)
    rope_launch(x, cos, sin, y)
    a, b = np.split(x.astype(np.float64), 2, axis=2)
    cos, sin = cos.astype(np.float64)[:, None], sin.astype(np.float64)[:, None]
    golden.check(y, np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=2))


if __name__ == "__main__":
    golden.main(test_rope, shape=(512, 32, 128))
