"""Functions defined inside kernels: they see the names around them as Python's do, and leave nothing behind."""

import asc
import asc2
import numpy as np
import pytest
from asc.runtime import config
from frontend import error_of
from observed import launch


@pytest.fixture(autouse=True, params=["Ascend910B1", "Ascend950PR_9599"])
def platform(request):
    config.set_platform(config.Backend.Model, request.param)


FACTOR = 3


@asc2.jit
def twice(f, x):
    return f(f(x))


@asc2.jit
def closures(x_ptr, y_ptr, n, scale):
    x_gm, y_gm = asc2.tensor(x_ptr, [n]), asc2.tensor(y_ptr, [n])
    shift = 1.0

    def load(i):
        return asc2.load(x_gm, [64], tile_id=[i]) * scale

    def moved(t, by=FACTOR, *, width=64):
        def add(u):
            return u + shift + by

        assert width == t.shape[0]  # numbers that are known stay known
        return add(t)

    def put(i, t):
        if i < 0:
            return
        asc2.store(t, y_gm, tile_id=[i])

    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [64]), asc2.block_num()):
        t = load(i)
        if i % 2 == 1:
            t = moved(t, by=i)
        else:
            t = twice(moved, t)
        square = lambda v: v * v
        put(i, square(t))
        put(-1 - i, t)


@pytest.mark.parametrize("blocks", [1, 3])
def test_closures_over_tiles_numbers_and_functions(blocks):
    x, y = np.arange(300, dtype=np.float32) / 300, np.zeros(300, np.float32)
    launch(closures, blocks, x, y, 300, 0.5)
    i = np.arange(300) // 64
    t = x * np.float32(0.5)
    t = np.where(i % 2 == 1, t + 1 + i, t + 2 * (1 + FACTOR)).astype(np.float32)
    np.testing.assert_allclose(y, t * t, rtol=1e-6)


@asc2.jit
def late(y_ptr):
    y = asc2.tensor(y_ptr, [8])
    value = 1

    def read():
        return value  # as it is when the function is called

    def own():
        value = 7
        return value

    asc2.store(read(), y, offsets=[0])
    value = 2
    asc2.store(read(), y, offsets=[1])
    asc2.store(own(), y, offsets=[2])
    asc2.store(value, y, offsets=[3])
    values = [(lambda x, i=i: x * 10 + i)(value) for i in range(3)]
    asc2.store(values[0] + values[2], y, offsets=[4])
    count = asc2.load(y, offsets=[1]) - 2
    for i in asc2.range(3):
        def add(x):
            return x + i

        count = add(count)
    asc2.store(count, y, offsets=[5])


def test_names_are_looked_up_when_the_function_is_called():
    y = np.zeros(8, np.int32)
    launch(late, 1, y)
    assert y[:6].tolist() == [1, 2, 7, 2, 42, 3]


@asc2.jit
def products(a_ptr, b_ptr, c_ptr, k):
    a_gm, b_gm = asc2.tensor(a_ptr, [16, k]), asc2.tensor(b_ptr, [k, 16])
    acc = asc2.zeros_acc([16, 16], asc.float32)

    def step(j):
        asc2.matmul_acc(asc2.load(a_gm, [16, 32], offsets=[0, j * 32]), asc2.load(b_gm, [32, 16], offsets=[j * 32, 0]), acc)

    for j in asc2.range(asc.ceildiv(k, 32)):
        step(j)
    asc2.store(acc, asc2.tensor(c_ptr, [16, 16]), offsets=[0, 0])


def test_an_accumulator_from_outside_is_changed():
    a, b = np.ones((16, 100), np.float16), np.ones((100, 16), np.float16)
    c = np.zeros((16, 16), np.float32)
    launch(products, 1, a, b, c, 100)
    assert (c == 100).all()


@asc2.jit
def made():
    def inner():
        return 1

    return inner


ERRORS = [
    ("def f(x): return x + n\ny = f()", "TypeError", "missing argument x of f", "f(x)"),
    ("def f(x): return x\ny = f(1, 2)", "TypeError", "f takes 1 arguments, 2 were given", "f(x)"),
    ("y = (lambda a, b: a)(1, c=2)", "TypeError", "lambda has no parameter c", "lambda(a, b)"),
    ("def f(x): return f(x)\ny = f(1)", "RecursionError", "recursive call of f: functions are inlined into the kernel",
     "write it as a loop"),
    ("def f(*x): return x\ny = f(1)", "UnsupportedSyntaxError", "f takes *args, which is not supported inside a kernel",
     "name each parameter"),
    ("def f():\n    n += 1\n    return n\ny = f()", "NameError",
     "n has no value yet: f assigns it, so it is a name of its own", "pass it as an argument, and return what becomes of it"),
    ("@asc2.jit\ndef f(): return 1\ny = f()", "UnsupportedSyntaxError", "a function inside a kernel cannot have a decorator",
     "leave it out: the function is compiled with the kernel around it"),
    ("def f():\n    def g(): return 1\n    return g\ny = f()()", "RuntimeError",
     "g was defined in a call that has ended, and its names with it",
     "call it before, or define it in the function that calls it"),
    ("def f(): return 1\ny = f + n", "TypeError", "operator + is not defined for the function f and a runtime int32", None),
    ("def f(x):\n    if n > x:\n        return x\n    return n\ny = f(1)", "UnsupportedSyntaxError",
     "return inside a runtime loop or branch is not supported", "bind the result to a name and return it at the end of the function"),
]


@pytest.mark.parametrize("body, exception, message, help_", ERRORS)
def test_errors(body, exception, message, help_):
    error = error_of(body)
    first, *_, last = str(error).splitlines()
    assert first.endswith(f"error: {message}") or first.endswith(f"error: {exception}: {message}")
    assert type(error.exception or error).__name__ == exception
    assert help_ is None or last == f"help: {help_}"
