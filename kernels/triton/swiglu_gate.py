"""silu(a) b of the two halves of each row."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def swiglu_kernel(x_ptr, y_ptr, n, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    for start in range(0, n, TILE):
        column = start + tl.arange(0, TILE)
        mask = column < n
        a = tl.load(x_ptr + row * 2 * n + column, mask=mask, other=0.0).to(tl.float32)
        b = tl.load(x_ptr + row * 2 * n + n + column, mask=mask, other=0.0)
        tl.store(y_ptr + row * n + column, a * tl.sigmoid(a) * b, mask=mask)


def swiglu_launch(x, y):
    rows, n = y.shape
    swiglu_kernel[(rows,)](x, y, n, TILE=min(triton.next_power_of_2(n), 4096))


@golden.cases([(1, 7), (13, 300), (3, 5000)], dtypes=["float16", "float32"])
def test_swiglu_gate(platform, dtype, shape):
    golden.use(platform)
    rows, n = shape
    x = golden.sample((rows, 2 * n), dtype)
    y = np.empty((rows, n), dtype)
    swiglu_launch(x, y)
    a, b = np.split(x.astype(np.float64), 2, axis=1)
    golden.check(y, a / (1 + np.exp(-a)) * b)


if __name__ == "__main__":
    golden.main(test_swiglu_gate, shape=(512, 4096))
