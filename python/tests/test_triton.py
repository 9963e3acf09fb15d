"""Triton's language: programs against torch, pointers against NumPy's gather, rules of types, errors.

What could go wrong: an address that becomes the wrong box, an element outside of an array that is read, one that the mask does not
choose that is written, a type other than Triton's, a launch that computes with the arguments of another one.
"""

import os
import random
import subprocess
import sys
import textwrap
from datetime import date

import numpy as np
import pytest
import torch

import asc
from asc.runtime import config
from triton_programs import PROGRAMS, tl, triton

PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]
LONG = os.environ.get("TILESMITH_LONG") == "1"
RANDOM = random.Random(date.today().toordinal())  # other cases each day, the same in all processes of a run


@pytest.fixture(params=PLATFORMS)
def platform(request):
    config.set_platform("Model", request.param)
    return request.param


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs_are_right_and_clean(platform, program):
    torch.manual_seed(0)
    with asc.check() as report:
        program()
    assert not report.findings, "\n".join(map(str, report.findings[:3]))


# Pointers ------------------------------------------------------------------------------------------------------------


def expression(random, names, depth):
    """An expression over ranges and numbers, for Triton and NumPy alike."""
    if depth == 0 or random.random() < 0.2:
        return random.choice(names)
    a, b = expression(random, names, depth - 1), expression(random, names, depth - 1)
    return random.choice([f"({a} + {b})", f"({a} * {random.choice([1, 2, 3, 16])})", f"({a} - {b})", f"({a} + {random.choice(['n', '5'])})",
                          f"({a} % {random.choice([4, 7])})", f"({a} // {random.choice([2, 3])})"])  # fmt: skip


def mask(random, names):
    one = lambda: f"({expression(random, names, 1)} {random.choice(['<', '<=', '>', '>='])} {random.choice(['n', '3', '11', '20'])})"
    return random.choice([one(), f"({one()} & {one()})", f"({one()} | {one()})"])


