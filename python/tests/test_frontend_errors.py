"""Every construct a kernel cannot use has its own message, at the exact place. The texts are part of the interface."""

import textwrap

import pytest
from asc.codegen.errors import CodegenError, UnsupportedSyntaxError
from frontend import error_of, lower_body, lower_text, ptr


def check(body, expected, **options):
    """Compares the whole text of the error of a kernel body; it starts at line 4, indented by 4."""
    error = error_of(body, **options)
    assert str(error) == textwrap.dedent(expected).strip("\n")
    return error


REFUSED = [
    ("y = {1: 2}", "Dict", "make it outside the kernel and use it here, or pass it as asc.ConstExpr"),
    ("y = {1, 2}", "Set", "make it outside the kernel and use it here, or pass it as asc.ConstExpr"),
    ("y = {i for i in s}", "SetComp", "write a list comprehension, or compute it outside"),
    ("y = {i: i for i in s}", "DictComp", "write a list comprehension, or compute it outside"),
    ("y = (z := 1)", "NamedExpr", "write the assignment as a statement of its own"),
    ("y = yield", "Yield", "a kernel runs to its end; store results into a tensor"),
    ("y = yield from s", "YieldFrom", "a kernel runs to its end; store results into a tensor"),
    ("del x", "Delete", "names need no deletion, memory is planned by the compiler"),
    ("raise ValueError", "Raise", "check conditions known while compiling with assert or asc.static_assert"),
    ("try:\n    pass\nexcept ValueError:\n    pass", "Try", "a kernel has no exceptions; check with assert while compiling"),
    ("import os", "Import", "import at the top of the file"),
    ("from os import path", "ImportFrom", "import at the top of the file"),
    ("global g", "Global", "names of the module can be read, not written; return values instead"),
    ("class C:\n    pass", "ClassDef", "define classes at module level"),
    ("match n:\n    case 1:\n        pass", "Match", "write if ... elif; conditions known while compiling are resolved then"),
]


@pytest.mark.parametrize("body, node, help", REFUSED, ids=[node for _, node, _ in REFUSED])
def test_refused_syntax(body, node, help):
    error = error_of(body)
    lines = str(error).splitlines()
    assert isinstance(error, UnsupportedSyntaxError)
    assert lines[0].endswith(f"error: {node} syntax is not supported inside a kernel")
    assert lines[-1] == f"help: {help}"
    assert "^" in lines[2]


def test_refused_syntax_underlines_the_expression():
    check("y = {i for i in s}", """
        kernel.py:4:9: error: SetComp syntax is not supported inside a kernel
            4 |     y = {i for i in s}
              |         ^~~~~~~~~~~~~~
        help: write a list comprehension, or compute it outside
        """)


@pytest.mark.parametrize("body, message", [
    ("y = z = x", "chained assignment is not supported inside a kernel"),
    ("for i in range(3):\n    pass\nelse:\n    pass", "for ... else is not supported inside a kernel"),
    ("while n > 0:\n    n = n - 1\nelse:\n    pass", "while ... else is not supported inside a kernel"),
    ("for i in 'ab':\n    pass", "a for loop inside a kernel runs over range, asc2.range, asc.static_range, a tuple or a list, "
     "not over the str 'ab'"),
    ("for i in n:\n    pass", "a for loop inside a kernel runs over range, asc2.range, asc.static_range, a tuple or a list, not over a "
     "runtime int32"),
    ("for i, j in range(3):\n    pass", "the variable of a runtime loop must be one name"),
    ("return x", "a kernel cannot return a value"),
    ("x.y = 1", "attribute y cannot be assigned inside a kernel"),
    ("x.y += 1", "augmented assignment needs a name or an item on its left inside a kernel"),
    ("x, *y = 1, 2", "Starred assignment syntax is not supported inside a kernel"),
    ("y = asc2.add(**{})", "** in a call is not supported inside a kernel"),
    ("y = 1j", "complex numbers are not supported inside a kernel"),
    ("with n, n:\n    pass", "a with statement takes one item inside a kernel"),
    ("with n:\n    pass", "a runtime int32 is not a context manager"),
    ("y = 0 < x < 1", "tiles cannot be compared in a chain"),
    ("async def g():\n    pass", "AsyncFunctionDef syntax is not supported inside a kernel"),
])
def test_other_refusals(body, message):
    error = error_of(body)
    assert error.error_message == message
    assert type(error) in (UnsupportedSyntaxError, CodegenError)


def test_print_is_not_defined():
    error = check("print(x)", """
        kernel.py:4:5: error: NameError: print is not defined
            4 |     print(x)
              |     ^~~~~
        help: inside a kernel: asc2.device_print("n = {}", n)
        """)
    assert isinstance(error.exception, NameError)


@pytest.mark.parametrize("name", "iter next open eval exec input globals __import__".split())
def test_other_builtins_are_not_defined(name):
    assert error_of(f"y = {name}").error_message == f"NameError: {name} is not defined"


