"""Attention of one new token per sequence to keys and values that lie in pages; a table says in which."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def paged_decode_kernel(q_ptr, k_ptr, v_ptr, table_ptr, length_ptr, o_ptr, scale, most, D: tl.constexpr, PAGE: tl.constexpr):
    sequence, feature, token = tl.program_id(0), tl.arange(0, D), tl.arange(0, PAGE)
    q = tl.load(q_ptr + sequence * D + feature).to(tl.float32) * scale
    length = tl.load(length_ptr + sequence)
    largest, total = tl.full((1,), -float("inf"), tl.float32), tl.zeros((1,), tl.float32)
    acc = tl.zeros((D,), tl.float32)
    for start in range(0, length, PAGE):
        page = tl.load(table_ptr + sequence * most + start // PAGE)
        at = page * PAGE * D + token[:, None] * D + feature[None, :]
        k = tl.load(k_ptr + at).to(tl.float32)
        score = tl.where(start + token < length, tl.sum(q[None, :] * k, axis=1), -float("inf"))
        now = tl.maximum(largest, tl.max(score, axis=0))
        weight, old = tl.exp(score - now), tl.exp(largest - now)
        v = tl.load(v_ptr + at).to(tl.float32)
        acc = acc * old + tl.sum(weight[:, None] * v, axis=0)
        total, largest = total * old + tl.sum(weight, axis=0), now
    tl.store(o_ptr + sequence * D + feature, acc / total)


def paged_decode_launch(q, k, v, table, lengths, o):
    sequences, d = q.shape
    paged_decode_kernel[(sequences,)](q, k, v, table, lengths, o, d**-0.5, table.shape[1], D=d, PAGE=k.shape[1])


# Shapes are sequences x longest sequence x features.
@golden.cases([(1, 5, 32), (4, 100, 64)], dtypes=["float16"])
def test_paged_decode(platform, dtype, shape):
    golden.use(platform)
    sequences, longest, d = shape
    page, random = 16, np.random.default_rng(1)
    most = -(-longest // page)
    lengths = random.integers(1, longest + 1, sequences, dtype=np.int32)
    table = random.permutation(sequences * most).astype(np.int32).reshape(sequences, most)
    q = golden.sample((sequences, d), dtype, low=0, high=1, seed=2)
    k, v = (golden.sample((sequences * most, page, d), dtype, low=0, high=1, seed=seed) for seed in (3, 4))
    o, expected = np.empty((sequences, d), np.float32), np.empty((sequences, d))
    paged_decode_launch(q, k, v, table, lengths, o)
    for i, length in enumerate(lengths):
        keys, values = (each[table[i]].reshape(-1, d)[:length].astype(np.float64) for each in (k, v))
        score = keys @ q[i].astype(np.float64) * d**-0.5
        weight = np.exp(score - score.max())
        expected[i] = weight @ values / weight.sum()
    golden.check(o, expected)


if __name__ == "__main__":
    golden.main(test_paged_decode, shape=(48, 1024, 128))
