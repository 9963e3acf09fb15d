"""Register instructions of the 950 through the headers against NumPy: masks that zero or keep lanes, narrow elements in wide lanes,
what a vector function counts and touches."""

import numpy as np
import pytest

import _tilesmith
import asc
import ascendc
from test_ascendc_conformance import DTYPES, FLOATS, NUMPY, f64, narrow, same, tree, widen

REQUEST = np.dtype([(name, "i4") for name in ("op", "dtype", "lanes", "merging")] + [("scalar", "f4"), ("integer", "i4")])
ANY = list(DTYPES)
WIDE = ["float16", "float32", "bfloat16", "int16", "uint16", "int32", "uint32"]


@pytest.fixture(scope="module")
def kernel():
    return ascendc.load(ascendc.ROOT / "python/tests/registers.cpp")["registers"]


@pytest.fixture(autouse=True)
def on_the_950():
    before = _tilesmith.current_platform()
    _tilesmith.set_platform("Ascend950PR_9599")
    yield
    _tilesmith.set_platform(before)


def operand(dtype, seed, positive=False):
    random, count = np.random.default_rng(seed), 256 // NUMPY[dtype].itemsize
    if "int" not in dtype:
        numbers = random.standard_normal(count) * 2
        return narrow(np.abs(numbers) + 0.1 if positive else numbers, dtype)
    info = np.iinfo(NUMPY[dtype])
    numbers = random.integers(info.min, info.max, count, dtype=NUMPY[dtype], endpoint=True)
    return np.where(numbers == 0, 1, numbers).astype(NUMPY[dtype])


def run(kernel, op, dtype, lanes, merging, d, a, b):
    request = np.zeros(1, REQUEST)
    request[0] = (op, DTYPES.index(dtype), lanes, merging, 1.5, 3)
    buffers = [array.view(np.uint8).copy() for array in (d, a, b)]
    with asc.check() as report:
        kernel[1](*buffers, request.view(np.uint8))
    assert not report.findings, report.findings[0]["rendered"]
    return buffers[0]


