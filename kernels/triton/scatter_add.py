"""Rows are added to the rows of a table that an index names, atomically: several may name one."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden


@triton.jit
def scatter_add_kernel(index_ptr, x_ptr, table_ptr, n, width, TILE: tl.constexpr):
    column = tl.program_id(1) * TILE + tl.arange(0, TILE)
    to = tl.load(index_ptr + tl.program_id(0))
    x = tl.load(x_ptr + tl.program_id(0) * width + column, mask=column < width, other=0.0)
    tl.atomic_add(table_ptr + to * width + column, x, mask=column < width)


def scatter_add_launch(index, x, table):
    n, width = x.shape
    tile = min(triton.next_power_of_2(width), 1024)
    scatter_add_kernel[(n, triton.cdiv(width, tile))](index, x, table, n, width, TILE=tile)


# Shapes are rows of the input x rows of the table x width.
@golden.cases([(1, 1, 8), (50, 7, 100)], dtypes=["float32"])
def test_scatter_add(platform, dtype, shape):
    golden.use(platform)
    n, rows, width = shape
    index = np.random.default_rng(1).integers(0, rows, n, dtype=np.int32)
    x, table = golden.sample((n, width), dtype, low=0, high=1, seed=2), golden.sample((rows, width), dtype, low=0, high=1, seed=3)
    expected = table.astype(np.float64)
    np.add.at(expected, index, x)
    scatter_add_launch(index, x, table)
    golden.check(table, expected)


if __name__ == "__main__":
    golden.main(test_scatter_add, shape=(512, 64, 256))