@pytest.mark.parametrize("seed", [RANDOM.randrange(1 << 30) for _ in range(2500 if LONG else 8)])
def test_any_addresses_under_any_mask_are_what_a_gather_gives(tmp_path, platform, seed):
    """Elements that are not chosen may lie outside of the array: reading one is a finding, and fails the test."""
    chooser = random.Random(seed)
    rows, columns, n = chooser.choice([1, 3, 8]), chooser.choice([1, 8, 12, 16]), chooser.randrange(2, 20)
    names = ["i[:, None]", "j[None, :]", "(i[:, None] + j[None, :])"]
    address = expression(chooser, names, 3)
    chosen = mask(chooser, names)
    source = f"""
    import triton, triton.language as tl

    @triton.jit
    def kernel(x_ptr, o_ptr, n, R: tl.constexpr, C: tl.constexpr):
        i = tl.arange(0, R)
        j = tl.arange(0, C)
        offsets = {address} + (i[:, None] + j[None, :]) * 0
        x = tl.load(x_ptr + offsets, mask=({chosen}) & (offsets >= 0) & (offsets < 100), other=-1.0)
        tl.store(o_ptr + i[:, None] * C + j[None, :], x, mask={chosen})
    """
    path = tmp_path / f"program_{seed}.py"
    path.write_text(textwrap.dedent(source))
    scope = {"__name__": "program"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    x, out = np.arange(100, dtype=np.float32), np.full((rows, columns), 7, np.float32)
    with asc.check() as report:
        scope["kernel"][(1,)](x, out, n, rows, columns)
    i, j = np.arange(rows), np.arange(columns)
    # Triton truncates quotients, and remainders have the sign of the left side.
    as_numpy = lambda text: text.replace("//", "@").replace("%", "**")

    class Int:
        def __init__(self, value):
            self.value = np.asarray(value)

        def __getitem__(self, index):
            return Int(self.value[index])

        def __matmul__(self, other):
            return Int(np.trunc(self.value / other).astype(np.int64))

        def __pow__(self, other):
            return Int(np.fmod(self.value, other))

    def operator(name):
        return lambda self, other: Int(getattr(self.value, name)(getattr(other, "value", other)))

    for name in "add sub mul lt le gt ge and or".split():
        setattr(Int, f"__{name}__", operator(f"__{name}__"))
    values = {"i": Int(i), "j": Int(j), "n": n}
    shape = (rows, columns)
    where = np.broadcast_to(eval(as_numpy(address), values).value, shape)
    choice = np.broadcast_to(eval(as_numpy(chosen), values).value, shape)
    loaded = np.where(choice & (where >= 0) & (where < 100), x[np.clip(where, 0, 99)], -1)
    np.testing.assert_array_equal(out, np.where(choice, loaded, 7), err_msg=f"seed {seed}: {address} under {chosen}")
    assert not report.findings, f"seed {seed}: {report.findings[:2]}"


# Types ---------------------------------------------------------------------------------------------------------------

DTYPES = "int8 int16 int32 int64 uint8 uint32 float16 bfloat16 float32".split()


@triton.jit
def add_types(a_ptr, b_ptr, c_ptr, want: tl.constexpr, op: tl.constexpr):
    i = tl.arange(0, 32)
    a = tl.load(a_ptr + i)
    b = tl.load(b_ptr + i)
    if op == "+":
        c = a + b
    elif op == "/":
        c = a / b
    else:
        c = a < b
    tl.static_assert(c.dtype == want, f"{c.dtype} is not {want}")
    tl.store(c_ptr + i, c)


def promoted(a, b, op):
    """The rules as Triton's documents say them."""
    if op == "<":
        return "int1"
    bits = lambda name: int("".join(filter(str.isdigit, name)))
    if "float32" in (a, b):
        return "float32"
    if "float16" in (a, b):
        return "float32" if op == "/" else "float16"
    if "bfloat16" in (a, b):
        return "bfloat16" if a == b and op != "/" else "float32"
    if op == "/":
        return "float32"
    if (a[0] == "u") == (b[0] == "u"):
        return max(a, b, key=bits)
    natural, other = (a, b) if a[0] == "u" else (b, a)
    return natural if bits(natural) >= bits(other) else other


def pairs():
    everything = [(a, b, op) for a in DTYPES for b in DTYPES for op in "+/<"]
    return everything if LONG else RANDOM.sample(everything, 12)


@pytest.mark.parametrize("a, b, op", pairs())
def test_operations_have_the_types_of_triton(a, b, op):
    want = promoted(a, b, op)
    x = torch.arange(1, 33).to(getattr(torch, a))
    y = torch.arange(3, 35).to(getattr(torch, b))
    out = torch.zeros(32, dtype=getattr(torch, "bool" if want == "int1" else want))
    add_types[(1,)](x, y, out, getattr(tl, want), op)
    wide_x, wide_y = x.double(), y.double()
    expected = {"+": wide_x + wide_y, "/": wide_x / wide_y, "<": wide_x < wide_y}[op]
    np.testing.assert_allclose(out.double(), expected.double(), rtol=1e-2)


@triton.jit
def numbers(x_ptr, s, o_ptr, want: tl.constexpr, runtime: tl.constexpr):
    i = tl.arange(0, 16)
    x = tl.load(x_ptr + i)
    y = x * s if runtime else x * 2.5
    tl.static_assert(y.dtype == want, f"{y.dtype}")
    tl.store(o_ptr + i, y)


def test_python_numbers_take_no_part_and_numbers_of_the_launch_do():
    x = torch.arange(16).to(torch.float16)
    out = torch.zeros(16, dtype=torch.float16)
    numbers[(1,)](x, 2.5, out, tl.float16, False)
    assert torch.equal(out, x * 2.5)
    numbers[(1,)](x, 2.5, out, tl.float32, True)
    assert torch.equal(out, x * 2.5)
    numbers[(1,)](torch.arange(16, dtype=torch.int32), 2.5, out, tl.float32, False)


# Operations ----------------------------------------------------------------------------------------------------------

MATRIX = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.float16, torch.bfloat16, torch.float32]


