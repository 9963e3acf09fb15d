"""gelu(A B + bias): the bias and the activation come on before the tile is stored; sizes of tiles are tuned."""

import math
import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.autotune(
    configs=[triton.Config({"TILE_M": m, "TILE_N": n, "TILE_K": 64}) for m, n in ((32, 64), (64, 64), (64, 128), (128, 128))],
    key=["m", "n", "k"],
)
@triton.jit
def fused_matmul_kernel(a_ptr, b_ptr, bias_ptr, c_ptr, m, n, k, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    row, column = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M), tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    acc = tl.zeros((TILE_M, TILE_N), tl.float32)
    for first in range(0, k, TILE_K):
        inner = first + tl.arange(0, TILE_K)
        a = tl.load(a_ptr + row[:, None] * k + inner[None, :], mask=(row[:, None] < m) & (inner[None, :] < k), other=0.0)
        b = tl.load(b_ptr + inner[:, None] * n + column[None, :], mask=(inner[:, None] < k) & (column[None, :] < n), other=0.0)
        acc = tl.dot(a, b, acc)
    x = acc + tl.load(bias_ptr + column, mask=column < n, other=0.0)[None, :]
    y = 0.5 * x * (1 + tl.erf(x * 0.7071067811865476))
    tl.store(c_ptr + row[:, None] * n + column[None, :], y, mask=(row[:, None] < m) & (column[None, :] < n))


def fused_matmul_launch(a, b, bias, c):
    (m, k), n = a.shape, b.shape[1]
    grid = lambda meta: (triton.cdiv(m, meta["TILE_M"]), triton.cdiv(n, meta["TILE_N"]))
    fused_matmul_kernel[grid](a, b, bias, c, m, n, k)


# Shapes are m x n x k.
@golden.cases([(16, 16, 16), (100, 130, 70)], dtypes=["float16"])
def test_fused_matmul(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    a, b = golden.sample((m, k), dtype, low=0, high=1, seed=1), golden.sample((k, n), dtype, low=0, high=1, seed=2)
    bias, c = golden.sample((n,), np.float32, low=0, high=1, seed=3), np.empty((m, n), np.float32)
    fused_matmul_launch(a, b, bias, c)
    x = a.astype(np.float64) @ b.astype(np.float64) + bias
    golden.check(c, 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))))


if __name__ == "__main__":
    golden.main(test_fused_matmul, shape=(512, 512, 512))
