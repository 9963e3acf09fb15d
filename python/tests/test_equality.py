"""Emitted Ascend C, compiled by ordinary compilers, is the kernel: the same calls, the same bytes, the same cycles.

Every kernel of the library runs on all its shapes as machine code of the JIT, and as emitted source through include/ascendc with
every compiler that is here. Scalar code, addresses, flags, vector functions, each must agree; a difference shows its first call.
The comparison is that of `./dev equality` (tools/equality.py).
"""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import asc
import asc2
import ascendc
from asc.runtime import config
from asc.runtime.emit import captured

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))

import equality
import golden

JOBS = int(os.environ.get("TILESMITH_JOBS", os.cpu_count() or 1))


@pytest.fixture(scope="module")
def roads():
    return [equality.Road(compiler) for compiler in equality.compilers()]


def groups():
    """All of the library; of kernels/pypto short runs take three operators, others every day."""
    rows = list(equality.groups(golden.PLATFORMS))
    operators = sorted({name for name, *_ in rows if name.startswith("pypto/")})
    if not os.environ.get("TILESMITH_LONG"):
        chosen = random.Random(int(time.time()) // 86400).sample(operators, 3)
        rows = [row for row in rows if row[0] in chosen or not row[0].startswith("pypto/")]
    for name, test, platform, dtype in rows:
        yield pytest.param(name, test, platform, dtype, id=f"{name}-{platform}-{dtype}")


@pytest.mark.parametrize("name, test, platform, dtype", list(groups()))
def test_emitted_source_is_the_kernel(roads, name, test, platform, dtype):
    rows = equality.compare(name, test, platform, dtype, roads, JOBS)
    assert [row.compiler for row in rows] == equality.compilers()
    for row in rows:
        assert row.difference is None, f"{row.compiler}: {row.difference}"
        assert row.shapes == len(test.shapes) and row.launches >= row.shapes and row.calls > 0 and row.cycles > 0


def test_both_compilers_are_here():
    """In CI both are: a run without one of them would show less than it says."""
    assert len(equality.compilers()) == 2


def command(*arguments):
    return subprocess.run([sys.executable, ROOT / "tools/equality.py", "--compiler", "g++", *arguments], capture_output=True, text=True)


# What a wrong printer could do to abs in float16 on the 910B, and the calls the command must show: the JIT's, and the other one.
MISTAKES = {
    "operand": ("Abs(x, x, 4096)", "Abs(x, x, 4095)", "abs.F32 dst=UB 180224, src=UB 180224, count=4096",
                "abs.F32 dst=UB 180224, src=UB 180224, count=4095"),
    "barrier": ("    AscendC::PipeBarrier<PIPE_V>();\n    AscendC::Abs(", "    AscendC::Abs(", "pipe_barrier on=1",
                "abs.F32 dst=UB 180224, src=UB 180224, count=4096"),
    "flag": ("SetFlag<AscendC::HardEvent::V_MTE2>(1)", "SetFlag<AscendC::HardEvent::V_MTE2>(3)", "set_flag from=1, to=4, id=1",
             "set_flag from=1, to=4, id=3"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_call_is_found(mistake):
    """The comparison has teeth: one call of the emitted source is changed, or left out, and it is what the command shows.

    A barrier on V is what the Machine adds to people's own C++; emitted code must bring it along.
    """
    old, new, left, right = MISTAKES[mistake]
    done = command("--kernel", "abs", "--platform", "Ascend910B1", "--replace", old, new)
    assert done.returncode == 1, done.stdout + done.stderr
    _, row, place, one, other, *_ = done.stdout.splitlines()
    assert row.split()[2] == "float16" and row.endswith("DIFFERENT")
    assert place.startswith("  1: block 0, call ")
    assert (one.split(None, 1), other.split(None, 1)) == (["left:", left], ["right:", right])
    assert "left at " in done.stdout and "abs.py:2" in done.stdout and "right at " in done.stdout


def test_source_that_does_not_compile_is_a_difference():
    done = command("--kernel", "abs", "--platform", "Ascend950PR_9599", "--replace", "asc_vf_call<", "no_such_call<", "--json")
    assert done.returncode == 1
    facts = json.loads(done.stdout)
    assert not facts["equal"] and all("no_such_call" in row["difference"] for row in facts["rows"])
    assert [(row["kernel"], row["dtype"]) for row in facts["rows"]] == [("abs", "float16"), ("abs", "float32")]


def test_the_table(tmp_path):
    done = command("--kernel", "abs", "--platform", "Ascend910B1")
    assert done.returncode == 0, done.stderr
    head, one, two, last = done.stdout.splitlines()
    assert head.split() == ["kernel", "platform", "dtype", "compiler", "shapes", "launches", "sources", "calls", "cycles"]
    assert one.split()[:6] == ["abs", "Ascend910B1", "float16", "g++", "10", "10"] and one.endswith("equal")
    assert two.split()[2] == "float32" and last.startswith("20 launches compared, ") and last.endswith(": all equal")


def run_both(kernel, *arguments):
    """The error of a launch on either road, or None: (JIT, emitted)."""
    errors = []
    with captured() as launches:
        kernel[1](*arguments)
    emitted = ascendc.load(launches[0].source)[launches[0].symbol].as_written()
    for launch in (kernel[1], emitted[1]):
        try:
            launch(*arguments)
            errors.append(None)
        except asc.KernelError as error:
            errors.append(str(error))
    return errors


def test_rows_longer_than_the_910b_counts():
    """The 950 counts the elements of a row in more than 16 bits; so does what is emitted for it. On the 910B such rows are moved
    one at a time."""

    @asc2.jit(always_compile=True)
    def product(a_ptr, b_ptr, c_ptr, k):
        a = asc2.load(asc2.tensor(a_ptr, [16, k]), [16, 16], offsets=[0, 65536])
        b = asc2.load(asc2.tensor(b_ptr, [16, 16]), [16, 16], offsets=[0, 0])
        asc2.store(a @ b, asc2.tensor(c_ptr, [16, 16]), offsets=[0, 0])

    random = np.random.default_rng(1)
    a, b = random.standard_normal((16, 65552)).astype(np.float16), random.standard_normal((16, 16)).astype(np.float16)
    for platform in golden.PLATFORMS:
        config.set_platform(config.Backend.Model, platform)
        c = np.zeros((16, 16), np.float32)
        assert run_both(product, a, b, c, 65552) == [None, None]
        assert np.allclose(c, a[:, 65536:].astype(np.float64) @ b.astype(np.float64), rtol=1e-3, atol=1e-3)


def test_a_number_that_no_field_of_the_chip_holds():
    """The JIT hands the whole number to the Machine, which refuses it. In emitted code a cast would cut it first: the chip would
    compute something, and so would the model, without a word."""

    @asc2.jit(always_compile=True)
    def copy(x_ptr, y_ptr, cols, pitch):
        x = asc2.load(asc2.tensor(x_ptr, [4, pitch]), [4, 64], offsets=[0, 0])
        asc2.store(x, asc2.tensor(y_ptr, [4, cols]), offsets=[0, 0])

    x = np.zeros((4, 64), np.float32)
    config.set_platform(config.Backend.Model, "Ascend910B1")
    assert run_both(copy, x, x.copy(), 64, 64) == [None, None]
    for cols, pitch, number, operand in ((64, 2**31 - 1, 8589934332, "srcStride of copy_gm_to_ub"), (64, -5, -20, "srcStride of copy_gm_to_ub"),
                                         (2**31 - 1, 64, 8589934332, "dstStride of copy_ub_to_gm")):
        jit, emitted = run_both(copy, x, x.copy(), cols, pitch)
        assert f"{operand} is {number}, allowed are 0 to 4294967295" in jit
        assert f"{number} does not fit into a field of 32 bits [operand.field]" in emitted and "AscendC::DataCopyPad(" in emitted
    # The 950 has 64 bits there.
    config.set_platform(config.Backend.Model, "Ascend950PR_9599")
    for problem in run_both(copy, x, x.copy(), 64, -5):
        assert "srcStride of copy_gm_to_ub is -20, allowed are 0 to 1099511627775" in problem


def assert_roads_agree(roads, kernel, *arguments):
    """The same calls, bytes and cycles of a launch through the JIT and through every compiler."""

    def launch():
        given = [argument.copy() if hasattr(argument, "shape") else argument for argument in arguments]
        kernel[1](*given)
        for array in given:
            if hasattr(array, "shape"):
                golden.check(array, array)

    jit = equality.observed(launch, ())
    for road in roads:
        assert equality.first_difference(jit, equality.observed(launch, (), road.launch)) is None


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32"])
@pytest.mark.parametrize("platform", golden.PLATFORMS)
def test_reductions_of_unsigned_integers(roads, platform, dtype):
    """The registers of the 950 reduce unsigned integers; the headers must do so, too, in unsigned order."""

    @asc2.jit(always_compile=True)
    def extremes(x_ptr, y_ptr):
        x = asc2.load(asc2.tensor(x_ptr, [32, 160]), [32, 160], offsets=[0, 0])
        y = asc2.tensor(y_ptr, [3, 32])
        asc2.store(asc2.reduce_max(x, 1).reshape(1, 32), y, offsets=[0, 0])
        asc2.store(asc2.reduce_min(x, 1).reshape(1, 32), y, offsets=[1, 0])
        asc2.store(asc2.reduce_sum(x, 1).reshape(1, 32), y, offsets=[2, 0])

    config.set_platform(config.Backend.Model, platform)
    x = np.random.default_rng(3).integers(0, np.iinfo(dtype).max, (32, 160), dtype=dtype, endpoint=True)
    y = np.zeros((3, 32), dtype)
    extremes[1](x, y)
    assert (y == np.stack([x.max(1), x.min(1), x.sum(1, dtype=dtype)])).all()
    assert_roads_agree(roads, extremes, x, y)


def test_a_kernel_may_have_the_name_of_a_function_of_c(roads):
    """Kernels are C functions, and so are the library's: `select` could not be declared with other parameters."""

    @asc2.jit(always_compile=True)
    def select(x_ptr, y_ptr, limit):
        x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0])
        asc2.store(asc2.where(x < limit, x, 0.0), asc2.tensor(y_ptr, [64]), offsets=[0])

    config.set_platform(config.Backend.Model, "Ascend910B1")
    x = np.arange(64, dtype=np.float32)
    assert "void select1(" in select[1].ascendc(x, x, 3.0)
    assert_roads_agree(roads, select, x, np.zeros_like(x), 3.0)


def test_scalars_without_a_sign(roads):
    """Numbers of the IR have no sign: 200 as uint8 is -56 for the source, and means 200 in either."""

    @asc2.jit(always_compile=True)
    def fill(y_ptr, value):
        asc2.store(asc2.full([64], value, y_ptr.dtype), asc2.tensor(y_ptr, [64]), offsets=[0])

    config.set_platform(config.Backend.Model, "Ascend950PR_9599")
    y = np.zeros(64, np.uint8)
    fill[1](y, np.uint8(200))
    assert (y == 200).all()
    assert_roads_agree(roads, fill, np.zeros(64, np.uint8), np.uint8(200))


@asc2.jit(always_compile=True)
def positions(x_ptr, i_ptr, y_ptr, z_ptr, n):
    asc2.device_assert(n > 0, 'n is "n" and 100% positive')
    x = asc2.load(asc2.tensor(x_ptr, [3, 48]), [3, 48], offsets=[0, 0])
    index = asc2.load(asc2.tensor(i_ptr, [48]), [48], offsets=[0])
    y, z = asc2.tensor(y_ptr, [7, 48]), asc2.tensor(z_ptr, [4, 5])
    values, places = x.sort()
    best, _ = asc2.topk(x.reshape(144), 5)
    asc2.store(values, y, offsets=[0, 0])
    asc2.store(x.gather(places, 1), y, offsets=[3, 0])
    row = asc2.copy(x, [1, 48], offsets=[1, 0]).ravel()
    asc2.store(row.scatter(index, row.cumsum()).reshape(1, 48), y, offsets=[6, 0])
    asc2.store(best, asc2.tensor(z_ptr, [5]), offsets=[0])
    asc2.store(asc2.copy(x, [3, 16], offsets=[0, 16]).T.ravel().gather(asc2.arange(5) * 3), asc2.tensor(z_ptr, [20]), offsets=[5])


@asc2.jit(always_compile=True)
def turned(a_ptr, b_ptr, c_ptr, k):
    a = asc2.load(asc2.tensor(a_ptr, [32, k], strides=[1, 32]), [32, 48], offsets=[0, 0])
    b = asc2.load(asc2.tensor(b_ptr, [48, k]), [48, 48], offsets=[0, 0])
    asc2.store(a @ b.T, asc2.tensor(c_ptr, [32, 48], strides=[48, 1]), offsets=[0, 0])


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("platform", golden.PLATFORMS)
def test_positions_and_turned_products(roads, platform, dtype):
    """Instructions whose calls are not rows of the table: gathers, sorts and merges; tensors shorter than their buffers; assertions."""
    config.set_platform(config.Backend.Model, platform)
    x = np.random.default_rng(1).integers(-99, 99, (3, 48)).astype(dtype)
    index = np.random.default_rng(2).integers(-2, 50, 48).astype(np.int32)
    y, z = np.zeros((7, 48), dtype), np.zeros((4, 5), dtype)
    positions[1](x, index, y, z, 3)
    assert (y[:3] == np.sort(x, 1)).all() and (y[3:6] == y[:3]).all() and (z[0] == np.sort(x.ravel())[:-6:-1]).all()
    assert (z[1] == x[:, 16:32].T.ravel()[:15:3]).all()
    assert_roads_agree(roads, positions, x, index, y, z, 3)
    a, b, c = x[:1].repeat(32).astype(dtype), np.ones((48, 48), dtype), np.zeros((32, 48), np.float32)
    turned[1](a, b, c, 48)
    assert (c == a.astype(np.float32).reshape(48, 32).sum(0)[:, None]).all()
    assert_roads_agree(roads, turned, a, b, c, 48)