@triton.jit
def one_operation(x_ptr, o_ptr, X: tl.constexpr, Y: tl.constexpr, Z: tl.constexpr, F: tl.constexpr):
    i = tl.arange(0, X)[:, None, None] * Y * Z + tl.arange(0, Y)[None, :, None] * Z + tl.arange(0, Z)[None, None, :]
    x = tl.load(x_ptr + i)
    if F == "abs": y = tl.abs(x)
    elif F == "exp": y = tl.exp(x)
    elif F == "neg": y = -x
    elif F == "not": y = ~x
    elif F == "sqrt": y = tl.sqrt(x)
    elif F == "floor": y = tl.floor(x)
    elif F == "max0": y = tl.maximum(x, 1)
    elif F == "add": y = x + 3
    elif F == "mul": y = x * x
    elif F == "sub": y = x - 1
    elif F == "div": y = x / 2
    elif F == "fdiv": y = x // 3
    elif F == "mod": y = x % 3
    elif F == "shl": y = x << 1
    elif F == "shr": y = x >> 1
    elif F == "and": y = x & 5
    elif F == "or": y = x | 5
    elif F == "eq": y = x == 2
    elif F == "lt": y = x < 2
    elif F == "f32": y = x.to(tl.float32)
    elif F == "i32": y = x.to(tl.int32)
    elif F == "i8": y = x.to(tl.int8)
    elif F == "bool": y = x.to(tl.int1)
    elif F == "where": y = tl.where(x > 1, x, 0)
    elif F == "clamp": y = tl.clamp(x, -1.0, 1.0)
    elif F == "sum2": y = tl.sum(x, 2)[:, :, None] + tl.zeros((X, Y, Z), tl.int32).to(x.dtype)
    elif F == "max1": y = tl.max(x, 1)[:, None, :] + tl.zeros((X, Y, Z), tl.int8).to(x.dtype)
    elif F == "perm": y = tl.reshape(tl.permute(x, (2, 0, 1)), (X, Y, Z))
    elif F == "cumsum": y = tl.cumsum(x, 1)
    elif F == "flip": y = tl.flip(x, 2)
    tl.store(o_ptr + i, y)


def expected_of(F, x):
    tr = lambda a, b: torch.div(a, b, rounding_mode="trunc")
    return {"abs": lambda: x.abs(), "exp": lambda: x.float().exp(), "neg": lambda: -x, "not": lambda: ~x, "sqrt": lambda: x.float().sqrt(), "floor": lambda: x.floor(),
     "max0": lambda: torch.maximum(x, torch.ones_like(x)), "add": lambda: x + 3, "mul": lambda: x * x, "sub": lambda: x - 1, "div": lambda: x.float() / 2, "fdiv": lambda: tr(x, 3), "mod": lambda: torch.fmod(x, 3),
     "shl": lambda: x << 1, "shr": lambda: x >> 1, "and": lambda: x & 5, "or": lambda: x | 5, "eq": lambda: x == 2, "lt": lambda: x < 2, "f32": lambda: x.float(), "i32": lambda: x.to(torch.int32), "i8": lambda: x.to(torch.int8),
     "bool": lambda: x != 0, "where": lambda: torch.where(x > 1, x, torch.zeros_like(x)), "clamp": lambda: x.float().clamp(-1, 1), "sum2": lambda: x.sum(2, keepdim=True).expand(x.shape), "max1": lambda: x.max(1, keepdim=True).values.expand(x.shape),
     "perm": lambda: x.permute(2, 0, 1).reshape(x.shape), "cumsum": lambda: x.cumsum(1), "flip": lambda: x.flip(2)}[F]()


OF_FLOATS = "exp sqrt floor clamp".split()
OF_INTEGERS = "fdiv not shl shr and or".split()
OPERATIONS = "abs exp neg not sqrt floor max0 add mul sub div fdiv mod shl shr and or eq lt f32 i32 i8 bool where clamp sum2 max1 perm cumsum flip".split()


def matrix():
    everything = [(name, dtype) for name in OPERATIONS for dtype in MATRIX
                  if not (name in OF_FLOATS and not dtype.is_floating_point or name in OF_INTEGERS and dtype.is_floating_point
                          or name == "neg" and dtype == torch.uint8)]  # fmt: skip
    return everything if LONG else RANDOM.sample(everything, 16)


@pytest.mark.parametrize("name, dtype", matrix(), ids=str)
def test_operations_on_all_types_are_those_of_torch(platform, name, dtype):
    for shape in [(2, 3, 5), (1, 4, 16)]:
        x = torch.randint(0, 20, shape, dtype=dtype) if dtype == torch.uint8 else (torch.randn(shape) * 4).to(dtype)
        x = x.abs() if name == "sqrt" else x
        given = {"div": "float32", "f32": "float32", "i32": "int32", "i8": "int8", "eq": "bool", "lt": "bool", "bool": "bool"}
        result = getattr(torch, given[name]) if name in given else dtype
        if name == "mod" and dtype.is_floating_point:
            result = torch.float32
        out = torch.zeros(shape, dtype=result)
        one_operation[1, 1, 1](x, out, *shape, name)
        expected = expected_of(name, x).to(result)
        if result.is_floating_point:
            torch.testing.assert_close(out.double(), expected.double(), rtol=2e-2, atol=1e-2)
        else:
            assert torch.equal(out, expected)


