"""Every vector function of `asc` in every form, for every element type and platform: a launched kernel against NumPy.

What NumPy computes here is the oracle; it knows the meaning of a name and nothing of how the model does it. The element types a
function takes are those of the instruction table.
"""

import json
from pathlib import Path

import _tilesmith
import numpy as np
import pytest

import asc
from asc.runtime import config

PLATFORMS = {"C220": "Ascend910B1", "C310": "Ascend950PR_9599"}
TABLE = json.loads((Path(_tilesmith.__file__).parents[1] / "include/tilesmith/Isa/Isa.json").read_text())
RECORDS = {}
for record in TABLE["instructions"]:
    for form in record["forms"]:
        RECORDS[form["mnemonic"]] = record
NUMPY = {"F16": np.float16, "F32": np.float32, "I8": np.int8, "U8": np.uint8, "I16": np.int16, "U16": np.uint16, "I32": np.int32,
         "U32": np.uint32, "I64": np.int64, "U64": np.uint64}
FORMS = ("count", "mask", "bits")
REPEATS = 2


def types_of(mnemonic, arch):
    return [dtype for dtype in RECORDS[mnemonic]["dtypes"].get(arch, []) if dtype in NUMPY and not dtype.endswith("64")]


def wide(value):
    return value.astype(np.float32) if value.dtype == np.float16 else value


def rounded(value, dtype):
    with np.errstate(all="ignore"):
        return value.astype(dtype)


BINARY = {
    "add": lambda a, b, d: a + b,
    "sub": lambda a, b, d: a - b,
    "mul": lambda a, b, d: a * b,
    "div": lambda a, b, d: a / b if a.dtype.kind == "f" else (np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))).astype(a.dtype),
    "max": lambda a, b, d: np.maximum(a, b),
    "min": lambda a, b, d: np.minimum(a, b),
    "bitwise_and": lambda a, b, d: a & b,
    "bitwise_or": lambda a, b, d: a | b,
    "add_relu": lambda a, b, d: np.maximum(a + b, a.dtype.type(0)),
    "sub_relu": lambda a, b, d: np.maximum(a - b, a.dtype.type(0)),
    "mul_add_dst": lambda a, b, d: a * b + d,
    "fused_mul_add": lambda a, b, d: a * d + b,
    "fused_mul_add_relu": lambda a, b, d: np.maximum(a * d + b, a.dtype.type(0)),
}
UNARY = {
    "abs": lambda a: np.abs(a),
    "neg": lambda a: -a,
    "exp": lambda a: np.exp(a),
    "ln": lambda a: np.log(a),
    "sqrt": lambda a: np.sqrt(a),
    "rsqrt": lambda a: 1 / np.sqrt(a),
    "reciprocal": lambda a: 1 / a,
    "relu": lambda a: np.maximum(a, a.dtype.type(0)),
    "bitwise_not": lambda a: ~a,
}
SCALAR = {
    "adds": lambda a, s, d: a + s,
    "muls": lambda a, s, d: a * s,
    "maxs": lambda a, s, d: np.maximum(a, s),
    "mins": lambda a, s, d: np.minimum(a, s),
    "leaky_relu": lambda a, s, d: np.where(a >= 0, a, a * s),
    "axpy": lambda a, s, d: d + a * s,
    "shift_left": lambda a, s, d: a << s,
    "shift_right": lambda a, s, d: a >> s,
}
MNEMONICS = {"bitwise_and": "and", "bitwise_or": "or", "bitwise_not": "not"}


