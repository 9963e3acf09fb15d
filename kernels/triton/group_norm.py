"""Group norm: channels of one group share mean and variance, each has its own weight and bias."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def group_norm_kernel(x_ptr, y_ptr, w_ptr, b_ptr, groups, size, eps, CHANNELS: tl.constexpr, TILE: tl.constexpr):
    group = tl.program_id(0) % groups
    x_ptr += tl.program_id(0) * CHANNELS * size
    y_ptr += tl.program_id(0) * CHANNELS * size
    channel, column = tl.arange(0, CHANNELS)[:, None], tl.arange(0, TILE)[None, :]
    inside = column < size
    x = tl.load(x_ptr + channel * size + column, mask=inside, other=0.0).to(tl.float32)
    count = CHANNELS * size
    mean = tl.sum(x) / count
    centred = tl.where(inside, x - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred) / count + eps)
    w, b = tl.load(w_ptr + group * CHANNELS + channel), tl.load(b_ptr + group * CHANNELS + channel)
    tl.store(y_ptr + channel * size + column, centred * scale * w + b, mask=inside)


def group_norm_launch(x, w, b, y, groups, eps=1e-5):
    batch, channels, size = x.shape
    group_norm_kernel[(batch * groups,)](x, y, w, b, groups, size, eps, CHANNELS=channels // groups, TILE=triton.next_power_of_2(size))


# Shapes are batch x groups x channels of a group x elements of a channel.
@golden.cases([(1, 1, 1, 16), (2, 3, 4, 100)], dtypes=["float16", "float32"])
def test_group_norm(platform, dtype, shape):
    golden.use(platform)
    batch, groups, each, size = shape
    x = golden.sample((batch, groups * each, size), dtype, low=-2, high=3, seed=1)
    w, b = (golden.sample((groups * each,), dtype, low=0, high=1, seed=seed) for seed in (2, 3))
    y = np.empty_like(x)
    group_norm_launch(x, w, b, y, groups)
    wide = x.astype(np.float64).reshape(batch, groups, -1)
    normal = (wide - wide.mean(2, keepdims=True)) / np.sqrt(wide.var(2, keepdims=True) + 1e-5)
    golden.check(y, normal.reshape(x.shape) * w.astype(np.float64)[:, None] + b.astype(np.float64)[:, None])


if __name__ == "__main__":
    golden.main(test_group_norm, shape=(8, 8, 8, 256))