# Launches ------------------------------------------------------------------------------------------------------------


@triton.jit
def grid_of(o_ptr, k):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    at = (z * tl.num_programs(1) + y) * tl.num_programs(0) + x
    tl.store(o_ptr + at, x + 10 * y + 100 * z + k)


@pytest.mark.parametrize("grid", [(5,), (2, 3), (3, 1, 4), (1, 1, 1), (1, 5), 4, lambda meta: (meta["k"], 2)])
def test_programs_know_their_place_in_the_grid(grid):
    extents = grid({"k": 3}) if callable(grid) else (grid,) if isinstance(grid, int) else grid
    x, y, z = (*extents, 1, 1)[:3]
    out = torch.zeros(x * y * z, dtype=torch.int32)
    grid_of[grid](out, 3)
    expected = [i + 10 * j + 100 * k + 3 for k in range(z) for j in range(y) for i in range(x)]
    assert out.tolist() == expected


def test_a_grid_without_programs_does_nothing_and_one_of_too_many_is_an_error():
    out = torch.zeros(4, dtype=torch.int32)
    assert grid_of[(0,)](out, 3) is None
    with pytest.raises(RuntimeError, match="coreDim=65536 can't be greater than UINT16_MAX"):
        grid_of[(65536,)](out, 3)


@triton.jit
def scale(x_ptr, n, s, o_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o_ptr + i, tl.load(x_ptr + i, mask=i < n, other=0.0) * s, mask=i < n)


def test_each_launch_has_its_own_arguments():
    """1 is a constant of its specialisation, other numbers are not."""
    x, out = torch.arange(8.0), torch.zeros(8)
    for n, s in [(1, 2.0), (2, 3.0), (8, 4.0), (1, 5.0)]:
        out.zero_()
        scale[(1,)](x, n, s, out, B=8)
        assert torch.equal(out[:n], x[:n] * s) and not out[n:].any()


def test_a_launch_is_written_as_ascend_c():
    x, out = torch.arange(8.0), torch.zeros(8)
    text = scale[(1,)](x, 8, 2.0, out, B=8).asm["ascendc"]
    assert "extern \"C\" __global__" in text and "scale" in text


# Errors --------------------------------------------------------------------------------------------------------------


