"""Rows of a table by numbers that a kernel loads: each is one move."""

import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.append(str(Path(__file__).parents[1]))
import golden



@triton.jit
def embedding_kernel(ids_ptr, table_ptr, out_ptr, count, width, TILE: tl.constexpr, WIDE: tl.constexpr):
    place, column = tl.program_id(0) * TILE + tl.arange(0, TILE), tl.arange(0, WIDE)
    ids = tl.load(ids_ptr + place, mask=place < count, other=0)
    mask = (place[:, None] < count) & (column[None, :] < width)
    rows = tl.load(table_ptr + ids[:, None] * width + column[None, :], mask=mask)
    tl.store(out_ptr + place[:, None] * width + column[None, :], rows, mask=mask)


def embedding_launch(ids, table, out):
    width = table.shape[1]
    embedding_kernel[(triton.cdiv(ids.size, 32),)](ids, table, out, ids.size, width, TILE=32, WIDE=triton.next_power_of_2(width))


# Shapes are rows of the table x its columns x numbers.
@golden.cases([(10, 16, 1), (100, 64, 37), (50, 100, 70)], dtypes=["float32", "float16"])
def test_embedding_rows(platform, dtype, shape):
    golden.use(platform)
    rows, width, count = shape
    table = golden.sample((rows, width), dtype)
    ids = np.random.default_rng(1).integers(0, rows, count, dtype=np.int32)
    out = np.empty((count, width), dtype)
    embedding_launch(ids, table, out)
    golden.check(out, table[ids])


if __name__ == "__main__":
    golden.main(test_embedding_rows, shape=(1000, 128, 4096))
