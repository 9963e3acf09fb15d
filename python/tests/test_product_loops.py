"""Loops over k as users write them: what the compiler makes of them (deeper loads, rings, steps, parts) changes no result.

Every kernel is clean in checked mode, and gives the bytes of its first optimisation level.
"""

import asc
import asc2
import numpy as np
import pytest
import torch
from asc.runtime import config

PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]
DTYPES = ["float16", "bfloat16", "float32"]


@pytest.fixture(autouse=True, params=PLATFORMS)
def platform(request):
    config.set_platform(config.Backend.Model, request.param)
    return request.param


def one_level(a_ptr, b_ptr, c_ptr, m, n, k, tm: asc.ConstExpr[int], tn: asc.ConstExpr[int], tk: asc.ConstExpr[int]):
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(b_ptr, [k, n]), asc2.tensor(c_ptr, [m, n])
    columns = asc.ceildiv(n, tn)
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tm) * columns, asc2.block_num()):
        acc = asc2.zeros_acc([tm, tn], asc.float32)
        for j in asc2.range(asc.ceildiv(k, tk)):
            a = asc2.load(a_gm, [tm, tk], tile_id=[i // columns, j])
            b = asc2.load(b_gm, [tk, tn], tile_id=[j, i % columns])
            asc2.matmul_acc(a, b, acc)
        asc2.store(acc, c_gm, tile_id=[i // columns, i % columns])


def by_offsets(a_ptr, b_ptr, c_ptr, m, n, k, tm: asc.ConstExpr[int], tn: asc.ConstExpr[int], tk: asc.ConstExpr[int]):
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(b_ptr, [k, n]), asc2.tensor(c_ptr, [m, n])
    for row in asc2.range(asc2.block_idx() * tm, m, asc2.block_num() * tm):
        for column in asc2.range(0, n, tn):
            acc = asc2.zeros_acc([tm, tn], asc.float32)
            for j in asc2.range(0, k, tk):
                a = asc2.load(a_gm, [tm, tk], offsets=[row, j])
                asc2.matmul_acc(a, asc2.load(b_gm, [tk, tn], offsets=[j, column]), acc)
            asc2.store(asc2.relu(acc), c_gm, offsets=[row, column])


def two_products(a_ptr, b_ptr, c_ptr, m, n, k, tm: asc.ConstExpr[int], tn: asc.ConstExpr[int], tk: asc.ConstExpr[int]):
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(b_ptr, [k, n]), asc2.tensor(c_ptr, [m, n])
    row = asc2.block_idx() * tm
    left, right = asc2.zeros_acc([tm, tn // 2], asc.float32), asc2.zeros_acc([tm, tn // 2], asc.float32)
    for j in asc2.range(asc.ceildiv(k, tk)):
        a = asc2.load(a_gm, [tm, tk], offsets=[row, j * tk])
        asc2.matmul_acc(a, asc2.load(b_gm, [tk, tn // 2], offsets=[j * tk, 0]), left)
        asc2.matmul_acc(a, asc2.load(b_gm, [tk, tn // 2], offsets=[j * tk, tn // 2]), right)
    asc2.store(left, c_gm, offsets=[row, 0])
    asc2.store(right, c_gm, offsets=[row, tn // 2])


def whole_k(a_ptr, b_ptr, c_ptr, m, n, k, tm: asc.ConstExpr[int], tn: asc.ConstExpr[int], tk: asc.ConstExpr[int]):
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(b_ptr, [k, n]), asc2.tensor(c_ptr, [m, n])
    for row in asc2.range(asc2.block_idx(), asc.ceildiv(m, tm), asc2.block_num()):
        a = asc2.load(a_gm, [tm, tk], tile_id=[row, 0])
        for column in asc2.range(asc.ceildiv(n, tn)):
            b = asc2.load(b_gm, [tk, tn], tile_id=[0, column])
            asc2.store(a @ b, c_gm, tile_id=[row, column])


def launch(kernel, level, arrays, *args, blocks=2):
    c = torch.full((arrays[0].shape[0], arrays[1].shape[1]), 7.0)
    with asc.check() as report:
        asc2.jit(opt_level=level)(kernel)[blocks](*arrays, c, *args)
    assert not report.findings, "\n".join(map(str, report.findings))
    return c


def operands(m, n, k, dtype, seed=0):
    draw = np.random.default_rng(seed)
    return [torch.from_numpy(draw.standard_normal(shape, np.float32)).to(getattr(torch, dtype)) for shape in ((m, k), (k, n))]


SHAPES = [
    (one_level, 130, 270, 1000, 128, 256, 64),  # a ring of deep loads, and a tail inside a tile
    (one_level, 64, 64, 16, 32, 32, 16),  # one iteration where several would be done
    (one_level, 33, 40, 331, 32, 48, 32),
    (by_offsets, 100, 96, 700, 64, 64, 48),
    (by_offsets, 40, 512, 256, 16, 512, 64),
    (two_products, 90, 128, 520, 48, 128, 64),
    (whole_k, 130, 500, 256, 128, 256, 256),  # the tiles of float32 do not fit into L1 twice
    (one_level, 128, 300, 1100, 128, 256, 128),  # right operands in pieces, the last of which take no part
]


@pytest.mark.parametrize("case", SHAPES, ids=lambda case: "-".join(str(getattr(x, "__name__", x)) for x in case))
@pytest.mark.parametrize("dtype", DTYPES)
def test_results_are_those_of_the_loop_as_written(case, dtype):
    """Deeper loads would add other elements, in another order, or miss the last ones."""
    kernel, m, n, k, *tiles = case
    arrays = operands(m, n, k, dtype)
    c = launch(kernel, 2, arrays, m, n, k, *tiles)
    assert torch.equal(c, launch(kernel, 1, arrays, m, n, k, *tiles))
    exact = arrays[0].double() @ arrays[1].double()
    if kernel is by_offsets:
        exact = exact.relu()
    torch.testing.assert_close(c.double(), exact, rtol=1e-3, atol=1e-2)


def part_of_k(a_ptr, b_ptr, c_ptr, k, first, last, tk: asc.ConstExpr[int]):
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [32, k]), asc2.tensor(b_ptr, [k, 32]), asc2.tensor(c_ptr, [32, 32])
    acc = asc2.zeros_acc([32, 32], asc.float32)
    for j in asc2.range(first, last):
        asc2.matmul_acc(asc2.load(a_gm, [32, tk], tile_id=[0, j]), asc2.load(b_gm, [tk, 32], tile_id=[j, 0]), acc)
    asc2.store(acc, c_gm, offsets=[0, 0])


def test_short_loads_become_long_ones():
    """The row of a tile is computed inside the loop over k: that is no reason to load 128 bytes of a row at a time."""
    with asc.profile(dry=True) as report:
        arrays = [asc2.placeholder(shape, "float16") for shape in ((512, 2048), (2048, 512))]
        asc2.jit(one_level)[4](*arrays, asc2.placeholder((512, 512), "float32"), 512, 512, 2048, 128, 128, 64)
    deep = {tile.name: tile.shape for tile in report.launches[0].tiles if tile.memory == "L1"}
    is_950 = config.current_platform().value.startswith("Ascend950")
    assert deep["a"] == ("[128, 128] float16" if is_950 else "[128, 512] float16")


@pytest.mark.parametrize("first, last", [(0, 1), (3, 8), (2, 19), (5, 5), (9, 2), (18, 40)])
def test_a_loop_over_a_part_of_k_reads_nothing_behind_it(first, last):
    """What lies behind the loop's end is NaN here: a load that reads on would bring it into the result."""
    k, tk = 20 * 32, 32
    a, b = operands(32, 32, k, "float16")
    for array, axis in ((a, 1), (b, 0)):
        array.narrow(axis, 0, first * tk)[:] = float("nan")
        end = min(max(first, last) * tk, k)
        array.narrow(axis, end, k - end)[:] = float("nan")
    c = launch(part_of_k, 2, (a, b), k, first, last, tk, blocks=1)
    inside = slice(first * tk, last * tk)
    exact = a[:, inside].double() @ b[inside].double()
    torch.testing.assert_close(c.double(), exact, rtol=1e-3, atol=1e-2)
    assert torch.equal(c, launch(part_of_k, 1, (a, b), k, first, last, tk, blocks=1))