@asc.jit
def on_core(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: asc.ConstExpr[int], op: asc.ConstExpr,
            kind: asc.ConstExpr[str], form: asc.ConstExpr[str], scalar: asc.ConstExpr):
    dtype = x.dtype
    gx = asc.GlobalTensor()
    gx.set_global_buffer(x)
    gy = asc.GlobalTensor()
    gy.set_global_buffer(y)
    gz = asc.GlobalTensor()
    gz.set_global_buffer(z)
    memory = asc.LocalMemAllocator()
    a = memory.alloc(asc.TPosition.VECIN, dtype, n)
    b = memory.alloc(asc.TPosition.VECIN, dtype, n)
    d = memory.alloc(asc.TPosition.VECOUT, dtype, n)
    asc.data_copy(a, gx, n)
    asc.data_copy(b, gy, n)
    asc.data_copy(d, gz, n)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    lanes = 256 // dtype.sizeof()
    mask = lanes // 2 if form == "mask" else [0x5555555555555555, 0x5555555555555555]
    repeats = n // lanes
    two = asc.BinaryRepeatParams(1, 1, 1, 8, 8, 8)
    one = asc.UnaryRepeatParams(1, 1, 8, 8)
    if kind == "binary":
        if form == "count":
            op(d, a, b, n)
        else:
            op(d, a, b, mask=mask, repeat_times=repeats, repeat_params=two)
    elif kind == "unary":
        if form == "count":
            op(d, a, count=n)
        else:
            op(d, a, mask, repeats, one)
    else:
        if form == "count":
            op(d, a, scalar, n)
        else:
            op(d, a, scalar, mask, repeats, repeat_params=one)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(gz, d, n)


def forms_of(numpy):
    """Two words of bits are 128 lanes: a repeat of bytes has 256."""
    return FORMS[:2] if numpy.itemsize == 1 else FORMS


def chosen(form, n, lanes):
    lane = np.arange(n) % lanes
    return np.ones(n, bool) if form == "count" else lane < lanes // 2 if form == "mask" else lane % 2 == 0


def cases():
    for kind, functions in (("binary", BINARY), ("unary", UNARY), ("scalar", SCALAR)):
        for name, meaning in functions.items():
            for arch in PLATFORMS:
                for dtype in types_of(MNEMONICS.get(name, name), arch):
                    yield kind, name, meaning, arch, dtype


ALL = list(cases())


@pytest.mark.parametrize("kind,name,meaning,arch,dtype", ALL, ids=[f"{name}-{dtype}-{arch}" for _, name, _, arch, dtype in ALL])
def test_vector_function_in_every_form(kind, name, meaning, arch, dtype):
    config.set_platform(config.Backend.Model, PLATFORMS[arch])
    numpy = np.dtype(NUMPY[dtype])
    lanes = 256 // numpy.itemsize
    n = REPEATS * lanes
    rng = np.random.default_rng(len(name) * 7 + numpy.itemsize)
    x, y, before = (rng.integers(1, 9, n).astype(numpy) for _ in range(3))
    if numpy.kind == "f":
        x, y, before = ((each + rng.random(n)).astype(numpy) for each in (x, y, before))
    if name in ("abs", "relu", "neg", "leaky_relu", "sub_relu", "add_relu", "maxs", "mins") and numpy.kind != "u":
        x = np.where(np.arange(n) % 3 == 0, -x, x).astype(numpy)
    scalar = 2 if name.startswith("shift") or numpy.kind != "f" else 0.5
    for form in forms_of(numpy):
        z = before.copy()
        with asc.check() as report:
            on_core[1](x, y, z, n=n, op=getattr(asc, name), kind=kind, form=form, scalar=scalar)
        assert not report.findings, report.findings
        with np.errstate(all="ignore"):
            if kind == "binary":
                whole = meaning(wide(x), wide(y), wide(before))
            elif kind == "unary":
                whole = meaning(wide(x))
            else:
                whole = meaning(wide(x), wide(x).dtype.type(scalar), wide(before))
        expected = np.where(chosen(form, n, lanes), rounded(whole, numpy), before)
        tolerance = {"F16": 2e-3, "F32": 2e-6}.get(dtype, 0)
        np.testing.assert_allclose(z.astype(np.float64), expected.astype(np.float64), rtol=tolerance, err_msg=f"asc.{name} by {form}")


def test_how_many_there_are(capsys):
    """Names, forms, types and platforms multiply: fewer than were counted once means that some are no longer tried."""
    count = sum(len(forms_of(np.dtype(NUMPY[case[-1]]))) for case in ALL)
    with capsys.disabled():
        print(f" {count} combinations of name, form, element type and platform", end="")
    assert count >= 600
