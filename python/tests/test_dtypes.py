"""Element types of tiles against NumPy and torch, bit for bit, on both platforms, clean in checked mode.

Every kernel computes many results at once, each into a row of its own, so that few kernels have to be compiled.
"""

import asc
import asc2
import numpy as np
import pytest
import torch
from asc.codegen.errors import CodegenError
from asc.runtime import config
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32"]
N = 77  # no multiple of a block, a repeat or a byte of mask bits

few = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True, params=PLATFORMS)
def platform(request):
    config.set_platform(config.Backend.Model, request.param)
    return request.param


def run(kernel, *args, blocks=1):
    with asc.check() as report:
        kernel[blocks](*args)
    assert not report.findings, "\n".join(map(str, report.findings))


def interesting(dtype):
    """Numbers of an integer type, its limits more often than chance has them."""
    info = np.iinfo(dtype)
    edges = sorted({info.min, info.min + 1, 0, 1, 2, 7, info.max - 1, info.max} | ({-1, -2} if info.min else set()))
    return st.one_of(st.sampled_from(edges), st.integers(info.min, info.max))


def arrays(dtype, shape=N):
    return npst.arrays(np.dtype(dtype), shape, elements=interesting(dtype), fill=st.nothing())


def truncated(x, y):
    """Integer quotients as every platform gives them: truncating, 0 by zero, wrapping for minimum / -1."""
    wide = [0 if not q else abs(int(p)) // abs(int(q)) * (1 if (int(p) < 0) == (int(q) < 0) else -1) for p, q in zip(x, y)]
    return np.array([w & (2 ** (8 * x.itemsize) - 1) for w in wide], np.uint64).astype(f"u{x.itemsize}").view(x.dtype)


@asc2.jit
def arithmetic(x_ptr, y_ptr, out_ptr, shift, scalar, n: asc.ConstExpr[int]):
    x = asc2.load(asc2.tensor(x_ptr, [n]), [n], offsets=[0])
    y = asc2.load(asc2.tensor(y_ptr, [n]), [n], offsets=[0])
    out = asc2.tensor(out_ptr, [18 * n])
    one, zero = asc2.full_like(x, 1), asc2.zeros_like(x)
    asc2.store(x + y, out, tile_id=[0])
    asc2.store(x - y, out, tile_id=[1])
    asc2.store(x * y, out, tile_id=[2])
    asc2.store(x // y, out, tile_id=[3])
    asc2.store(asc2.maximum(x, y), out, tile_id=[4])
    asc2.store(asc2.minimum(x, y), out, tile_id=[5])
    asc2.store(x << shift, out, tile_id=[6])
    asc2.store(x >> shift, out, tile_id=[7])
    asc2.store(((x + y) & y) ^ (~(x - y) | y), out, tile_id=[8])
    asc2.store(-x, out, tile_id=[9])
    asc2.store(asc2.where(x < y, one, zero), out, tile_id=[10])
    asc2.store(asc2.where(x <= y, 1, zero), out, tile_id=[11])
    asc2.store(asc2.where((x == y) | (x > scalar), x, y), out, tile_id=[12])
    asc2.store((x != y).to(x.dtype), out, tile_id=[13])
    asc2.store(scalar - x, out, tile_id=[14])
    asc2.store(asc2.maximum(x, scalar) * 3, out, tile_id=[15])
    asc2.store(x // scalar, out, tile_id=[16])
    asc2.store(asc2.where(scalar >= x, x, scalar), out, tile_id=[17])


ROWS = ["x + y", "x - y", "x * y", "x // y", "maximum", "minimum", "x << s", "x >> s", "bitwise", "-x", "x < y", "x <= y",
        "== |", "!=", "s - x", "max * 3", "x // s", "s >= x"]


@pytest.mark.parametrize("dtype", INTEGERS)
@few
@given(data=st.data())
def test_integer_arithmetic(dtype, data):
    """Signedness lost anywhere on the way, a step through a type that is too narrow, a saturating step."""
    x, y = data.draw(arrays(dtype)), data.draw(arrays(dtype))
    scalar, shift = data.draw(interesting(dtype)), data.draw(st.integers(0, 8 * x.itemsize - 1))
    scalar = x.dtype.type(scalar)
    out = np.zeros((18, N), dtype)
    run(arithmetic, x, y, out, shift, scalar, N)
    full = np.full_like(x, scalar)
    with np.errstate(all="ignore"):
        shifted = x.dtype.type(shift)
        expected = [x + y, x - y, x * y, truncated(x, y), np.maximum(x, y), np.minimum(x, y), x << shifted, x >> shifted,
                    ((x + y) & y) ^ (~(x - y) | y), (0 - x.astype("u8")).astype(dtype), x < y, x <= y,
                    np.where((x == y) | (x > full), x, y), x != y, full - x, np.maximum(x, full) * x.dtype.type(3),
                    truncated(x, full), np.where(full >= x, x, full)]
    for row, name in enumerate(ROWS):
        np.testing.assert_array_equal(out[row], expected[row].astype(dtype), err_msg=name)


@asc2.jit
def reductions(x_ptr, out_ptr, rows: asc.ConstExpr[int], cols: asc.ConstExpr[int]):
    x = asc2.load(asc2.tensor(x_ptr, [rows * cols]), [rows * cols], offsets=[0]).reshape(rows, cols)
    out = asc2.tensor(out_ptr, [12 * 64])
    asc2.store(x.sum(1), out, offsets=[0])
    asc2.store(x.max(1), out, offsets=[64])
    asc2.store(x.min(1), out, offsets=[128])
    asc2.store(x.prod(1), out, offsets=[192])
    asc2.store(x.sum(0), out, offsets=[256])
    asc2.store(x.max(0), out, offsets=[320])
    asc2.store(x.min(0), out, offsets=[384])
    asc2.store(x.prod(0), out, offsets=[448])
    asc2.store(x.sum(), out, offsets=[512])
    asc2.store(x.max(), out, offsets=[576])
    asc2.store(x.min(), out, offsets=[640])
    asc2.store((x - x.max()).ravel().min(0, keep_dims=True), out, offsets=[704])


@pytest.mark.parametrize("dtype", INTEGERS)
@few
@given(data=st.data())
def test_integer_reductions(dtype, data):
    """A neutral element of the wrong sign; rows that do not start on 32 bytes."""
    rows, cols = 5, 13
    x = data.draw(arrays(dtype, (rows, cols)))
    out = np.zeros((12, 64), dtype)
    run(reductions, x.reshape(-1), out, rows, cols)
    with np.errstate(all="ignore"):
        for row, (function, axis) in enumerate([(f, a) for a in (1, 0) for f in (np.sum, np.max, np.min, np.prod)]):
            expected = function(x, axis, **({"dtype": dtype} if function in (np.sum, np.prod) else {}))
            np.testing.assert_array_equal(out[row, :expected.size], expected, err_msg=f"{function.__name__} {axis}")
        assert out[8, 0] == x.sum(dtype=dtype) and out[9, 0] == x.max() and out[10, 0] == x.min()
        assert out[11, 0] == (x - x.max()).min()


CASTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32"]


@asc2.jit
def convert(x_ptr, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, n: asc.ConstExpr[int]):
    x = asc2.load(asc2.tensor(x_ptr, [n]), [n], offsets=[0])
    outputs = (i8, i16, i32, i64, u8, u16, u32, u64, f16, f32)
    for i in asc.static_range(len(outputs)):
        out = asc2.tensor(outputs[i], [n])
        asc2.store(x.to(out.dtype), out, offsets=[0])


def converted(x):
    outputs = [np.zeros(x.size, dtype) for dtype in CASTS]
    run(convert, x, *outputs, x.size)
    return dict(zip(CASTS, outputs))


@pytest.mark.parametrize("dtype", INTEGERS)
@few
@given(data=st.data())
def test_casts_of_integers(dtype, data):
    """int to int wraps, int to float rounds once to nearest even."""
    x = data.draw(arrays(dtype))
    for target, actual in converted(x).items():
        with np.errstate(all="ignore"):
            expected = x.astype(np.float32).astype(target) if target == "float16" else x.astype(target)
        np.testing.assert_array_equal(actual, expected, err_msg=target)


def saturated(x, target):
    info = np.iinfo(target)
    return np.array([0 if v != v else info.min if v <= info.min else info.max if v >= info.max else int(v)
                     for v in x.astype(np.float64).tolist()], object).astype(target)


@pytest.mark.parametrize("dtype", FLOATS)
@few
@given(data=st.data())
def test_casts_of_floats(dtype, data):
    """float to int truncates toward zero and saturates; NaN becomes 0."""
    width = 16 if dtype == "float16" else 32
    numbers = st.one_of(st.floats(width=width), st.floats(-300, 300, width=width), st.integers(-70000, 70000).map(float),
                        st.sampled_from([2.0**31, 2.0**32, 2.0**63, 2.0**64, -2.0**31, 65535.0, 65536.0, 255.5, -0.5, 0.99]))
    with np.errstate(all="ignore"):
        x = np.resize(data.draw(st.lists(numbers, min_size=16, max_size=24)), N).astype(dtype)
    for target, actual in converted(x).items():
        with np.errstate(all="ignore"):
            expected = x.astype(target) if target in FLOATS else saturated(x, target)
        np.testing.assert_array_equal(actual, expected, err_msg=target)


@asc2.jit
def move(x_ptr, out_ptr, n, scalar, tile: asc.ConstExpr[int], pad: asc.ConstExpr[int]):
    x_gm, out = asc2.tensor(x_ptr, [n]), asc2.tensor(out_ptr, [5, 4, tile])
    x = asc2.load(x_gm, [tile], offsets=[-3], pad_value=pad)
    asc2.store(x.reshape(1, 1, tile).broadcast_to(1, 4, tile), out, offsets=[0, 0, 0])
    parts = asc2.concat(asc2.copy(x, [5], offsets=[2]), asc2.copy(x, [tile - 5], offsets=[5]))
    asc2.store(parts.expand_dims(0, 1), out, offsets=[1, 0, 0])
    asc2.store(asc2.full([1, 1, tile], scalar, x.dtype), out, offsets=[2, 1, 0])
    column = asc2.copy(x, [4], offsets=[1]).reshape(4, 1)
    asc2.store(column.broadcast_to(4, tile).reshape(1, 4, tile), out, offsets=[3, 0, 0])
    first = asc2.load(x_gm, offsets=[1])
    asc2.store(first, out, offsets=[4, 3, 5])
    carried = x
    for i in range(2):
        carried, x = asc2.where(x == first, carried, x), carried
    asc2.store(carried.reshape(1, 1, tile), out, offsets=[4, 0, 0])


@pytest.mark.parametrize("dtype", INTEGERS)
@few
@given(data=st.data())
def test_movement(dtype, data):
    """Padding of both sides, parts off 32 bytes, bytes and 64-bit elements that no fill or broadcast takes."""
    n, tile, pad = data.draw(st.integers(1, 40)), 32, 5
    x, scalar = data.draw(arrays(dtype, n)), np.dtype(dtype).type(data.draw(interesting(dtype)))
    x = np.resize(x, max(n, 2))
    out = np.zeros((5, 4, tile), dtype)
    run(move, x, out, len(x), scalar, tile, pad)
    padded = np.full(tile, pad, dtype)
    inside = x[: tile - 3]
    padded[3 : 3 + inside.size] = inside
    expected = np.zeros_like(out)
    expected[0] = padded
    expected[1, 0] = np.concatenate([padded[2:7], padded[5:]])
    expected[2, 1] = scalar
    expected[3] = padded[1:5, None]
    expected[4, 0] = padded
    expected[4, 3, 5] = x[1]
    np.testing.assert_array_equal(out, expected)


def test_rounding_of_a_cast_survives_the_next_cast():
    @asc2.jit
    def kernel(x_ptr, out_ptr):
        x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0])
        out = asc2.tensor(out_ptr, [128])
        asc2.store(x.to(asc.float16).to(asc.float32), out, offsets=[0])
        asc2.store(x.to(asc.int32).to(asc.uint8).to(asc.float32), out, offsets=[64])

    x = np.linspace(-400, 400, 64).astype(np.float32)
    out = np.zeros(128, np.float32)
    run(kernel, x, out)
    np.testing.assert_array_equal(out[:64], x.astype(np.float16).astype(np.float32))
    np.testing.assert_array_equal(out[64:], x.astype(np.int32).astype(np.uint8).astype(np.float32))


@few
@given(data=st.data())
def test_bfloat16_casts_match_torch(data):
    @asc2.jit
    def kernel(x_ptr, back_ptr, bf_ptr):
        x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0])
        bf = x.to(asc.bfloat16)
        asc2.store(bf, asc2.tensor(bf_ptr, [64]), offsets=[0])
        asc2.store(bf.to(x.dtype), asc2.tensor(back_ptr, [64]), offsets=[0])

    dtype = data.draw(st.sampled_from(["int8", "int16", "int32", "uint8", "int64"]))
    info = np.iinfo(dtype)  # what comes back must fit: torch leaves the rest undefined
    x = torch.from_numpy(data.draw(npst.arrays(dtype, 64, elements=st.integers(info.min // 4, info.max // 4))))
    back, bf = torch.zeros_like(x), torch.zeros(64, dtype=torch.bfloat16)
    run(kernel, x, back, bf)
    assert torch.equal(bf, x.to(torch.bfloat16)) and torch.equal(back, x.to(torch.bfloat16).to(x.dtype))


@pytest.mark.parametrize("dtype", ["uint8", "uint32", "int64"])
def test_atomics_say_what_is_missing(dtype):
    @asc2.jit
    def kernel(x_ptr):
        x = asc2.tensor(x_ptr, [32])
        asc2.atomic_add(asc2.load(x, [32], offsets=[0]), x, offsets=[0])

    with pytest.raises(CodegenError, match=f"atomic add of {dtype} tiles has no instruction on C"):
        kernel[1](np.zeros(32, dtype))


def test_numbers_of_the_whole_range_of_uint64():
    @asc2.jit
    def kernel(x_ptr):
        x = asc2.tensor(x_ptr, [32])
        asc2.store(asc2.full([32], 18446744073709551615, asc.uint64) - 1, x, offsets=[0])
        asc2.store(9223372036854775808, x, offsets=[3])

    x = np.zeros(32, np.uint64)
    run(kernel, x)
    assert x[3] == 2**63 and (np.delete(x, 3) == 2**64 - 2).all()


def test_unsigned_types_do_not_mix():
    @asc2.jit
    def kernel(x_ptr, y_ptr):
        x, y = asc2.tensor(x_ptr, [32]), asc2.tensor(y_ptr, [32])
        asc2.store(asc2.load(x, [32], offsets=[0]) + asc2.load(y, [32], offsets=[0]), x, offsets=[0])

    with pytest.raises(CodegenError, match="add of uint8 and int32: unsigned types do not mix") as error:
        kernel[1](np.zeros(32, np.uint8), np.zeros(32, np.int32))
    assert isinstance(error.value.exception, NotImplementedError)


# Masks.


@asc2.jit
def masks(x_ptr, y_ptr, out_ptr, limit, rows: asc.ConstExpr[int], cols: asc.ConstExpr[int]):
    n: asc.ConstExpr[int] = rows * cols
    x = asc2.load(asc2.tensor(x_ptr, [n]), [n], offsets=[0])
    y = asc2.load(asc2.tensor(y_ptr, [n]), [n], offsets=[0])
    out = asc2.tensor(out_ptr, [9 * n])
    a, b = x > limit, y > limit
    asc2.store(((a & b) | ~(a ^ b)).to(asc.float32), out, tile_id=[0])
    asc2.store((a == b).to(asc.float32), out, tile_id=[1])
    asc2.store(asc2.where(a != b, 2.0, -2.0), out, tile_id=[2])
    part = asc2.copy(a.reshape(rows, cols), [rows - 1, cols - 2], offsets=[1, 1])
    asc2.store(part.to(asc.int32).to(asc.float32).ravel(), out, offsets=[3 * n])
    row = asc2.copy(a, [cols], offsets=[1])
    asc2.store(row.broadcast_to(rows, cols).to(asc.float32).ravel(), out, tile_id=[4])
    column = asc2.copy(b, [rows], offsets=[2]).reshape(rows, 1)
    asc2.store(column.broadcast_to(rows, cols).to(asc.float16).to(asc.float32).ravel(), out, tile_id=[5])
    asc2.store(asc2.where(a, b, ~b).to(asc.int8).to(asc.float32), out, tile_id=[6])
    seen, last = a, b
    for i in range(3):
        seen, last = last, seen ^ (x > i)
    asc2.store(seen.to(asc.float32), out, tile_id=[7])
    asc2.store((last.to(asc.int16) != 0).reshape(cols, rows).ravel().to(asc.float32), out, tile_id=[8])


@few
@given(x=npst.arrays(np.float32, 5 * 11, elements=st.floats(-2, 4, width=32)),
       y=npst.arrays(np.float32, 5 * 11, elements=st.floats(-2, 4, width=32)))
def test_masks(x, y):
    """Rows of packed bits that are not whole bytes: cut, repeated, reshaped, carried, turned into numbers and back."""
    rows, cols, n = 5, 11, 55
    out = np.zeros(9 * n, np.float32)
    run(masks, x, y, out, np.float32(1), rows, cols)
    a, b = x > 1, y > 1
    seen, last = a, b
    for i in range(3):
        seen, last = last, seen ^ (x > i)
    part = a.reshape(rows, cols)[1:, 1:-1].ravel()
    expected = [(a & b) | ~(a ^ b), a == b, np.where(a != b, 2.0, -2.0), part, np.tile(a[1 : 1 + cols], rows),
                np.repeat(b[2 : 2 + rows], cols), np.where(a, b, ~b), seen, last]
    for row, value in enumerate(expected):
        np.testing.assert_array_equal(out[row * n : row * n + value.size], value.astype(np.float32), err_msg=str(row))


# Rows that do not start on 32 bytes.


@asc2.jit
def ragged(x_ptr, out_ptr, rows: asc.ConstExpr[int], cols: asc.ConstExpr[int]):
    n: asc.ConstExpr[int] = rows * cols
    out = asc2.tensor(out_ptr, [8 * n])
    x = asc2.load(asc2.tensor(x_ptr, [n]), [n], offsets=[0]).reshape(rows, cols)
    mean, top = x.sum(1, keep_dims=True), x.max(0, keep_dims=True)
    asc2.store((x - mean.broadcast_to(rows, cols)).ravel(), out, tile_id=[0])
    asc2.store((x * top.broadcast_to(rows, cols)).ravel(), out, tile_id=[1])
    asc2.store((mean * 2 + asc2.full([rows, 1], 1, x.dtype)).ravel(), out, offsets=[2 * n])
    asc2.store(asc2.where(x > mean.broadcast_to(rows, cols), x, top.broadcast_to(rows, cols)).ravel(), out, tile_id=[3])
    asc2.store(asc2.concat(x, top, top).ravel(), out, offsets=[4 * n])
    asc2.store(asc2.maximum(mean, mean - 1).broadcast_to(rows, cols).to(asc.float32).to(x.dtype).ravel(), out, tile_id=[6])
    asc2.store((x + asc2.full([1, cols], 3, x.dtype).broadcast_to(rows, cols)).reshape(cols, rows).min(1), out, offsets=[7 * n])


@pytest.mark.parametrize("shape", [(50, 1), (1, 50), (7, 3), (3, 17), (9, 65)])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int16", "uint8"])
def test_rows_of_any_length(dtype, shape):
    """Load and store refuse such tiles; as values between operations they exist and every operation takes them."""
    rows, cols = shape
    n = rows * cols
    x = np.random.default_rng(1).integers(0, 3, shape).astype(dtype)
    out = np.zeros(8 * n, dtype)
    run(ragged, x.reshape(-1), out, rows, cols)
    one = x.dtype.type(1)
    mean, top = x.sum(1, keepdims=True, dtype=dtype), x.max(0, keepdims=True)
    expected = [x - mean, x * top, mean * x.dtype.type(2) + one, np.where(x > mean, x, top), np.concatenate([x, top, top]),
                None, np.maximum(mean, mean - one) + np.zeros_like(x), (x + x.dtype.type(3)).reshape(cols, rows).min(1)]
    for row, value in enumerate(expected):
        if value is not None:
            size = min(value.size, 2 * n if row == 4 else n)
            np.testing.assert_array_equal(out[row * n : row * n + size], value.ravel()[:size], err_msg=str(row))


NAMED = {"float8_e4m3fn": 8, "float8_e5m2": 8, "hifloat8": 8, "float4_e2m1": 4, "float4_e1m2": 4, "int4": 4}


@pytest.mark.parametrize("name", NAMED)
def test_types_no_instruction_takes_are_refused_by_name(name):
    """They exist, with their names and sizes; a kernel that uses one is told so, and nothing is computed with another."""
    dtype = getattr(asc, name)
    assert dtype == asc.DataType(name) and dtype.bitwidth == NAMED[name] and str(dtype) == name
    assert dtype.is_float() is (name != "int4")
    if NAMED[name] == 8:
        assert dtype.sizeof() == 1
    else:
        with pytest.raises(ValueError, match=f"{name} does not take whole bytes"):
            dtype.sizeof()

    @asc.jit(always_compile=True)
    def kernel(x_ptr):
        x_gm = asc2.tensor(x_ptr, [64])
        asc2.store(asc2.load(x_gm, [64], offsets=[0]).to(dtype), x_gm, offsets=[0])

    with pytest.raises(CodegenError, match=f"kernels cannot use {name}: no instruction takes it"):
        kernel[1](np.zeros(64, np.float32))


def test_every_name_is_a_type():
    from asc.language.core import dtype

    types = {name: getattr(asc, name) for name in dtype.__all__ if name != "DataType"}
    assert {each.name for each in types.values()} == set(asc.DataType.known)
    assert asc.half is asc.float16 and asc.int_ is asc.int32 and asc.double is asc.float64
