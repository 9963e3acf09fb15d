"""Attention, softmax(Q K^T / sqrt(d)) V, without the matrix of scores in memory: products on cube cores, softmax on vector cores.

Each block takes some rows of Q and goes through the keys tile by tile, with a running maximum, a running sum and an output that is
rescaled when the maximum grows. The compiler splits the kernel between the cores and begins the product of the next tile of keys
while the softmax of this one is computed. Keys come transposed, [heads, d, length], because products read their right side by rows.
"""

import numpy as np

import asc
import asc2
import golden


@asc2.jit
def flash_attention_kernel(q_ptr, k_ptr, v_ptr, positions_ptr, o_ptr, heads, group, rows, length, scale, d: asc.ConstExpr[int],
                           tile_m: asc.ConstExpr[int], tile_n: asc.ConstExpr[int], masked: asc.ConstExpr[bool],
                           causal: asc.ConstExpr[bool]):
    q_gm = asc2.tensor(q_ptr, [heads, rows, d])
    k_gm = asc2.tensor(k_ptr, [heads // group, d, length])
    v_gm = asc2.tensor(v_ptr, [heads // group, length, d])
    o_gm = asc2.tensor(o_ptr, [heads, rows, d])
    positions = asc2.tensor(positions_ptr, [max(rows, length)])
    tiles = asc.ceildiv(rows, tile_m)
    for i in asc2.range(asc2.block_idx(), heads * tiles, asc2.block_num()):
        head, first = i // tiles, i % tiles * tile_m
        q = asc2.load(q_gm, [1, tile_m, d], offsets=[head, first, 0]).reshape([tile_m, d])
        top = asc2.full([tile_m, 1], -1e30, asc.float32)
        total = asc2.full([tile_m, 1], 0.0, asc.float32)
        out = asc2.full([tile_m, d], 0.0, asc.float32)
        # Row r sees the keys up to r + length - rows: the last row sees all.
        last = min(length, first + tile_m + length - rows) if causal else length
        for j in asc2.range(asc.ceildiv(last, tile_n)):
            k = asc2.load(k_gm, [1, d, tile_n], offsets=[head // group, 0, j * tile_n]).reshape([d, tile_n])
            s = q @ k
            if masked or causal:  # what is not seen gets a score that no exponential survives
                column = asc2.load(positions, [tile_n], offsets=[j * tile_n], pad_value=1e9) * 1e20
                if causal:
                    most = asc2.load(positions, [tile_m], offsets=[first]) + ((length - rows).cast(asc.float32) + 0.5)
                    most = (most * 1e20).reshape([tile_m, 1]).broadcast_to([tile_m, tile_n]) - column.broadcast_to([tile_m, tile_n])
                else:
                    most = ((length.cast(asc.float32) - 0.5) * 1e20 - column).broadcast_to([tile_m, tile_n])
                s = asc2.minimum(s, most)
            new = asc2.maximum(top, asc2.reduce_max(s, 1, keep_dims=True))
            p = asc2.exp((s - new.broadcast_to([tile_m, tile_n])) * scale)
            fade = asc2.exp((top - new) * scale)
            total = total * fade + asc2.reduce_sum(p, 1, keep_dims=True)
            v = asc2.load(v_gm, [1, tile_n, d], offsets=[head // group, j * tile_n, 0]).reshape([tile_n, d])
            out = out * fade.broadcast_to([tile_m, d]) + (p.to(v.dtype) @ v)
            top = new
        o = (out / total.broadcast_to([tile_m, d])).to(o_gm.dtype)
        asc2.store(o.reshape([1, tile_m, d]), o_gm, offsets=[head, first, 0])


def choose_tiles(heads, rows, length, d, causal):
    """Rows of Q and keys of a step. Results of long steps cross between the cores less often; they do not need to fit into the memory
    of a core, where the compiler works on parts. On the 950 they do: what fits crosses from memory to memory."""
    wide, seen = d <= 128, length // 2 if causal else length
    cores, most = golden.cube_cores(), 128 if wide else 64

    def steps(tile_n):
        """Keys with those that only fill up the last step, what a step takes besides its keys, and the first one, which nothing hides."""
        return asc.ceildiv(seen, tile_n) * (tile_n + 64) + tile_n

    def rounds(tile_m):
        """Of the busiest core, the rows of its tiles, and what a tile takes besides its rows."""
        return asc.ceildiv(heads * asc.ceildiv(rows, tile_m), cores) * (tile_m + 64)

    tile_m = min([tile for tile in (128, 64) if tile <= most], key=rounds)
    tile_n = min([256, 128] if golden.memory_decides() else [256, 128, 512] if wide else [128], key=steps)
    return min(tile_m, golden.round_up(rows, 16)), min(tile_n, golden.round_up(length, 16))


def flash_attention_launch(q, k, v, o, causal=False):
    """q and o are [heads, rows, d]; k is [key heads, d, length] and v [key heads, length, d]: heads share keys in groups."""
    heads, rows, d = q.shape
    length = v.shape[1]
    tile_m, tile_n = choose_tiles(heads, rows, length, d, causal)
    positions: np.ndarray = np.arange(max(rows, length), dtype=np.float32)
    blocks = min(golden.cube_cores(), heads * asc.ceildiv(rows, tile_m))
    flash_attention_kernel[blocks](q, k, v, positions, o, heads, heads // v.shape[0], rows, length, d**-0.5, d=d, tile_m=tile_m,
                                   tile_n=tile_n, masked=length % tile_n != 0, causal=causal)


# Shapes are heads x key heads x rows x length x d.
@golden.cases([(1, 1, 1, 1, 16), (2, 2, 64, 64, 64), (4, 2, 100, 100, 128), (1, 1, 33, 300, 256), (3, 1, 128, 384, 128), (1, 1, 150, 70, 64),
               (2, 1, 260, 1030, 128)],
              dtypes=["float16"])
def test_flash_attention(platform, dtype, shape, causal=False):
    golden.use(platform)
    heads, key_heads, rows, length, d = shape
    q = golden.sample((heads, rows, d), dtype, low=-1, high=1, seed=1)
    k = golden.sample((key_heads, d, length), dtype, low=-1, high=1, seed=2)
    v = golden.sample((key_heads, length, d), dtype, low=0, high=1, seed=3)
    o = np.empty((heads, rows, d), dtype)
    flash_attention_launch(q, k, v, o, causal)
    scores = q.astype(np.float64) @ np.repeat(k, heads // key_heads, 0).astype(np.float64) / np.sqrt(d)
    if causal:
        scores += np.where(np.arange(length) > np.arange(rows)[:, None] + length - rows, -np.inf, 0)
    p = np.exp(scores - scores.max(-1, keepdims=True))
    golden.check(o, p / p.sum(-1, keepdims=True) @ np.repeat(v, heads // key_heads, 0).astype(np.float64))


@golden.cases([(2, 1, 100, 100, 64), (1, 1, 64, 200, 128)], dtypes=["float16"])
def test_causal_attention(platform, dtype, shape):
    test_flash_attention(platform, dtype, shape, causal=True)


if __name__ == "__main__":
    golden.main(test_flash_attention, shape=(4, 2, 512, 512, 128))
