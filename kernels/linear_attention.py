"""Linear attention with decay, a chunk of tokens at a time: what came before a chunk is one matrix of state per head.

The state is the sum of k^T v over all tokens so far, each faded by gamma for every token since. A chunk adds what its own tokens see of
each other to what they see of the state, and then becomes part of it:

    O = ((Q K^T) * D) V + (Q S) * gamma^(i + 1)        D[i, j] = gamma^(i - j), 0 above the diagonal
    S = gamma^n S + (K * gamma^(n - 1 - i))^T V

Four products a chunk, with vectors between them; the state stays on the vector cores in float32.
"""

import math

import numpy as np

import asc
import asc2
import golden

CHUNK = 64


@asc2.jit
def linear_attention_kernel(q_ptr, k_ptr, v_ptr, decay_ptr, state_ptr, o_ptr, heads, length, d: asc.ConstExpr[int], dv: asc.ConstExpr[int],
                            n: asc.ConstExpr[int]):
    q_gm, k_gm = asc2.tensor(q_ptr, [heads, length, d]), asc2.tensor(k_ptr, [heads, length, d])
    v_gm, o_gm = asc2.tensor(v_ptr, [heads, length, dv]), asc2.tensor(o_ptr, [heads, length, dv])
    state_gm, decay_gm = asc2.tensor(state_ptr, [heads, d, dv]), asc2.tensor(decay_ptr, [heads])
    row = asc2.arange(0.0, n).reshape(n, 1)
    apart = row - asc2.arange(0.0, n)
    for head in asc2.range(asc2.block_idx(), heads, asc2.block_num()):
        decay = asc2.load(decay_gm, [1], offsets=[head]).reshape(1, 1)  # the logarithm of gamma
        seen = asc2.where(apart >= 0.0, asc2.exp(asc2.maximum(apart, 0.0) * decay), 0.0)
        since = asc2.exp((row + 1.0) * decay)
        state = asc2.load(state_gm, [1, d, dv], offsets=[head, 0, 0]).reshape(d, dv)
        for c in asc2.range(asc.ceildiv(length, n)):
            first = c * n
            count = min(length - first, n).cast(asc.float32)
            q = asc2.load(q_gm, [1, n, d], offsets=[head, first, 0]).reshape(n, d)
            k = asc2.load(k_gm, [1, n, d], offsets=[head, first, 0]).reshape(n, d)
            v = asc2.load(v_gm, [1, n, dv], offsets=[head, first, 0]).reshape(n, dv)
            p = ((q @ k.T) * seen).to(v.dtype)
            o = (p @ v) + (q @ state.to(v.dtype)) * since
            asc2.store(o.to(o_gm.dtype).reshape(1, n, dv), o_gm, offsets=[head, first, 0])
            # Tokens beyond the end are rows of zeros, and fade nothing.
            until = asc2.exp(asc2.maximum(count - 1.0 - row, 0.0) * decay)
            state = state * asc2.exp(decay * count) + ((k.to(asc.float32) * until).to(v.dtype).T @ v)
        asc2.store(state.reshape(1, d, dv), state_gm, offsets=[head, 0, 0])


def linear_attention_launch(q, k, v, gamma, state, o):
    """q and k: [heads, length, d]; v and o: [heads, length, dv]; state: [heads, d, dv] of float32, changed in place; gamma: one decay
    for each head. A step of one token is a chunk with one row."""
    heads, length, d = q.shape
    # Vectors hold the state, what is added to it, and a chunk of results.
    n = min(CHUNK if d * v.shape[2] <= 64 * 64 else CHUNK // 2, golden.round_up(length, 16))
    decay = np.array([math.log(g) for g in gamma], np.float32)
    linear_attention_kernel[min(golden.cube_cores(), heads)](q, k, v, decay, state, o, heads, length, d=d, dv=v.shape[2], n=n)


# Shapes are heads x length x d x dv.
@golden.cases([(1, 1, 64, 64), (3, 100, 64, 128), (2, 50, 64, 48)], dtypes=["float16"])
def test_linear_attention(platform, dtype, shape):
    golden.use(platform)
    heads, length, d, dv = shape
    q, k = golden.sample((heads, length, d), dtype, low=0, high=1, seed=1), golden.sample((heads, length, d), dtype, low=0, high=1, seed=2)
    v, gamma = golden.sample((heads, length, dv), dtype, low=0, high=1, seed=3), 1 - 2.0 ** -(3 + np.arange(heads) % 3)
    state, o = golden.sample((heads, d, dv), np.float32, low=0, high=8, seed=4), np.empty((heads, length, dv), dtype)
    s, expected = state.astype(np.float64), np.empty(o.shape)
    linear_attention_launch(q, k, v, gamma, state, o)
    for i in range(length):
        s = gamma[:, None, None] * s + k[:, i, :, None].astype(np.float64) * v[:, i, None, :]
        expected[:, i] = np.einsum("hd,hdv->hv", q[:, i].astype(np.float64), s)
    golden.check(o, expected)
    golden.check(state.astype(dtype), s)  # its addends are halves


if __name__ == "__main__":
    golden.main(test_linear_attention, shape=(24, 512, 128, 128))
