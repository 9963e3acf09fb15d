"""Rotary embedding: halves of each row are turned by an angle for each pair."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden



@triton.jit
def rotary_kernel(x_ptr, cos_ptr, sin_ptr, y_ptr, HALF: tl.constexpr, TILE: tl.constexpr):
    row = tl.program_id(0)
    lane = tl.arange(0, TILE)
    mask = lane < HALF
    low, high = row * 2 * HALF + lane, row * 2 * HALF + HALF + lane
    a, b = tl.load(x_ptr + low, mask=mask), tl.load(x_ptr + high, mask=mask)
    c, s = tl.load(cos_ptr + row * HALF + lane, mask=mask), tl.load(sin_ptr + row * HALF + lane, mask=mask)
    tl.store(y_ptr + low, a * c - b * s, mask=mask)
    tl.store(y_ptr + high, b * c + a * s, mask=mask)


def rotary_launch(x, cos, sin, y):
    rows, width = x.shape
    rotary_kernel[(rows,)](x, cos, sin, y, HALF=width // 2, TILE=triton.next_power_of_2(width // 2))


@golden.cases([(1, 32), (37, 128), (9, 60)], dtypes=["float32"])
def test_rotary(platform, dtype, shape):
    golden.use(platform)
    rows, width = shape
    x = golden.sample(shape, dtype, seed=1)
    angle = golden.sample((rows, width // 2), dtype, low=0, high=6, seed=2)
    cos, sin, y = np.cos(angle), np.sin(angle), np.empty_like(x)
    rotary_launch(x, cos, sin, y)
    a, b = np.split(x.astype(np.float64), 2, axis=1)
    golden.check(y, np.concatenate([a * cos - b * sin, b * cos + a * sin], 1))


if __name__ == "__main__":
    golden.main(test_rotary, shape=(512, 128))
