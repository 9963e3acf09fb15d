"""The largest elements of each row, in order: sorted in a tile, of which the beginning is kept."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def top_k_kernel(x_ptr, y_ptr, n, k, TILE: tl.constexpr):
    column = tl.arange(0, TILE)
    x = tl.load(x_ptr + tl.program_id(0) * n + column, mask=column < n, other=-float("inf"))
    tl.store(y_ptr + tl.program_id(0) * k + column, tl.sort(x, descending=True), mask=column < k)


def top_k_launch(x, y):
    rows, n = x.shape
    top_k_kernel[(rows,)](x, y, n, y.shape[1], TILE=triton.next_power_of_2(n))


# Shapes are rows x columns x how many are kept.
@golden.cases([(1, 8, 1), (7, 100, 5)], dtypes=["float16", "float32"])
def test_sorted_top_k(platform, dtype, shape):
    golden.use(platform)
    rows, n, k = shape
    x, y = golden.sample((rows, n), dtype, seed=1), np.empty((rows, k), dtype)
    top_k_launch(x, y)
    golden.check(y, -np.sort(-x.astype(np.float64), axis=1)[:, :k])


if __name__ == "__main__":
    golden.main(test_sorted_top_k, shape=(48, 1024, 16))
