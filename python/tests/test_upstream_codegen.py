"""What unit tests of other front ends of this language look for in the text of the IR: names of arguments and constants, arith,
scf and func operations. They replace `_run_compiler` and `_run_launcher` and print `global_builder.get_ir_module()`.

Two things differ by choice. Functions called from a kernel are inlined while they are traced, so there is no call and no second
func.func; and a pointer argument is `!tile.ptr<f32>`, not a memref in memory space 22: what the front end builds is printed as
it is.
"""

import re

import asc
import numpy as np
import pytest
from asc.codegen.errors import CodegenError
from asc.language.core.utils import global_builder
from asc.runtime.jit import JITFunction, MockTensor, MockValue


@pytest.fixture(autouse=True)
def front_end_only(monkeypatch):
    calls = []
    monkeypatch.setattr(JITFunction, "_run_compiler", lambda self, *args: calls.append("compiler"))
    monkeypatch.setattr(JITFunction, "_run_launcher", lambda self, *args: calls.append("launcher"))
    yield calls


def ir(kernel, *args, **kwargs):
    kernel[1](*args, always_compile=True, **kwargs)
    return str(global_builder.get_ir_module())


def in_order(text, *patterns):
    """Each pattern matches after the one before, as CHECK lines do."""
    at = 0
    for pattern in patterns:
        match = re.compile(pattern).search(text, at)
        assert match, f"{pattern!r} does not follow in\n{text}"
        at = match.end()


def test_steps_are_replaced_and_come_back(front_end_only, monkeypatch):
    @asc.jit
    def kernel(x):
        pass

    x = np.zeros(1, np.float32)
    kernel[1](x, always_compile=True)
    assert front_end_only == ["compiler", "launcher"]
    monkeypatch.undo()
    kernel[1](x, always_compile=True)
    assert front_end_only == ["compiler", "launcher"]


def test_mocks_work_too(monkeypatch):
    from unittest import mock

    @asc.jit
    def kernel(x):
        pass

    with mock.patch.object(JITFunction, "_run_launcher") as launcher:
        kernel[3](np.zeros(1, np.float32), always_compile=True)
    launcher.assert_called_once()


def test_the_launcher_itself_can_be_replaced(monkeypatch):
    from asc.runtime.launcher import Launcher

    @asc.jit
    def kernel(x):
        asc.number(1, asc.int32)

    monkeypatch.undo()
    assert isinstance(kernel[1], Launcher)
    monkeypatch.setattr(Launcher, "run", lambda *args: calls.append(args))
    calls = []
    kernel[2](np.zeros(1, np.float32), always_compile=True)
    assert len(calls) == 1
    monkeypatch.undo()
    kernel[2](np.zeros(1, np.float32), always_compile=True)
    assert len(calls) == 1


def test_arguments_and_function():
    @asc.jit
    def kernel(x, n, f, flag):
        pass

    in_order(ir(kernel, np.zeros(1, np.float32), 1, 2.0, True),
             r"func\.func @kernel\(%arg0: !tile\.ptr<f32>, %arg1: i32, %arg2: f32, %arg3: i8\)", r"return\n")
    in_order(ir(kernel, MockTensor(asc.float16), MockValue(asc.int64), 2.0, False),
             r"%arg0: !tile\.ptr<f16>, %arg1: i64, %arg2: f32, %arg3: i8")


def test_ann_assign():
    """`1.0 + n` of an int n is int arithmetic (with a literal that is whole there is nothing to warn about)."""

    @asc.jit
    def kernel(n):
        a: int = n + 1
        b: float = 1.0 + n
        c: int

    in_order(ir(kernel, 1), r"%c1_i32 = arith\.constant 1 : i32", r"arith\.addi %arg0, %c1_i32 : i32",
             r"arith\.constant 1 : i32", r"arith\.addi %c1_i32\w*, %arg0 : i32")


def test_aug_assign():
    @asc.jit
    def kernel(n, m):
        n += m
        n -= m
        n *= m
        n /= m
        n //= m
        n %= m

    in_order(ir(kernel, 1, 2), r"%0 = arith\.addi %arg0, %arg1 : i32", r"%1 = arith\.subi %0, %arg1", r"%2 = arith\.muli %1, %arg1",
             r"%3 = arith\.divsi %2, %arg1", r"%4 = arith\.divsi %3, %arg1", r"%5 = arith\.remsi %4, %arg1")


def test_bool_ops():
    @asc.jit
    def kernel(n, m):
        a = n > 1 and m > 2
        b = n > 1 or m > 2
        c = not a

    in_order(ir(kernel, 1, 2), r"arith\.cmpi sgt, %arg0, %c1_i32", r"arith\.cmpi sgt, %arg1, %c2_i32", r"arith\.andi %\d+, %\d+ : i1",
             r"arith\.ori %\d+, %\d+ : i1", r"arith\.constant true", r"arith\.xori")


