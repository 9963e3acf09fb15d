"""A causal convolution of each channel with a few taps: what lies before the beginning is 0."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def conv1d_kernel(x_ptr, w_ptr, y_ptr, length, TAPS: tl.constexpr, TILE: tl.constexpr):
    channel = tl.program_id(0)
    at = tl.program_id(1) * TILE + tl.arange(0, TILE)
    acc = tl.zeros([TILE], tl.float32)
    for tap in tl.static_range(TAPS):
        source = at - (TAPS - 1) + tap
        x = tl.load(x_ptr + channel * length + source, mask=(source >= 0) & (source < length), other=0.0)
        acc += x * tl.load(w_ptr + channel * TAPS + tap)
    tl.store(y_ptr + channel * length + at, acc, mask=at < length)


def conv1d_launch(x, w, y):
    channels, length = x.shape
    conv1d_kernel[(channels, triton.cdiv(length, 1024))](x, w, y, length, TAPS=w.shape[1], TILE=1024)


# Shapes are channels x length x taps.
@golden.cases([(1, 5, 4), (7, 1500, 3)], dtypes=["float32"])
def test_causal_conv1d(platform, dtype, shape):
    golden.use(platform)
    channels, length, taps = shape
    x, w = golden.sample((channels, length), dtype, seed=1), golden.sample((channels, taps), dtype, seed=2)
    y = np.empty_like(x)
    conv1d_launch(x, w, y)
    wide = np.pad(x.astype(np.float64), ((0, 0), (taps - 1, 0)))
    golden.check(y, sum(wide[:, tap : tap + length] * w[:, tap : tap + 1] for tap in range(taps)))


if __name__ == "__main__":
    golden.main(test_causal_conv1d, shape=(64, 4096, 4))