def error_of(tmp_path, body, *arguments):
    path = tmp_path / "wrong.py"
    path.write_text("import triton, triton.language as tl\n\n@triton.jit\ndef kernel(x_ptr, n, B: tl.constexpr):\n" + textwrap.indent(textwrap.dedent(body), "    "))
    scope = {"__name__": "wrong"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(triton.CompilationError) as caught:
        scope["kernel"][(1,)](*(arguments or (torch.zeros(64), 5)), B=16)
    return str(caught.value)


@pytest.mark.parametrize("body, words", [
    ("x = tl.arange(0, n)", "arange's arguments must be of type tl.constexpr"),
    ("x = tl.arange(0, B) + tl.arange(0, 8)", "Cannot make_shape_compatible: incompatible dimensions at index 0: 16 and 8"),
    ("x = tl.tanh(tl.load(x_ptr + tl.arange(0, B)))", "libdevice.tanh"),
    ("if tl.arange(0, B) < n:\n    tl.store(x_ptr, 1.0)", "Boolean value of Tensor with more than one value is ambiguous"),
    ("x = tl.load(x_ptr + tl.arange(0, B))[0]", "unsupported tensor index"),
    ("x = tl.load(x_ptr + tl.arange(0, B), other=0.0)", "`other` cannot be provided without `mask`"),
    ("x = tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float32))", "Both operands must be same dtype"),
    ("x = tl.program_id(3)", "program_id axis must be 0, 1, or 2 but got 3"),
    ("tl.static_assert(B == 8, 'B is wrong')", "B is wrong"),
    ("x = tl.load(x_ptr + tl.arange(0, B)) ** 2", "operator ** is not defined for tensors"),
    ("x = tl.zeros((B,), tl.float32) // 2", "operator // is defined for integers"),
    ("x = x_ptr + x_ptr", "a pointer moves by a number of elements"),
])  # fmt: skip
def test_errors_name_the_place_and_the_reason(tmp_path, body, words):
    text = error_of(tmp_path, body)
    assert words in text
    assert "wrong.py:5:" in text


def test_a_loop_must_keep_the_shape_of_what_it_changes(tmp_path):
    text = error_of(tmp_path, "x = tl.zeros((B,), tl.float32)\nfor i in range(n):\n    x = x[:, None] + x[None, :]\ntl.store(x_ptr + tl.arange(0, B), x)")
    assert "before the loop" in text
    assert "Loop-carried variable x has initial type" in text and "but is re-assigned to" in text


def test_both_sides_of_a_branch_leave_one_type(tmp_path):
    text = error_of(tmp_path, "if n > 3:\n    x = tl.zeros((B,), tl.float32)\nelse:\n    x = tl.zeros((2 * B,), tl.float32)\ntl.store(x_ptr + tl.arange(0, B), x)")
    assert "Mismatched type for x between then block (" in text and ") and else block (" in text


def test_functions_take_types_of_floats_only(tmp_path):
    assert "Expected dtype ['fp32', 'fp64'] but got int32" in error_of(tmp_path, "tl.store(x_ptr, tl.exp(tl.arange(0, B)))")


def test_operations_work_inside_kernels_only():
    with pytest.raises(ValueError, match="Did you forget to add @triton.jit"):
        tl.arange(0, 8)
    with pytest.raises(RuntimeError, match="Cannot call @triton.jit'd outside of the scope of a kernel"):
        scale(torch.zeros(8), 8, 2.0, torch.zeros(8), 8)


SIZE = 8
SIZES = tl.constexpr(8)


@triton.jit
def read_size(x_ptr, constant: tl.constexpr):
    size: tl.constexpr = SIZES if constant else SIZE
    tl.store(x_ptr + tl.arange(0, size), 1.0)


@triton.jit
def read_size_inside(x_ptr, constant: tl.constexpr):
    read_size(x_ptr, constant)


@pytest.mark.parametrize("kernel", [read_size, read_size_inside])
def test_kernels_read_globals_that_are_constants_only(kernel, monkeypatch):
    with pytest.raises(triton.CompilationError, match="Cannot access global variable SIZE from within @jit'ed function") as caught:
        kernel[(1,)](torch.zeros(8), True)
    assert "test_triton.py:" in str(caught.value) and "^~~~" in str(caught.value)
    monkeypatch.setenv("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS", "1")
    x = torch.zeros(8)
    kernel[(1,)](x, True)
    assert x.eq(1).all()


def test_settings_have_the_names_of_triton(monkeypatch):
    monkeypatch.delenv("TRITON_PRINT_AUTOTUNING", raising=False)
    with triton.knobs.autotuning.scope():
        triton.knobs.autotuning.print = True
        assert os.environ["TRITON_PRINT_AUTOTUNING"] == "1"
    assert "TRITON_PRINT_AUTOTUNING" not in os.environ and not triton.knobs.autotuning.print and triton.knobs.runtime.interpret is None


# The package ---------------------------------------------------------------------------------------------------------


def run(text):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=120)


def test_install_gives_the_package_and_uninstall_takes_it_away():
    done = run("""
    import tilesmith.triton, sys
    tilesmith.triton.install(quiet=True)
    import triton, triton.language as tl, triton.runtime.driver, triton.testing, triton.compiler.errors
    import triton.language.extra.cann.libdevice as libdevice
    from triton.language.math import rsqrt, tanh
    from triton.runtime import driver
    assert libdevice.tanh is tanh and tl.extra.cann.libdevice is libdevice
    assert driver.active.get_current_target().backend == "npu"
    assert triton.__version__ == "3.5.0" and triton.cdiv(7, 2) == 4 and triton.next_power_of_2(9) == 16
    tilesmith.triton.uninstall()
    assert not [name for name in sys.modules if name.split(".")[0] == "triton"]
    try:
        import triton
    except ImportError:
        print("gone")
    """)
    assert done.stdout.strip() == "gone" or "triton" in done.stderr, done.stderr


def test_the_driver_is_there_without_an_import_of_its_own():
    done = run("""
    import tilesmith.triton
    tilesmith.triton.install(quiet=True)
    import triton
    print(triton.runtime.driver.active.utils.get_aivector_core_num())
    """)
    assert int(done.stdout) > 0, done.stderr


def test_a_triton_imported_before_is_an_error_that_names_it():
    done = run("""
    import sys, types
    sys.modules["triton"] = types.ModuleType("triton")
    import tilesmith.triton
    tilesmith.triton.install()
    """)
    assert "'triton' was imported before" in done.stderr


def test_the_pages_and_declarations_are_those_of_the_table():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    subprocess.run([sys.executable, os.path.join(root, "tools/triton_operations.py"), "--check"], check=True)