def test_compares():
    @asc.jit
    def kernel(n, m, f):
        a = n == m
        b = n != m
        c = n < m
        d = n <= m
        e = n > m
        g = n >= m
        h = f < 1.0

    in_order(ir(kernel, 1, 2, 1.0), *(rf"arith\.cmpi {kind}, %arg0, %arg1 : i32" for kind in ("eq", "ne", "slt", "sle", "sgt", "sge")),
             r"arith\.cmpf olt, %arg2, %cst")


def test_bitwise_and_shifts():
    @asc.jit
    def kernel(n, m):
        a = n & m
        b = n | m
        c = n ^ m
        d = n << m
        e = n >> m

    in_order(ir(kernel, 1, 2), *(rf"arith\.{op} %arg0, %arg1 : i32" for op in ("andi", "ori", "xori", "shli", "shrsi")))


def test_if_with_carried_scalar():
    @asc.jit
    def kernel(n, m):
        if n > m:
            n = n + 1
        else:
            n = n - 1
        m = n

    in_order(ir(kernel, 1, 2), r"%0 = arith\.cmpi sgt, %arg0, %arg1", r"%1 = scf\.if %0 -> \(i32\) \{", r"arith\.addi %arg0",
             r"scf\.yield %\w+ : i32", r"\} else \{", r"arith\.subi %arg0", r"scf\.yield %\w+ : i32")


def test_known_conditions_leave_no_trace():
    @asc.jit
    def kernel(n, mode: asc.ConstExpr[int]):
        if mode == 1:
            n = n + 1
        else:
            n = n * 3

    text = ir(kernel, 1, mode=1)
    assert "scf.if" not in text and "muli" not in text and "addi" in text


def test_while():
    @asc.jit
    def kernel(n):
        while n > 1:
            n = n - 1

    in_order(ir(kernel, 5), r"scf\.while \(%arg1 = %arg0\) : \(i32\) -> i32", r"arith\.cmpi sgt, %arg1, %c1_i32",
             r"scf\.condition\(%\d+\) %arg1 : i32", r"arith\.subi %arg1", r"scf\.yield")


def test_for():
    @asc.jit
    def kernel(n):
        total = 0
        for i in asc.range(n):
            total = total + i

    in_order(ir(kernel, 5), r"scf\.for %arg1 = %c0_i32\w* to %arg0 step %c1_i32\w* iter_args\(%arg2 = %c0_i32\w*\) -> \(i32\)\s*: i32",
             r"arith\.addi %arg2, %arg1 : i32", r"scf\.yield")


def test_static_range_is_unrolled():
    @asc.jit
    def kernel(n):
        for i in asc.static_range(3):
            n = n + i

    text = ir(kernel, 5)
    assert "scf.for" not in text and text.count("arith.addi") == 3


def test_functions_are_inlined_with_all_their_results():
    @asc.jit
    def swap(a, b, c):
        return c, a, b

    @asc.jit
    def kernel(n, m, k):
        x, y, z = swap(n, m, k)
        w = x - y * z

    text = ir(kernel, 1, 2, 3)
    in_order(text, r"%0 = arith\.muli %arg0, %arg1 : i32", r"%1 = arith\.subi %arg2, %0 : i32")
    assert "call" not in text and text.count("func.func") == 1


def test_constants():
    @asc.jit
    def kernel(n, f):
        a = n + 7
        b = f + 0.5
        c = asc.number(3, asc.int64)

    in_order(ir(kernel, 1, 1.0), r"%c7_i32 = arith\.constant 7 : i32", r"%cst = arith\.constant 5\.0\d+e-01 : f32",
             r"%c3_i64 = arith\.constant 3 : i64")


def test_ternary():
    @asc.jit
    def kernel(n, m):
        a = n if n > m else m

    in_order(ir(kernel, 1, 2), r"%0 = arith\.cmpi sgt", r"arith\.select %0, %arg0, %arg1 : i32")


def test_string_argument():
    @asc.jit
    def kernel(x):
        pass

    with pytest.raises(TypeError, match="Argument type in JIT function is not supported: str") as info:
        kernel[1]("text")
    assert not isinstance(info.value, CodegenError)


def test_print_and_assert():
    @asc.jit
    def printing(n):
        print(n)

    @asc.jit
    def asserting(n):
        assert 1 == 2, "never"

    with pytest.raises(CodegenError, match="NameError: print is not defined"):
        printing[1](1)
    with pytest.raises(CodegenError, match="AssertionError"):
        asserting[1](1)
