"""Dry launches: the cycles of a timed launch without its arithmetic, on arrays that need not exist."""

from pathlib import Path

import numpy as np
import pytest
from test_kernels import all_cases

import asc
import asc2
import golden
from asc.runtime import config

FACTS = ("cycles", "core_cycles", "busy", "busy_max", "hbm_bytes", "l2_bytes", "bound", "calls", "blocks")
# The scalar unit reads what the kernel computed, a sum, or what it loaded, numbers of rows: these run in full.
READS_SUMS = {"rms_norm_split_kernel", "layer_norm_split_kernel", "embedding_kernel", "route_kernel", "grouped_kernel"}
# What it reads an earlier launch computes, which is dry itself: its calls are those of numbers nobody has computed.
READS_ANOTHER_LAUNCH = {"grouped_kernel"}


def facts(report):
    return [
        {**{name: getattr(launch, name) for name in FACTS}, "lines": launch.lines()}
        for launch in report.launches
        if launch.kernel not in READS_ANOTHER_LAUNCH
    ]


@pytest.mark.parametrize("test, platform, dtype, shape", list(all_cases()))
def test_library_has_the_same_time_dry(monkeypatch, test, platform, dtype, shape):
    monkeypatch.setattr(golden, "check", lambda actual, expected: None)
    with asc.profile() as timed:
        test(platform, dtype, shape)
    with asc.profile(dry=True) as dry:
        test(platform, dtype, shape)
    assert facts(dry) == facts(timed) and timed.launches
    assert all(launch.dry != (launch.kernel in READS_SUMS) for launch in dry.launches)