def test_assertion():
    check('assert x.size == 3, "size must be 3"', """
        kernel.py:4:5: error: AssertionError: size must be 3
            4 |     assert x.size == 3, "size must be 3"
              |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
        """)
    assert error_of("assert False").error_message == "AssertionError"


def test_runtime_assertion():
    check("assert n > 3", """
        kernel.py:4:12: error: an assert inside a kernel must be known while compiling, not a runtime int1
            4 |     assert n > 3
              |            ^~~~~
        help: check runtime values on the host before the launch
        """)


def test_name_bound_in_a_branch_only():
    check("if n > 3:\n    y = x\nasc2.store(y, a, offsets=[0])", """
        kernel.py:6:16: error: NameError: y is not defined here: it was bound inside the runtime if at line 4
            6 |     asc2.store(y, a, offsets=[0])
              |                ^
        kernel.py:5:9: note: bound here
            5 |         y = x
              |         ^
        help: bind y before the loop or branch to carry its value out
        """)


def test_loop_variable_after_its_loop():
    check("for i in range(n):\n    pass\ny = x + i", """
        kernel.py:6:13: error: NameError: i is not defined here: its value ends with the loop at line 4
            6 |     y = x + i
              |             ^
        kernel.py:4:9: note: bound here
            4 |     for i in range(n):
              |         ^
        help: bind i before the loop or branch to carry its value out
        """)


def test_name_taken_by_an_inner_loop():
    assert "i is not defined here" in error_of("""
        i = 3
        for j in range(n):
            y = x + i
            for i in range(n):
                pass
        """).error_message


def test_loop_that_changes_a_type():
    check("y = x\nfor i in range(n):\n    y = xh\ny = y + 1", """
        kernel.py:6:9: error: y is a tile [64] float32 before the loop and a tile [64] float16 after one iteration
            6 |         y = xh
              |         ^
        kernel.py:4:5: note: bound here before the loop
            4 |     y = x
              |     ^
        help: a runtime loop must keep the type of what it changes; convert it, or use another name
        """)


def test_loop_that_changes_the_type_of_what_it_reads():
    error = error_of("y = x\nfor i in range(n):\n    y = (y + 1).to(asc.float16)")
    assert error.error_message == "y is a tile [64] float32 before the loop and a tile [64] float16 after one iteration"


def test_names_reused_for_something_else_are_no_error_until_read():
    lower_body("""
        y, t = x, a
        for i in range(n):
            y = xh
            t = asc2.tensor(h_ptr, [n])
            asc2.store(y, t, offsets=[i])
        if n > 3:
            xk = x
            asc2.store(xk, a, offsets=[0])
        """)


def test_loop_that_changes_a_python_object():
    assert error_of("y = None\nfor i in range(n):\n    y = x\nz = y").error_message == (
        "y is None before the loop and a tile [64] float32 after one iteration")
    assert error_of("y = 'a'\nfor i in range(n):\n    y = y + 'b'").error_message == (
        "y is a str before the loop and a str after one iteration")


def test_branches_that_disagree():
    check("y = None\nif n > 3:\n    y = x\nelse:\n    y = xh\nz = y", """
        kernel.py:6:9: error: y is a tile [64] float32 in one branch of this if and a tile [64] float16 in the other
            6 |         y = x
              |         ^
        kernel.py:8:9: note: the other branch leaves it here
            8 |         y = xh
              |         ^
        help: both branches of a runtime if must leave the same type
        """)


def test_shapes_that_differ():
    check("y = x + x.reshape(2, 32)", """
        kernel.py:4:9: error: add of tiles of different shapes [64] and [2, 32]
            4 |     y = x + x.reshape(2, 32)
              |         ^~~~~~~~~~~~~~~~~~~~
        help: shapes are compared from the right: each dimension must be equal, 1, or missing
        """)


def test_truth_of_a_tile():
    check("if x > 0:\n    pass", """
        kernel.py:4:8: error: a tile [64] int1 has no truth value
            4 |     if x > 0:
              |        ^~~~~
        help: reduce it first, or choose element by element with asc2.where
        """)


def test_host_function_with_a_runtime_value():
    import math

    check("y = math.sqrt(f)", """
        kernel.py:4:19: error: math.sqrt is a Python function and cannot take a runtime float32
            4 |     y = math.sqrt(f)
              |                   ^
        help: instead of math.sqrt: asc2.sqrt(asc2.full([1], x, asc.float32)).sum(), as only tiles have it
        """, names={"math": math})


def test_exception_of_a_host_function():
    def broken():
        raise KeyError("no such key")

    error = check("y = broken()", f"""
        kernel.py:4:9: error: KeyError: 'no such key'
            4 |     y = broken()
              |         ^~~~~~~~
        note: raised by broken, at {__file__}:{broken.__code__.co_firstlineno + 1}
        """, names={"broken": broken})
    assert isinstance(error.exception, KeyError) and error.exception.__traceback__ is not None


