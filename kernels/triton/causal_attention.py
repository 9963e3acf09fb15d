"""softmax(Q K^T / sqrt(d)) V by rows of Q, with a running maximum and sum; a row sees the keys up to its own."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden



@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, o_ptr, scale, length, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr):
    tiles = tl.cdiv(length, TILE_M)
    head = tl.program_id(0) // tiles * length * D
    first = tl.program_id(0) % tiles * TILE_M
    row, lane = first + tl.arange(0, TILE_M), tl.arange(0, D)
    rows = head + row[:, None] * D + lane[None, :]
    q = tl.load(q_ptr + rows, mask=row[:, None] < length, other=0.0)
    top = tl.full([TILE_M], -float("inf"), tl.float32)
    total = tl.zeros([TILE_M], tl.float32)
    acc = tl.zeros([TILE_M, D], tl.float32)
    for start in range(0, min(first + TILE_M, length), TILE_N):
        key = start + tl.arange(0, TILE_N)
        keys = head + key[:, None] * D + lane[None, :]
        k = tl.load(k_ptr + keys, mask=key[:, None] < length, other=0.0)
        s = tl.where((row[:, None] >= key[None, :]) & (key[None, :] < length), tl.dot(q, tl.trans(k)) * scale, -float("inf"))
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        fade = tl.exp(top - new)
        total = total * fade + tl.sum(p, 1)
        v = tl.load(v_ptr + keys, mask=key[:, None] < length, other=0.0)
        acc = acc * fade[:, None] + tl.dot(p.to(v.dtype), v)
        top = new
    tl.store(o_ptr + rows, acc / total[:, None], mask=row[:, None] < length)


def attention_launch(q, k, v, o):
    heads, length, d = q.shape
    attention_kernel[(heads * triton.cdiv(length, 64),)](q, k, v, o, d**-0.5, length, D=d, TILE_M=64, TILE_N=128)


# Shapes are heads x length x d.
@golden.cases([(1, 16, 32), (2, 100, 64), (1, 150, 128)], dtypes=["float16"])
def test_causal_attention(platform, dtype, shape):
    golden.use(platform)
    q, k, v = (golden.sample(shape, dtype, low=-1 + seed // 2, high=1, seed=seed) for seed in range(3))
    o = np.empty_like(q)
    attention_launch(q, k, v, o)
    scores = q.astype(np.float64) @ k.astype(np.float64).swapaxes(1, 2) / np.sqrt(shape[-1])
    scores += np.where(np.tri(shape[1]), 0, -np.inf)
    p = np.exp(scores - scores.max(-1, keepdims=True))
    golden.check(o, p / p.sum(-1, keepdims=True) @ v.astype(np.float64))


if __name__ == "__main__":
    golden.main(test_causal_attention, shape=(2, 256, 64))
