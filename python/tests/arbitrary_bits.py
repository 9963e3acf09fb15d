"""Kernels on arbitrary bits; prints a hash of what each wrote and the NaNs in it. Run by test_cpu_levels.py at every CPU level."""

import hashlib
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "kernels"))

import asc
import asc2
import golden
import matmul


@asc2.jit
def chain(x_ptr, y_ptr, out_ptr, sums_ptr, scalar, tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [8, tile])
    y_gm = asc2.tensor(y_ptr, [8, tile])
    out_gm = asc2.tensor(out_ptr, [8, tile])
    sums_gm = asc2.tensor(sums_ptr, [8, 1])
    for i in asc2.range(asc2.block_idx(), 8, asc2.block_num()):
        x = asc2.load(x_gm, [1, tile], offsets=[i, 0])
        y = asc2.load(y_gm, [1, tile], offsets=[i, 0])
        z = asc2.where(x > y, x, asc2.maximum(x * y, y)) + x / y - asc2.exp(x) * scalar
        z = asc2.where(x < y, z, asc2.abs(x))
        asc2.store(z, out_gm, offsets=[i, 0])
        asc2.store(asc2.reduce_sum(asc2.sqrt(x) + y, 1, keep_dims=True), sums_gm, offsets=[i, 0])


random = np.random.default_rng(11)


def bits(shape, dtype):
    return random.integers(0, 256, (*shape[:-1], shape[-1] * np.dtype(dtype).itemsize), dtype=np.uint8).view(dtype)


for platform in golden.PLATFORMS:
    golden.use(platform)
    for dtype in ("float16", "float32"):
        x, y = bits((8, 1008), dtype), bits((8, 1008), dtype)
        out, sums = np.zeros_like(x), np.zeros((8, 1), dtype)
        chain[4](x, y, out, sums, 0.7, tile=1008)
        a, b, c = bits((48, 80), "float16"), bits((80, 33), "float16"), np.zeros((48, 33), "float32")
        matmul.matmul_launch(a, b, c)
        for array in (out, sums, c):
            nan = np.unique(array[np.isnan(array)].view(f"u{array.itemsize}"))
            print(platform, dtype, hashlib.sha256(array.tobytes()).hexdigest(), *map(hex, nan))