def test_host_arithmetic_errors():
    assert error_of("y = 1 // 0").error_message.startswith("ZeroDivisionError: ")
    assert error_of("y = 'a' + 1").error_message.startswith("TypeError: ")
    assert error_of("y = (1, 2)[5]").error_message == "IndexError: tuple index out of range"
    assert error_of("y = asc.nothing").error_message == "AttributeError: module 'asc' has no attribute 'nothing'"


def test_endless_loop():
    assert error_of("while True:\n    pass").error_message == (
        "this loop never ends: its condition is true while compiling and the body does not change it")


def test_step_of_a_loop():
    assert error_of("for i in range(10, 0, -1):\n    pass").error_message == (
        "the step of a runtime loop must be positive, not -1")


def test_list_changed_inside_a_loop():
    assert error_of("s = [1]\nfor i in range(n):\n    s[0] = 2").error_message == (
        "a list cannot be changed inside a runtime loop or branch")


def test_wide_characters_and_tabs_keep_the_caret_in_place():
    error = error_of('y = "äöü€𝄞"; z = undefined')
    line, marks = str(error).splitlines()[1:3]
    assert line.index("undefined") == marks.index("^") and marks.count("~") == 8


def test_multi_line_expression_is_marked_to_the_end_of_its_first_line():
    lines = str(error_of("y = asc2.load(a,\n              [64])")).splitlines()
    assert lines[1].endswith("y = asc2.load(a,") and lines[2].endswith("^~~~~~~~~~~~")


def test_indented_functions_keep_their_columns():
    import _tilesmith

    source = "        @decorated\n        def kernel(n):\n            y = undefined\n"
    with pytest.raises(CodegenError, match=r"kernel.py:103:17: error: NameError: undefined is not defined"):
        _tilesmith.lower_to_tile(source, "kernel.py", 101, {}, {}, [("scalar", "int32")])


def test_variadic_parameters():
    with pytest.raises(CodegenError, match=r"a kernel cannot take \*args"):
        lower_text("def kernel(*args):\n    pass\n")


def test_wrong_number_of_arguments():
    with pytest.raises(CodegenError, match="kernel takes 2 arguments, 1 were given"):
        lower_text("def kernel(p, q):\n    pass\n", ptr())


# ---- limits: an error, never a crash ----


def test_deep_expression():
    assert "nested more than 400 deep" in error_of("y = " + "+".join(["1"] * 1200)).error_message
    lower_body("y = " + "+".join(["1"] * 300))


def test_deep_nesting_of_branches():
    body = ""
    for depth in range(80):
        body += " " * depth + f"if n > {depth}:\n"
    body += " " * 80 + "pass"
    assert "nested more than 64 deep" in error_of(body).error_message


def test_endless_unrolling():
    assert "unrolls to more than 200000 statements" in error_of(
        "for i in asc.static_range(10**12):\n    pass\n    pass").error_message


def test_huge_numbers():
    assert "too large" in error_of("y = 10 ** 10 ** 10").error_message
    assert "too large" in error_of("y = 1 << 10**9").error_message
    assert "too large" in error_of("y = 'a' * 10**12").error_message
    assert "does not fit into int32" in error_of(f"asc2.store(x, a, offsets=[{10**30}])").error_message
    assert "too large for float32" in error_of(f"y = x + {10**400}").error_message


def test_nested_retries_stay_fast():
    """Each level promotes a number of its own; the plans of inner loops are kept, so time does not double per level."""
    depth = 12
    body = "\n".join(f"c{i} = 0" for i in range(depth)) + "\n"
    for i in range(depth):
        body += "    " * i + f"for i{i} in range(n):\n"
        body += "    " * (i + 1) + f"c{i} += 1\n"
    lower_body(body)


# ---- through a launch ----


def test_capture_exceptions_can_be_switched_off():
    import asc2
    import numpy as np

    @asc2.jit(always_compile=True)
    def kernel(x_ptr):
        asc2.load(x_ptr, [64], offsets=[0])

    x = np.zeros(64, np.float32)
    with pytest.raises(CodegenError, match="asc2.load needs a tensor, not an address of float32"):
        kernel[1](x)
    with pytest.raises(TypeError, match="asc2.load needs a tensor, not an address of float32"):
        kernel[1](x, capture_exceptions=False)


def test_errors_of_later_stages_underline_the_expression():
    import asc2
    import numpy as np

    @asc2.jit(always_compile=True)
    def kernel(x_ptr):
        x = asc2.load(asc2.tensor(x_ptr, [1000000]), [1000000], offsets=[0])
        asc2.store(x + x, asc2.tensor(x_ptr, [1000000]), offsets=[0])

    with pytest.raises(CodegenError) as info:
        kernel[1](np.zeros(1000000, np.float32))
    line, marks = str(info.value).splitlines()[1:3]
    assert "asc2.load(" in line and marks.strip(" |").startswith("^~~~~")