def divide(a, b):
    if a.dtype.kind == "f":
        return a / b
    return np.where((a < 0) != (b < 0), -1, 1) * (np.abs(a.astype(np.int64)) // np.abs(b.astype(np.int64)))


# number in registers.cpp: name, function of dst, left, right, scalar; dtypes; ulps
OPERATIONS = [
    ("Add", lambda d, a, b, s: a + b, ANY, 0), ("Sub", lambda d, a, b, s: a - b, ANY, 0), ("Mul", lambda d, a, b, s: a * b, WIDE, 0),
    ("Max", lambda d, a, b, s: np.maximum(a, b), ANY, 0), ("Min", lambda d, a, b, s: np.minimum(a, b), ANY, 0),
    ("Div", lambda d, a, b, s: divide(a, b), [*FLOATS, "int16", "uint16", "int32", "uint32"], 0),
    ("Adds", lambda d, a, b, s: a + s, ["float16", "float32", "bfloat16", "int16", "int32", "int8", "uint8"], 0),
    ("Muls", lambda d, a, b, s: a * s, ["float16", "float32", "bfloat16", "int16", "int32"], 0),
    ("Abs", lambda d, a, b, s: np.abs(a), [*FLOATS, "int8", "int16", "int32"], 0),
    ("Exp", lambda d, a, b, s: f64(np.exp)(a), FLOATS, 1), ("Sqrt", lambda d, a, b, s: f64(np.sqrt)(a), FLOATS, 0),
    ("MulAddDst", lambda d, a, b, s: a.astype(np.float64) * b.astype(np.float64) + d.astype(np.float64), FLOATS, 1),
    ("Move", lambda d, a, b, s: a, ANY, 0), ("Duplicate", lambda d, a, b, s: np.full_like(a, s), ANY, 0),
]


@pytest.mark.parametrize("op, dtype", [pytest.param(op, dtype, id=f"{name}-{dtype}")
                                       for op, (name, _, dtypes, _) in enumerate(OPERATIONS) for dtype in dtypes])
@pytest.mark.parametrize("merging", [0, 1])
def test_arithmetic_under_a_mask(kernel, op, dtype, merging):
    name, function, _, ulps = OPERATIONS[op]
    count = 256 // NUMPY[dtype].itemsize
    for lanes in (0, 1, count // 2 - 3, count):
        d, a, b = operand(dtype, 1), operand(dtype, 2, name == "Sqrt"), operand(dtype, 3)
        scalar = widen(narrow(np.array([3 if "int" in dtype else 1.5]), dtype), dtype)[0]
        with np.errstate(all="ignore"):
            result = narrow(function(widen(d, dtype), widen(a, dtype), widen(b, dtype), scalar), dtype)
        expected = d.copy() if merging else np.zeros_like(d)
        expected[:lanes] = result[:lanes]
        same(run(kernel, op, dtype, lanes, merging, d, a, b), expected, dtype, ulps)


@pytest.mark.parametrize("dtype", WIDE)
def test_compare_and_select(kernel, dtype):
    """Lanes outside of the mask compare as false, so that the second register is taken there."""
    d, a, b = operand(dtype, 1), operand(dtype, 2), operand(dtype, 3)
    count = a.size
    for lanes in (5, count):
        less = (widen(a, dtype) < widen(b, dtype)) & (np.arange(count) < lanes)
        same(run(kernel, 14, dtype, lanes, 0, d, a, b), np.where(less, a, b), dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", [15, 16, 17])
def test_reduce(kernel, dtype, op):
    d, a, b = operand(dtype, 1), operand(dtype, 2), operand(dtype, 3)
    for lanes in (1, 7, a.size):
        expected = np.zeros_like(d)
        if op == 15:
            row = np.zeros(a.size, np.float32)
            row[:lanes] = a[:lanes]
            expected[0] = tree(row, dtype)
        else:
            value = a[:lanes].max() if op == 16 else a[:lanes].min()
            expected[0] = value
            expected.view({2: np.uint16, 4: np.uint32}[a.itemsize])[1] = np.flatnonzero(a == value)[0]
        same(run(kernel, op, dtype, lanes, 0, d, a, b), expected, dtype)


@pytest.mark.parametrize("dtype", ANY)
def test_narrow_elements_in_wide_lanes(kernel, dtype):
    """Unpacked, added to a broadcast element, packed: 64 elements at most, none beyond the mask."""
    for lanes in (1, 33, 64):
        d, a, b = operand(dtype, 1), operand(dtype, 2), operand(dtype, 3)
        expected = d.copy()
        with np.errstate(all="ignore"):
            expected[:lanes] = narrow(widen(a, dtype)[:lanes] + widen(b, dtype)[1], dtype)
        same(run(kernel, -1, dtype, lanes, 0, d, a, b), expected, dtype)


BOUNDS = """
#include "kernel_operator.h"
using namespace AscendC;
__simd_vf__ inline void Edge(__ubuf__ float *from, __ubuf__ float *to, uint32_t lanes) {
  Reg::RegTensor<float> value;
  Reg::MaskReg mask = Reg::UpdateMask<float>(lanes);
  Reg::LoadAlign(value, from);
  Reg::Abs(value, value, mask);
  Reg::StoreAlign(to, value, mask);
}
extern "C" __global__ __aicore__ void edge(int32_t from, int32_t to, int32_t lanes) {
  Duplicate(LocalTensor<float>(TPosition::VECCALC, 0, 64), 1.0f, 65536);
  LocalTensor<float> x(TPosition::VECCALC, from, 64), y(TPosition::VECCALC, to, 64);
  asc_vf_call<Edge>((__ubuf__ float *)x.GetPhyAddr(), (__ubuf__ float *)y.GetPhyAddr(), lanes);
}"""


@pytest.mark.parametrize("source, target, lanes, id, text", [
    (262144 - 32, 0, 8, None, None),  # the register is longer than UB, the lanes in use are not
    (262144 - 32, 0, 9, "bounds.ub-read", "read of 36 bytes at UB offset 262112 in a vector function leaves UB (262144 bytes)"),
    (0, 262144 - 32, 9, "bounds.ub-write", "write of 36 bytes at UB offset 262112 in a vector function leaves UB (262144 bytes)"),
    (4, 256, 8, "align.ub", "a load of a vector function at UB offset 4, not a multiple of 32"),
    (0, 260, 8, "align.ub", "a store of a vector function at UB offset 260, not a multiple of 32"),
])
@pytest.mark.parametrize("mode", ["fast", "checked"])
def test_only_lanes_in_use_must_exist(source, target, lanes, id, text, mode):
    kernel = ascendc.load(BOUNDS)["edge"]
    with asc.check(late=False) as report, asc.launch_mode(mode):
        kernel[1](source, target, lanes)
    assert [(finding["id"], finding["text"]) for finding in report.findings] == ([(id, text)] if id else [])
    for finding in report.findings:
        assert finding["place"]["line"] == BOUNDS[:BOUNDS.index("asc_vf_call<Edge>")].count("\n") + 1