@asc2.jit
def copy_kernel(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        asc2.store(asc2.load(x_gm, [tile], tile_id=[i]), y_gm, tile_id=[i])


@asc2.jit
def gather_rows(x_ptr, rows_ptr, y_ptr, rows, cols: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [rows, cols]), asc2.tensor(y_ptr, [rows, cols])
    rows_gm = asc2.tensor(rows_ptr, [rows])
    for i in asc2.range(asc2.block_idx(), rows, asc2.block_num()):
        source = asc2.load(rows_gm, offsets=[i])
        asc2.store(asc2.load(x_gm, [1, cols], offsets=[source, 0]), y_gm, offsets=[i, 0])


@asc2.jit
def until_small(x_ptr, y_ptr):
    x_gm, y_gm = asc2.tensor(x_ptr, [64]), asc2.tensor(y_ptr, [64])
    x = asc2.load(x_gm, [64], offsets=[0])
    while x.max() > 1.0:
        x = x * 0.5
    asc2.store(x, y_gm, offsets=[0])


def test_arrays_are_not_touched():
    x, y = np.ones(10000, np.float32), np.zeros(10000, np.float32)
    with asc.profile(dry=True) as report:
        copy_kernel[4](x, y, 10000, tile=1024)
    assert not y.any() and report.launches[0].dry
    copy_kernel[4](x, y, 10000, tile=1024)
    assert y.all()


@pytest.mark.parametrize("platform", golden.PLATFORMS)
def test_placeholders_take_the_time_of_arrays(platform):
    config.set_platform("Model", platform)
    x = np.zeros(100_000, np.float16)
    with asc.profile() as timed:
        copy_kernel[16](x, x.copy(), x.size, tile=2048)
        copy_kernel[16](x, x, x.size, tile=2048)  # in place: compiled apart
    one, other = asc2.placeholder(100_000, "float16"), asc2.placeholder_like(x)
    with asc.profile(dry=True) as dry:
        copy_kernel[16](one, other, one.size, tile=2048)
        copy_kernel[16](one, one, one.size, tile=2048)
    assert facts(dry) == facts(timed)


def test_huge_placeholders_need_no_memory():
    huge = asc2.placeholder((1 << 20, 1 << 20), np.float32)  # 4 TiB
    assert (huge.ndim, huge.nbytes, len(huge), huge.numel()) == (2, 1 << 42, 1 << 20, 1 << 40)
    with asc.profile(dry=True) as report:
        copy_kernel[8](huge, asc2.placeholder_like(huge), 1 << 20, tile=4096)
    assert report.cycles > 0


def test_reads_of_given_data_are_dry():
    """What decides the calls is in an array that the kernel does not write: its time depends on it, and is right."""
    rows, cols = 24, 256
    x, y = np.zeros((rows, cols), np.float32), np.zeros((rows, cols), np.float32)
    chosen = np.arange(rows, dtype=np.int32)[::-1].copy()
    with asc.profile() as timed:
        gather_rows[4](x, chosen, y, rows, cols=cols)
    with asc.profile(dry=True) as dry:
        gather_rows[4](asc2.placeholder_like(x), chosen, asc2.placeholder_like(y), rows, cols=cols)
    assert dry.launches[0].dry and facts(dry) == facts(timed)


def test_reads_of_computed_data_run_in_full_and_say_so():
    x, y = np.full(64, 100, np.float32), np.zeros(64, np.float32)
    with asc.profile() as timed:
        until_small[1](x, y)
    assert y.max() <= 1
    y[:] = -1
    with asc.profile(dry=True) as dry:
        until_small[1](x, y)
    launch = dry.launches[0]
    assert not launch.dry and launch.cycles == timed.launches[0].cycles
    assert launch.needs_data["line"] == until_small.first_line + 4  # the while
    assert (y == -1).all(), "the arrays of a dry launch stay as they are"


def test_a_placeholder_that_is_needed_is_an_error_with_its_place():
    absent = asc2.placeholder(64, "float32")
    with pytest.raises(asc.KernelError, match="no memory behind 'x_ptr', 'y_ptr'; pass arrays") as raised, asc.profile(dry=True):
        until_small[1](absent, asc2.placeholder_like(absent))
    assert "while x.max() > 1.0" in str(raised.value)


def test_a_placeholder_cannot_be_run():
    absent = asc2.placeholder(64, "float32")
    with pytest.raises(ValueError, match="argument 'x_ptr' is a placeholder, which has no memory"):
        copy_kernel[1](absent, np.zeros(64, np.float32), 64, tile=64)


@pytest.mark.parametrize(
    "shape, dtype, error",
    [
        ((4, -1), "float16", "cannot have a negative extent"),
        ((4, 4), "floaty", "needs the dtype of its elements"),
        ("ab", "float16", "needs a shape"),
        ((1 << 23, 1 << 23), "float16", "larger than any device memory"),
    ],
)
def test_placeholders_that_make_no_sense(shape, dtype, error):
    with pytest.raises((TypeError, ValueError), match=error):
        asc2.placeholder(shape, dtype)


def test_findings_are_found_dry():
    with pytest.raises(asc.KernelError, match="bounds"), asc.launch_mode(dry=True):
        copy_kernel[1](asc2.placeholder(64, "float32"), asc2.placeholder(64, "float32"), 128, tile=64)


def cpp(name):
    return asc.load_ascendc(str(Path(golden.__file__).parent / "ascendc" / name))


@pytest.mark.parametrize("platform", golden.PLATFORMS)
def test_cpp_kernels_have_the_same_time_dry(platform):
    """Queues, barriers the vendor's compiler adds, and on the 950 vector functions that must run to be counted."""
    config.set_platform("Model", platform)
    name, dtype, count = ("gelu_registers", np.float32, 1) if "950" in platform else ("add_custom", np.float16, 2)
    kernel = cpp(f"{name}.cpp")[name]
    x, z = np.ones(8192, dtype), np.zeros(8192, dtype)
    with asc.profile() as timed:
        kernel[4](*[x] * count, z, 8192)
    assert z.all()
    z[:] = 0
    with asc.profile(dry=True) as dry:
        kernel[4](*[x] * count, z, 8192)
    assert not z.any() and dry.launches[0].dry
    assert facts(dry) == facts(timed)


def test_cpp_kernels_that_read_results_run_in_full_on_copies():
    softmax = cpp("softmax_rows.cpp")["softmax_rows_float"]  # the scalar unit reads each row's maximum and sum
    x, y = np.ones((3, 64), np.float32), np.zeros((3, 64), np.float32)
    with asc.profile(dry=True) as dry:
        softmax[2](x, y, 3, 64)
    with asc.profile() as timed:
        softmax[2](x, x.copy(), 3, 64)
    assert not y.any() and not dry.launches[0].dry
    assert dry.cycles == timed.cycles
