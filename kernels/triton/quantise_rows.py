"""Rows to bytes with a scale each, the largest absolute value over 127."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl
from triton.language.extra.cann.libdevice import rint

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def quantise_kernel(x_ptr, q_ptr, scale_ptr, n, TILE: tl.constexpr):
    row, column = tl.program_id(0), tl.arange(0, TILE)
    x = tl.load(x_ptr + row * n + column, mask=column < n, other=0.0).to(tl.float32)
    scale = tl.max(tl.abs(x), axis=0) / 127.0
    tl.store(q_ptr + row * n + column, rint(x / scale).to(tl.int8), mask=column < n)
    tl.store(scale_ptr + row, scale)


def quantise_launch(x, q, scale):
    rows, n = x.shape
    quantise_kernel[(rows,)](x, q, scale, n, TILE=triton.next_power_of_2(n))


@golden.cases([(1, 40), (9, 500)], dtypes=["float32"])
def test_quantise_rows(platform, dtype, shape):
    golden.use(platform)
    x = golden.sample(shape, dtype)
    q, scale = np.empty(shape, np.int8), np.empty(shape[0], np.float32)
    quantise_launch(x, q, scale)
    golden.check(scale, np.abs(x.astype(np.float64)).max(1) / 127)
    assert np.abs(q - x / scale[:, None]).max() < 0.501


if __name__ == "__main__":
    golden.main(test_quantise_rows, shape=(256, 4096))
