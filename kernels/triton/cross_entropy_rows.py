"""Cross entropy of each row with its label: a running maximum and a running sum of exponentials."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def cross_entropy_kernel(x_ptr, label_ptr, loss_ptr, n, TILE: tl.constexpr):
    row = tl.program_id(0)
    top, total = tl.full((1,), -float("inf"), tl.float32), tl.zeros((1,), tl.float32)
    for start in range(0, n, TILE):
        column = start + tl.arange(0, TILE)
        x = tl.load(x_ptr + row * n + column, mask=column < n, other=-float("inf")).to(tl.float32)
        new = tl.maximum(top, tl.max(x))
        total = total * tl.exp(top - new) + tl.sum(tl.exp(x - new))
        top = new
    seen = tl.load(x_ptr + row * n + tl.load(label_ptr + row)).to(tl.float32)
    tl.store(loss_ptr + row, tl.log(total) + top - seen)


def cross_entropy_launch(x, labels, loss):
    rows, n = x.shape
    cross_entropy_kernel[(rows,)](x, labels, loss, n, TILE=min(triton.next_power_of_2(n), 4096))


@golden.cases([(1, 5), (11, 100), (4, 9000)], dtypes=["float32"])
def test_cross_entropy_rows(platform, dtype, shape):
    golden.use(platform)
    rows, n = shape
    x = golden.sample(shape, dtype)
    labels = np.random.default_rng(1).integers(0, n, rows, dtype=np.int32)
    loss = np.empty(rows, np.float32)
    cross_entropy_launch(x, labels, loss)
    wide = x.astype(np.float64)
    golden.check(loss, np.log(np.exp(wide - wide.max(1, keepdims=True)).sum(1)) + wide.max(1) - wide[np.arange(rows), labels])


if __name__ == "__main__":
    golden.main(test_cross_entropy_rows, shape=(128, 32000))
