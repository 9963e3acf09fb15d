"""Layer norm of each row, in tiles: the mean, the variance around it, then the result."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden



@triton.jit
def layer_norm_kernel(x_ptr, y_ptr, w_ptr, b_ptr, pitch, n, eps, TILE: tl.constexpr):
    x_ptr += tl.program_id(0) * pitch
    y_ptr += tl.program_id(0) * pitch
    total = tl.zeros([TILE], dtype=tl.float32)
    for start in range(0, n, TILE):
        column = start + tl.arange(0, TILE)
        total += tl.load(x_ptr + column, mask=column < n, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / n
    squares = tl.zeros([TILE], dtype=tl.float32)
    for start in range(0, n, TILE):
        column = start + tl.arange(0, TILE)
        x = tl.load(x_ptr + column, mask=column < n, other=0.0).to(tl.float32)
        x = tl.where(column < n, x - mean, 0.0)
        squares += x * x
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / n + eps)
    for start in range(0, n, TILE):
        column = start + tl.arange(0, TILE)
        mask = column < n
        w, b = tl.load(w_ptr + column, mask=mask), tl.load(b_ptr + column, mask=mask)
        x = tl.load(x_ptr + column, mask=mask, other=0.0).to(tl.float32)
        tl.store(y_ptr + column, (x - mean) * scale * w + b, mask=mask)


def layer_norm_launch(x, w, b, y, eps=1e-5):
    rows, n = x.shape
    layer_norm_kernel[(rows,)](x, y, w, b, n, n, eps, TILE=min(triton.next_power_of_2(n), 4096))


@golden.cases([(1, 16), (7, 100), (33, 1151), (3, 5000)], dtypes=["float16", "float32"])
def test_row_layer_norm(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype, low=-2, high=3, seed=1)
    w, b = golden.sample(shape[1:], dtype, low=0, high=1, seed=2), golden.sample(shape[1:], dtype, low=-1, high=1, seed=3)
    y = np.empty_like(x)
    layer_norm_launch(x, w, b, y)
    wide = x.astype(np.float64)
    golden.check(y, (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5) * w + b)


if __name__ == "__main__":
    golden.main(test_row_layer_norm, shape=(1151, 8192))
