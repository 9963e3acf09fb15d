"""How often each number occurs: every element adds one to its bin, atomically."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def histogram_kernel(x_ptr, bins_ptr, n, TILE: tl.constexpr):
    offsets = tl.program_id(0) * TILE + tl.arange(0, TILE)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0)
    tl.atomic_add(bins_ptr + x, 1, mask=offsets < n)


def histogram_launch(x, bins):
    bins[:] = 0
    histogram_kernel[(triton.cdiv(x.size, 128),)](x, bins, x.size, TILE=128)


# Shapes are elements x bins.
@golden.cases([(1, 1), (300, 10)], dtypes=["int32"])
def test_histogram_bins(platform, dtype, shape):
    golden.use(platform)
    n, count = shape
    x = np.random.default_rng(1).integers(0, count, n, dtype=np.int32)
    bins = np.empty(count, np.int32)
    histogram_launch(x, bins)
    golden.check(bins, np.bincount(x, minlength=count))


if __name__ == "__main__":
    golden.main(test_histogram_bins, shape=(1000, 16))
