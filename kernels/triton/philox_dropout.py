"""Elements are dropped with a probability, the others scaled up; which, random numbers by philox say."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def dropout_kernel(x_ptr, y_ptr, n, drop, seed, TILE: tl.constexpr):
    offsets = tl.program_id(0) * TILE + tl.arange(0, TILE)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    keep = tl.rand(seed, offsets) > drop
    tl.store(y_ptr + offsets, tl.where(keep, x / (1 - drop), 0.0), mask=offsets < n)


def dropout_launch(x, y, drop=0.25, seed=11):
    dropout_kernel[(triton.cdiv(x.size, 1024),)](x, y, x.size, drop, seed, TILE=1024)


@golden.cases([(1,), (5000,)], dtypes=["float32"])
def test_philox_dropout(platform, dtype, shape):
    golden.use(platform)
    x, y = golden.sample(shape, dtype, low=1, high=2, seed=1), np.empty(shape, dtype)
    dropout_launch(x, y)
    assert shape[0] < 100 or 0.22 < (y == 0).mean() < 0.28
    golden.check(y, np.where(y == 0, 0, x.astype(np.float64) / 0.75))


if __name__ == "__main__":
    golden.main(test_philox_dropout, shape=(98432,))
