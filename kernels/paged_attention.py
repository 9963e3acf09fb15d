"""Attention of one new token per sequence over a cache in pages: decoding.

Keys and values lie in pages of a few tokens, anywhere in the cache; a table says which pages a sequence has, and a length where it
ends. A block takes one sequence and one head of keys: the heads of queries that share it are the rows of its products. Page numbers
are read one by one and decide where both kinds of cores load.
"""

import numpy as np

import asc
import asc2
import golden


@asc2.jit
def paged_attention_kernel(q_ptr, k_ptr, v_ptr, table_ptr, lengths_ptr, o_ptr, sequences, key_heads, group, pages, most, scale,
                           d: asc.ConstExpr[int], page: asc.ConstExpr[int], tile_m: asc.ConstExpr[int]):
    q_gm = asc2.tensor(q_ptr, [sequences * key_heads, group, d])
    o_gm = asc2.tensor(o_ptr, [sequences * key_heads, group, d])
    # The cache is [pages, page, key_heads, d]: of one head, rows key_heads * d apart.
    strides = [d, page * key_heads * d, key_heads * d, 1]
    k_gm = asc2.tensor(k_ptr, [key_heads, pages, page, d], strides=strides)
    v_gm = asc2.tensor(v_ptr, [key_heads, pages, page, d], strides=strides)
    table, lengths = asc2.tensor(table_ptr, [sequences, most]), asc2.tensor(lengths_ptr, [sequences])
    for i in asc2.range(asc2.block_idx(), sequences * key_heads, asc2.block_num()):
        sequence, head = i // key_heads, i % key_heads
        length = asc2.load(lengths, offsets=[sequence])
        q = asc2.load(q_gm, [1, tile_m, d], offsets=[i, 0, 0]).reshape(tile_m, d)
        top = asc2.full([tile_m, 1], -1e30, asc.float32)
        total = asc2.zeros([tile_m, 1], asc.float32)
        out = asc2.zeros([tile_m, d], asc.float32)
        for j in asc2.range(asc.ceildiv(length, page)):
            number = asc2.load(table, offsets=[sequence, j])
            k = asc2.load(k_gm, [1, 1, page, d], offsets=[head, number, 0, 0]).reshape(page, d)
            v = asc2.load(v_gm, [1, 1, page, d], offsets=[head, number, 0, 0]).reshape(page, d)
            s = (q @ k.T) * scale
            # What lies behind the end of the sequence gets a score that no exponential survives.
            behind = asc2.arange(0.0, page) + (j * page - length).cast(asc.float32) + 0.5
            s = s - asc2.maximum(behind * 1e20, 0.0)
            new = asc2.maximum(top, asc2.reduce_max(s, 1, keep_dims=True))
            p = asc2.exp(s - new)
            fade = asc2.exp(top - new)
            total = total * fade + asc2.reduce_sum(p, 1, keep_dims=True)
            out = out * fade + (p.to(v.dtype) @ v)
            top = new
        o = out / asc2.maximum(total, 1e-30)  # a sequence without tokens: 0
        asc2.store(o.to(o_gm.dtype).reshape(1, tile_m, d), o_gm, offsets=[i, 0, 0])


def paged_attention_launch(q, k, v, table, lengths, o):
    """q and o: [sequences, heads, d]; k and v: [pages, tokens of a page, key heads, d]; table: [sequences, most pages] and lengths:
    [sequences] of int32."""
    sequences, heads, d = q.shape
    pages, page, key_heads, _ = k.shape
    group = heads // key_heads
    paged_attention_kernel[min(golden.cube_cores(), sequences * key_heads)](
        q, k, v, table, lengths, o, sequences, key_heads, group, pages, table.shape[1], d**-0.5, d=d, page=page,
        tile_m=golden.round_up(group, 16))


# Shapes are sequences x heads x key heads x tokens of a page x d.
@golden.cases([(1, 1, 1, 16, 64), (3, 8, 2, 32, 128), (5, 20, 1, 16, 80), (2, 4, 4, 128, 256)], dtypes=["float16"])
def test_paged_attention(platform, dtype, shape):
    golden.use(platform)
    sequences, heads, key_heads, page, d = shape
    random = np.random.default_rng(1)
    lengths = random.integers(0, 4 * page, sequences).astype(np.int32)
    lengths[0] = 3 * page - 5
    most, pages = 4, 4 * sequences + 3
    table = random.permutation(pages)[: sequences * most].reshape(sequences, most).astype(np.int32)
    q = golden.sample((sequences, heads, d), dtype, low=-1, high=1, seed=1)
    k = golden.sample((pages, page, key_heads, d), dtype, low=-1, high=1, seed=2)
    v = golden.sample((pages, page, key_heads, d), dtype, low=0, high=1, seed=3)
    o = np.empty((sequences, heads, d), dtype)
    paged_attention_launch(q, k, v, table, lengths, o)
    expected = np.zeros(o.shape)
    for s, length in enumerate(lengths):
        if length:
            keys, values = (np.concatenate(cache[table[s]])[:length].repeat(heads // key_heads, 1).astype(np.float64) for cache in (k, v))
            scores = np.einsum("hd,lhd->hl", q[s].astype(np.float64), keys) / np.sqrt(d)
            p = np.exp(scores - scores.max(1, keepdims=True))
            expected[s] = np.einsum("hl,lhd->hd", p / p.sum(1, keepdims=True), values)
    golden.check(o, expected)


if __name__ == "__main__":
    golden.main(test_paged_attention, shape=(16, 32, 8, 128, 128))
