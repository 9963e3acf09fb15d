"""Scalars, Python's builtins, loops over sequences, small arrays and public names, on the model."""

import warnings

import asc
import asc2
import numpy as np
import pytest
from asc.runtime import config
from frontend import error_of, lower_body
from observed import launch

TABLE = [3, 1, 2]


@pytest.fixture(autouse=True, params=["Ascend910B1", "Ascend950PR_9599"])
def platform(request):
    config.set_platform(config.Backend.Model, request.param)


def ints(kernel, *args, size=16, **constants):
    out = np.full(size, -99, np.int32)
    launch(kernel, 1, out, *args, **constants)
    return out.tolist()


# ---- scalars ----


@pytest.mark.parametrize("n", [7, -7, 0, 2**31 - 1])
def test_integers_take_the_left_scalars_type(n):
    """`1.0 + n` is integer arithmetic, `/` and `//` truncate, `%` has the sign of the dividend."""

    @asc2.jit
    def kernel(out_ptr, n, f):
        out = asc2.tensor(out_ptr, [16])
        asc2.store(1.0 + n, out, offsets=[0])
        asc2.store(n - 2.0, out, offsets=[1])
        asc2.store(n / 2, out, offsets=[2])
        asc2.store(n // 2, out, offsets=[3])
        asc2.store(n % 3, out, offsets=[4])
        asc2.store(n.ceildiv(4), out, offsets=[5])
        asc2.store((f * n).cast(asc.int32), out, offsets=[6])
        asc2.store(n * f, out, offsets=[7])
        asc2.store(-n, out, offsets=[8])
        asc2.store((n & 6 | 1) ^ 4, out, offsets=[9])

    def wrap(value):
        return (value + 2**31) % 2**32 - 2**31

    f = np.float32(2.5)
    got = ints(kernel, n, float(f))[:10]
    product = np.float32(f) * np.float32(n)
    expected = [wrap(n + 1), wrap(n - 2), int(n / 2), int(n / 2), int(np.fmod(n, 3)), int(wrap(n + 3) / 4),
                int(product) if abs(product) < 2**31 else got[6], wrap(n * 2), wrap(-n), (n & 6 | 1) ^ 4]
    assert got == expected


def test_a_truncated_literal_warns_once_with_its_place():
    @asc2.jit(always_compile=True)
    def kernel(out_ptr, n):
        out = asc2.tensor(out_ptr, [1])
        total = 0
        for i in range(3):
            total = total + n * 0.5
        asc2.store(total, out, offsets=[0])

    out = np.zeros(1, np.int32)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        kernel[1](out, 8)
    assert out[0] == 0
    [warning] = seen
    assert warning.category is SyntaxWarning and warning.filename == __file__ and warning.lineno == kernel.first_line + 5
    assert str(warning.message) == ("the float 0.5 becomes the int32 0 beside a runtime int32; "
                                    "use .cast(asc.float32) on the other operand to compute with floats")


def test_a_warning_may_be_an_error():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        error = error_of("y = n * 0.5")
    assert isinstance(error.exception, SyntaxWarning)


def test_whole_literals_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lower_body("y = n * 2.0 + 1.0")


def test_float_scalars():
    @asc2.jit
    def kernel(out_ptr, f, n):
        out = asc2.tensor(out_ptr, [8])
        asc2.store(-f, out, offsets=[0])
        asc2.store(f / 2, out, offsets=[1])
        asc2.store(f // 2, out, offsets=[2])
        asc2.store(f + n, out, offsets=[3])
        asc2.store(1 - f, out, offsets=[4])
        asc2.store(n.cast(asc.float32) * 0.5, out, offsets=[5])
        asc2.store(min(f, n), out, offsets=[6])
        asc2.store(abs(-f), out, offsets=[7])

    out = np.zeros(8, np.float32)
    launch(kernel, 1, out, 2.5, 7)
    assert out.tolist() == [-2.5, 1.25, 1.25, 9.5, -1.5, 3.5, 2.5, 2.5]


# ---- builtins and loops over sequences ----


def test_builtins_on_known_values():
    @asc2.jit
    def kernel(out_ptr, values: asc.ConstExpr):
        out = asc2.tensor(out_ptr, [16])
        asc2.store(min(3, 4) + max([1, 2]) + abs(-3) + sum(values), out, offsets=[0])
        asc2.store(round(2.6) + divmod(17, 5)[1] + int(all(values)) + int(any([])), out, offsets=[1])
        asc2.store(sorted(values)[0] * 10 + sorted(values, reverse=True)[0], out, offsets=[2])
        for i, v in enumerate(values):
            asc2.store(i * 10 + v, out, offsets=[3 + i])
        for v, w in zip(values, reversed(values)):
            asc2.store(v * 10 + w, out, offsets=[6 + v])
        for i in list(range(2)):
            asc2.store(i, out, offsets=[10 + i])
        for v in map(str, values):
            assert isinstance(v, str)
        for name in ("a", "b"):
            assert name in "ab"

    got = ints(kernel, values=[3, 1, 2])
    assert got[:12] == [3 + 2 + 3 + 6, 3 + 2 + 1 + 0, 13, 3, 11, 22, -99, 11, 23, 32, 0, 1]


def test_builtins_on_runtime_values():
    @asc2.jit
    def double(v):
        return v * 2

    @asc2.jit
    def kernel(out_ptr, n, m):
        out = asc2.tensor(out_ptr, [16])
        asc2.store(min(n, m, 5), out, offsets=[0])
        asc2.store(max([n, m]), out, offsets=[1])
        asc2.store(abs(n - m), out, offsets=[2])
        asc2.store(sum([n, m, 1]), out, offsets=[3])
        asc2.store(sum((n, m), 10), out, offsets=[4])
        asc2.store(1 if all([n > 1, m > 1]) else 0, out, offsets=[5])
        asc2.store(1 if any((n > 100, m > 1)) else 0, out, offsets=[6])
        q, r = divmod(n, m)
        asc2.store(q * 100 + r, out, offsets=[7])
        for i, v in enumerate([n, m], 8):
            asc2.store(v, out, offsets=[i])
        for i, (a, b) in enumerate(zip((n, m), (1, 2))):
            asc2.store(a - b, out, offsets=[10 + i])
        total = 0
        for v in map(double, reversed([n, m])):
            total = total * 10 + v
        asc2.store(total, out, offsets=[12])

    assert ints(kernel, 17, 3)[:13] == [3, 17, 14, 21, 30, 1, 1, 502, 17, 3, 16, 1, 94]


def test_loops_over_globals_are_part_of_the_key(monkeypatch):
    @asc2.jit
    def kernel(out_ptr):
        out = asc2.tensor(out_ptr, [16])
        total = 0
        for value in TABLE:
            total += value
        asc2.store(total, out, offsets=[0])

    assert ints(kernel)[0] == 6
    monkeypatch.setitem(globals(), "TABLE", [5, 6])
    assert ints(kernel)[0] == 11


def test_ranges_and_arrays_are_sequences():
    @asc2.jit
    def kernel(out_ptr, shape: asc.ConstExpr, steps: asc.ConstExpr):
        out = asc2.tensor(out_ptr, shape)
        asc2.store(asc2.full(shape, 3), out, offsets=steps[:1])
        for i in steps:
            asc2.store(i, out, offsets=[i])

    assert ints(kernel, shape=np.array([16]), steps=range(0, 16, 5)) == [0, 3, 3, 3, 3, 5, 3, 3, 3, 3, 10, 3, 3, 3, 3, 15]


def test_print_stays_undefined():
    assert "NameError: print is not defined" in str(error_of("print(n)"))


# ---- small arrays ----


def test_arrays():
    @asc2.jit
    def kernel(out_ptr, n, m):
        out = asc2.tensor(out_ptr, [16])
        a = asc.array(asc.int32, 3, 7)
        b = asc.array(asc.int32, [n, m, n + m])
        a[1] = n
        a[m] = 100
        for i in range(3):
            asc2.store(a[i], out, offsets=[i])
            asc2.store(b[i] + len(b), out, offsets=[3 + i])
        asc2.store(b[-1], out, offsets=[6])

    assert ints(kernel, 4, 2)[:7] == [7, 4, 100, 7, 5, 9, 6]
    assert ints(kernel, 4, 0)[:7] == [100, 4, 7, 7, 3, 7, 4]


# ---- names ----


def test_public_names_of_asc2():
    """The 66 names of the language, and our additions: classes, functions, positions of elements, and what looks and tunes."""
    program = "tensor TileLocation range block_idx block_num num_tiles jit"
    memory = "load store copy"
    binary = ("add sub mul div maximum minimum left_shift right_shift equal not_equal greater greater_equal less less_equal")
    matrix = "matmul matmul_acc zeros_acc"
    unary = "abs ceil cos cosh erf exp exp2 floor log log2 negative relu rsqrt sin sinh sqrt tan tanh softmax rms_norm"
    reductions = "reduce_sum reduce_max reduce_min reduce_prod"
    other = ("broadcast_to reshape ravel expand_dims squeeze full full_like zeros zeros_like concat where mask atomic_add atomic_max "
             "atomic_min")
    names = " ".join([program, memory, binary, matrix, unary, reductions, other]).split()
    assert len(names) == 66
    functions = "pow fmod remainder log1p expm1 gelu sigmoid silu softplus reciprocal"
    positions = "arange transpose argmax argmin cumsum sort topk gather scatter load_rows store_rows"
    ours = f"{functions} {positions} Tensor Tile breakpoint device_print device_assert".split()
    assert set(asc2.__all__) - set(names) == {*ours, *asc2._LAZY}
    assert not set(names) - set(asc2.__all__)
    assert all(hasattr(asc2, name) for name in names)


def test_public_names_of_asc():
    names = ("void int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 half float_ double int_ "
             "DataType ConstExpr GlobalAddress ceildiv number static_assert static_range range array inline property get_block_idx "
             "get_block_num device_print jit").split()
    assert [name for name in names if not hasattr(asc, name)] == []
    import asc.language as language

    assert [name for name in names if not hasattr(language, name)] == []
    from asc.codegen.errors import CodegenError, UnsupportedSyntaxError  # noqa: F401
    from asc.common.compat import get_annotations  # noqa: F401
    from asc.language.core.constexpr import ConstExpr  # noqa: F401
    from asc.language.core.ir_value import GlobalAddress  # noqa: F401
    from asc.language.core.struct import Field, Struct, StructField  # noqa: F401
    from asc.language.core.utils import global_builder  # noqa: F401
    from asc.runtime.compiler import Compiler, CompileOptions  # noqa: F401
    from asc.runtime.jit import JITFunction, MockTensor, MockValue  # noqa: F401
    from asc.runtime.launcher import Launcher  # noqa: F401


def test_help_shows_signatures():
    """`load = <builtin asc2.load>` was all that help() said."""
    import pydoc

    text = pydoc.render_doc(asc2.load, renderer=pydoc.plaintext)
    assert "\nload(tensor: 'Tensor', shape:" in text and "pad_value" in text and "Elements outside the tensor become" in text
    assert "\nceildiv(x:" in pydoc.render_doc(asc.ceildiv, renderer=pydoc.plaintext)
