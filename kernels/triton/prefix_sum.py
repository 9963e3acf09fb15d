"""Running sums of each row: a scan with a function in each tile, and what came before carried on."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def plus(a, b):
    return a + b


@triton.jit
def prefix_sum_kernel(x_ptr, y_ptr, n, TILE: tl.constexpr):
    before = 0.0
    for start in range(0, n, TILE):
        column = start + tl.arange(0, TILE)
        x = tl.load(x_ptr + tl.program_id(0) * n + column, mask=column < n, other=0.0).to(tl.float32)
        tl.store(y_ptr + tl.program_id(0) * n + column, before + tl.associative_scan(x, 0, plus), mask=column < n)
        before += tl.sum(x, axis=0)


def prefix_sum_launch(x, y):
    rows, n = x.shape
    prefix_sum_kernel[(rows,)](x, y, n, TILE=256)


@golden.cases([(1, 1), (5, 300), (3, 1000)], dtypes=["float16", "float32"])
def test_prefix_sum(platform, dtype, shape):
    golden.use(platform)
    x, y = golden.sample(shape, dtype, low=0, high=1, seed=1), np.empty(shape, np.float32)
    prefix_sum_launch(x, y)
    golden.check(y, np.cumsum(x.astype(np.float64), axis=1))


if __name__ == "__main__":
    golden.main(test_prefix_sum, shape=(48, 4096))
