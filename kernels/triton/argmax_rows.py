"""The largest element of each row and where it stands: the best of each tile against the best so far."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def argmax_kernel(x_ptr, value_ptr, place_ptr, n, TILE: tl.constexpr):
    row = tl.program_id(0)
    best, place = -float("inf"), 0
    for start in range(0, n, TILE):
        column = start + tl.arange(0, TILE)
        x = tl.load(x_ptr + row * n + column, mask=column < n, other=-float("inf"))
        value, where = tl.max(x, axis=0, return_indices=True)
        better = value > best
        best, place = tl.where(better, value, best), tl.where(better, start + where, place)
    tl.store(value_ptr + row, best)
    tl.store(place_ptr + row, place)


def argmax_launch(x, value, place):
    rows, n = x.shape
    argmax_kernel[(rows,)](x, value, place, n, TILE=min(triton.next_power_of_2(n), 4096))


@golden.cases([(1, 1), (9, 100), (3, 5000)], dtypes=["float32"])
def test_argmax_rows(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype, seed=1)
    value, place = np.empty(shape[0], dtype), np.empty(shape[0], np.int32)
    argmax_launch(x, value, place)
    golden.check(place, x.argmax(axis=1))
    golden.check(value, x.max(axis=1))


if __name__ == "__main__":
    golden.main(test_argmax_rows, shape=(48, 8192))
