"""Moves between memories and the matrix unit through the headers, with random sizes and strides, against plain loops.

A move is written here as the manual describes it, byte by byte, and the whole destination is compared. Products are of small
integers, which every type and order of sums holds exactly, so that results are compared bit by bit as well.
"""

import numpy as np
import pytest

import _tilesmith
import asc
import ascendc
from test_ascendc_conformance import PLATFORMS, SLOT, narrow

MOVE = np.dtype([(name, "i4") for name in "size form blocks length src_gap dst_gap is_pad left right value".split()])
PRODUCT = np.dtype([(name, "i4") for name in "dtype m n k step lda ldb ldc turned bias relu half rows_inside".split()])
IN, PAD_IN, PAD_IN_PLAIN, OUT, PAD_OUT, PAD_OUT_PLAIN = range(6)
FORMS = {"in": IN, "pad_in": PAD_IN, "pad_in_plain": PAD_IN_PLAIN, "out": OUT, "pad_out": PAD_OUT, "pad_out_plain": PAD_OUT_PLAIN}
TYPES = ["float16", "bfloat16", "float32", "int8"]


@pytest.fixture(scope="module")
def kernels():
    return ascendc.load(ascendc.ROOT / "python/tests/conformance_moves.cpp")


@pytest.fixture(autouse=True, params=PLATFORMS)
def arch(request):
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(PLATFORMS[request.param])
    yield request.param
    _tilesmith.set_platform(before)


def launch(kernel, *arguments):
    """Runs it checked and in both late modes; anything but silence fails."""
    with asc.check() as report:
        kernel[1](*arguments)
    assert not report.findings, report.findings[0]["rendered"]


def packed(layout, **fields):
    request = np.zeros(1, layout)
    for name, value in fields.items():
        request[name] = value
    return request.view(np.uint8)


def up(count, unit=32):
    return -(-count // unit) * unit


def moved(before, source, size, form, blocks, length, src_gap, dst_gap, is_pad, left, right, value):
    """(destination, which of its bytes are said) after the move."""
    expected, said = before.copy(), np.ones(SLOT, bool)
    unit = 32 if form in (IN, OUT) else 1  # of the length
    data, at, to = length * unit, 0, 0
    for _ in range(blocks):
        bytes_ = source[at:at + data]
        if form in (PAD_IN, PAD_IN_PLAIN):
            ends = [np.frombuffer(int(value).to_bytes(size, "little") * n, np.uint8) for n in (left, right)]
            row = np.concatenate([ends[0], bytes_, ends[1]])
            expected[to:to + row.size] = row
            said[to + row.size:to + up(row.size)] = False  # up to the next block of 32 bytes: anything
            if not is_pad:  # the ends keep their place, and hold anything
                said[to:to + ends[0].size] = said[to + row.size - ends[1].size:to + row.size] = False
            at, to = at + data + src_gap, to + up(row.size) + dst_gap * 32
        elif form in (PAD_OUT, PAD_OUT_PLAIN):
            expected[to:to + data] = bytes_
            at, to = at + up(data) + src_gap * 32, to + data + dst_gap
        else:
            expected[to:to + data] = bytes_
            at, to = at + data + src_gap * 32, to + data + dst_gap * 32
    return expected, said


@pytest.mark.parametrize("size", [1, 2, 4])
@pytest.mark.parametrize("form", FORMS)
def test_moves(kernels, form, size):
    for seed in range(6):
        rng = np.random.default_rng([seed, size])
        number = FORMS[form]
        padded = number not in (IN, OUT)
        length = int(rng.integers(1, 200 // size)) * size if padded else int(rng.integers(1, 12))
        step = size if padded else 1
        into = number < OUT
        gaps = [int(rng.integers(0, 20)) * step if padded and into else int(rng.integers(0, 6)),
                int(rng.integers(0, 20)) * step if padded and not into else int(rng.integers(0, 6))]
        left = int(rng.integers(0, 32 // size))
        fields = dict(size=size, form=number, blocks=int(rng.integers(1, 9)), length=length, src_gap=gaps[0], dst_gap=gaps[1],
                      is_pad=int(rng.integers(0, 2)), left=left, right=int(rng.integers(0, 32 // size)), value=int(rng.integers(1, 120)))
        before, source = rng.integers(0, 256, (2, SLOT)).astype(np.uint8)
        expected, said = moved(before, source, **fields)
        out = before.copy()
        launch(kernels["move"], out, source, before, packed(MOVE, **fields))
        wrong = np.flatnonzero((out != expected) & said)
        assert wrong.size == 0, (fields, wrong[:4])


@pytest.mark.parametrize("out", ["plain", "bias", "relu", "half"])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
def test_products(kernels, arch, dtype, turned, out):
    if turned and dtype not in ("float16", "bfloat16"):
        pytest.skip("fractals of other widths are no squares")
    if out == "half" and dtype == "int8":
        pytest.skip("int32 results become half by a scale")
    for seed in range(4):
        rng = np.random.default_rng([seed, TYPES.index(dtype)])
        m, n, k = (int(rng.integers(1, limit)) for limit in (80, 80, 120))
        lda, ldc = k + int(rng.integers(0, 9)), n + int(rng.integers(0, 9))
        ldb = (n if turned else k) + int(rng.integers(0, 9))
        a, b = rng.integers(-8, 9, (m, lda)), rng.integers(-8, 9, (k if turned else n, ldb))
        bias = rng.integers(-99, 99, 96)
        result = a[:, :k] @ (b[:, :n] if turned else b[:, :k].T) + (bias[:n] if out == "bias" else 0)
        result = np.maximum(result, 0) if out == "relu" else result
        kind = np.int32 if dtype == "int8" else np.float16 if out == "half" else np.float32
        expected = np.full((m, ldc), 7, kind)
        expected[:, :n] = result
        c = np.full((m, ldc), 7, kind)
        request = packed(PRODUCT, dtype=TYPES.index(dtype), m=m, n=n, k=k, step=int(rng.choice([32, 64, 128])), lda=lda, ldb=ldb, ldc=ldc,
                         turned=turned, bias=out == "bias", relu=out == "relu", half=out == "half",
                         rows_inside=arch == "c310")
        launch(kernels["product"], c, *(np.ascontiguousarray(narrow(side, dtype) if dtype != "int8" else side.astype(np.int8)) for side in (a, b)),
               bias.astype(np.int32 if dtype == "int8" else np.float32), request)
        assert (c == expected).all(), (seed, m, n, k, np.argwhere(c != expected)[:3])
