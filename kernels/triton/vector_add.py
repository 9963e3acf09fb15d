"""z = x + y: one program for each tile, and a mask for what hangs over the end."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden



@triton.jit
def add_kernel(x_ptr, y_ptr, z_ptr, n, TILE: tl.constexpr):
    offsets = tl.program_id(0) * TILE + tl.arange(0, TILE)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(z_ptr + offsets, x + y, mask=mask)


def add_launch(x, y, z):
    add_kernel[lambda meta: (triton.cdiv(x.size, meta["TILE"]),)](x, y, z, x.size, TILE=2048)


@golden.cases([(1,), (1000,), (4096,), (70001,)], dtypes=["float32", "float16", "int32"])
def test_vector_add(platform, dtype, shape):
    golden.use(platform)
    x, y = golden.sample(shape, dtype, seed=1), golden.sample(shape, dtype, seed=2)
    z = np.empty_like(x)
    add_launch(x, y, z)
    golden.check(z, x + y)


if __name__ == "__main__":
    golden.main(test_vector_add, shape=(98432,))
