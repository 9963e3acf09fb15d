"""Reductions of short rows: many are reduced at once, in the one order of all reductions.

What could go wrong: rows that run into each other, the last repeat or register, a lane past the end that is counted, an order of sums
that differs between platforms, the sign of a sum of zeros, NaN.
"""

import numpy as np
import pytest
from observed import launch

import asc
import asc2
from asc.runtime import config
from asc2 import placeholder


@asc2.jit
def reduce_kernel(x_ptr, y_ptr, rows, kind: asc.ConstExpr[str], cols: asc.ConstExpr[int], tile: asc.ConstExpr[int]):
    x_gm = asc2.tensor(x_ptr, [rows * cols])
    y_gm = asc2.tensor(y_ptr, [rows])
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, tile), asc2.block_num()):
        x = asc2.reshape(asc2.load(x_gm, [tile * cols], tile_id=[i]), tile, cols)
        if kind == "sum":
            y = asc2.reduce_sum(x, 1)
        elif kind == "max":
            y = asc2.reduce_max(x, 1)
        else:
            y = asc2.reduce_min(x, 1)
        asc2.store(y, y_gm, tile_id=[i])


def tree(x):
    """Element j into lane j, then a tree over 64 neighbours; in floats, rounded once."""
    lanes = np.zeros((len(x), 64), np.float32)
    lanes[:, : x.shape[1]] = x
    while lanes.shape[1] > 1:
        lanes = lanes[:, 0::2] + lanes[:, 1::2]
    return lanes[:, 0]


@pytest.mark.parametrize("platform", [config.Platform.Ascend910B1, config.Platform.Ascend950PR_9599])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("cols", [2, 4, 8, 16, 32])
@pytest.mark.parametrize("rows, tile", [(1000, 96), (37, 16), (3, 32)])
def test_reductions_of_short_rows(platform, dtype, cols, rows, tile):
    config.set_platform(config.Backend.Model, platform)
    x = np.random.default_rng(cols).uniform(-4, 4, (rows, cols)).astype(dtype)
    x[0], x[1, -1] = -0.0, np.nan
    for kind in ("sum", "max", "min"):
        y = np.empty(rows, dtype)
        launch(reduce_kernel, 2, x, y, rows, kind=kind, cols=cols, tile=tile)
        expected = tree(x.astype(np.float32)).astype(dtype) if kind == "sum" else getattr(x, kind)(axis=1)
        np.testing.assert_array_equal(y, expected)
        assert np.signbit(y[0]) == (kind != "sum")


@pytest.mark.parametrize("platform", [config.Platform.Ascend910B1, config.Platform.Ascend950PR_9599])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("cols", [4, 8, 16])
def test_sums_of_short_rows_take_little_longer_than_the_memory(platform, dtype, cols):
    """1.3 times what HBM needs for the bytes; a row at a time took three to seven."""
    config.set_platform(config.Backend.Model, platform)
    rows, tile = (1 << 24) // cols, 32768 // (cols * np.dtype(dtype).itemsize)
    with asc.profile(dry=True) as report:
        reduce_kernel[config.core_count("vector")](
            placeholder((rows, cols), dtype), placeholder((rows,), dtype), rows, kind="sum", cols=cols, tile=tile
        )
    record = report.launches[0]
    memory = record.hbm_read / record.hbm_mbps + record.hbm_written / record.hbm_write_mbps
    assert record.time_us < 1.3 * memory
