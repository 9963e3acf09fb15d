"""break, continue and return under conditions of all kinds, comprehensions, device_assert: what Python does is what the kernel does."""

import numpy as np
import pytest
from sheets import PLATFORMS, define

import asc
import asc2
from asc.codegen.errors import CodegenError
from asc.runtime import config

pytestmark = pytest.mark.parametrize("platform", PLATFORMS)


@pytest.fixture(autouse=True)
def use(platform):
    config.set_platform("Model", platform)


# The same text is a kernel's body and plain Python. s is a number, t a tile; n and m runtime numbers, K known while compiling.
BODIES = {
    "break": """
for i in range(n):
    if s > m:
        break
    s = s + i
    t = t + s
""",
    "continue": """
for i in range(n):
    if i == m:
        continue
    s = s + i
    t = t * 2 + i
s = s + 1
""",
    "both in a while": """
i = 0
while i < n:
    i = i + 1
    if i == 2:
        continue
    t = t + i
    if s + i > m:
        s = s - 1
        break
    s = s + i
""",
    "nested loops": """
for i in range(n):
    for j in range(m):
        if j > i:
            break
        if (i + j) % 2 == 1:
            continue
        s = s + j
        t = t + j
    if s > 9:
        break
    s = s + 1
""",
    "known while compiling": """
for i in range(n):
    if K > 1:
        continue
    s = s + 100
for i in static(5):
    if i == K:
        break
    s = s + i
for i in static(6):
    if i % 2 == 0:
        continue
    t = t + i
""",
    "a static loop left at run time": """
for i in static(6):
    if i > n:
        break
    if s == m:
        continue
    s = s + i
    t = t - i
""",
    "at once": """
for i in range(n):
    s = s + 5
    break
for i in range(n):
    continue
""",
    "in deep branches": """
for i in range(n):
    if i > 0:
        if s > m:
            s = s - 1
            break
        else:
            s = s + 2
            if s == 7:
                continue
        t = t + 1
    else:
        t = t + 2
    s = s + 1
""",
    "last iteration": """
for i in range(n):
    s = i
    if i == n - 1:
        break
    t = t + s
""",
}


def in_python(body, t, n, m, K):
    names = {"s": 0, "t": t.copy(), "n": n, "m": m, "K": K, "static": range}
    exec(body, names)
    return names["s"], names["t"]


@pytest.mark.parametrize("name", BODIES)
def test_jumps_out_of_loops(name):
    body = BODIES[name]
    source = "import asc\nimport asc2\n\n\n@asc2.jit\ndef kernel(t_ptr, y_ptr, s_ptr, n, m, K: asc.ConstExpr[int]):\n"
    source += "    t = asc2.load(asc2.tensor(t_ptr, [8]), [8], offsets=[0])\n    s = 0\n"
    source += "".join(f"    {line}\n" for line in body.replace("static(", "asc.static_range(").strip().split("\n"))
    source += "    asc2.store(t, asc2.tensor(y_ptr, [8]), offsets=[0])\n    asc2.store(s, asc2.tensor(s_ptr, [1]), offsets=[0])\n"
    kernel = define(source).kernel
    t = np.arange(8, dtype=np.int32)
    for n, m in [(0, 0), (1, 1), (4, 2), (5, 3), (7, 30), (9, 4)]:
        wanted = in_python(body, t, n, m, 2)
        for mode in ({}, {"late": "consumers"}, {"late": "producers"}):
            y, s = np.zeros(8, np.int32), np.zeros(1, np.int32)
            with asc.check() as report, asc.launch_mode(**mode):
                kernel[1](t, y, s, n, m, K=2)
            assert not report.findings, "\n".join(map(str, report.findings))
            assert s[0] == wanted[0] and (y == wanted[1]).all(), (n, m, s[0], wanted)


@asc2.jit
def early(x_ptr, n, m):
    x = asc2.tensor(x_ptr, [8])
    if n <= 0:
        return
    asc2.store(1, x, offsets=[0])
    for i in range(n):
        if i == m:
            asc2.store(2, x, offsets=[1])
            return
        asc2.store(i, x, offsets=[2])
    if n > 5:
        asc2.store(3, x, offsets=[3])
        return None
    asc2.store(4, x, offsets=[4])


def test_return_in_the_middle():
    def python(n, m):
        x = np.full(8, -1, np.int32)
        if n <= 0:
            return x
        x[0] = 1
        for i in range(n):
            if i == m:
                x[1] = 2
                return x
            x[2] = i
        x[3 if n > 5 else 4] = 3 if n > 5 else 4
        return x

    for n, m in [(0, 0), (-2, 1), (3, 1), (3, 0), (3, 9), (7, 9), (7, 6)]:
        x = np.full(8, -1, np.int32)
        early[1](x, n, m)
        assert (x == python(n, m)).all(), (n, m)


@asc2.jit
def put_positive(x, value, at):
    """A function without a value may return in the middle, too."""
    if value < 0:
        return
    asc2.store(value, x, offsets=[at])


@asc2.jit
def calls(x_ptr, n):
    x = asc2.tensor(x_ptr, [4])
    put_positive(x, n, 0)
    put_positive(x, -n, 1)
    put_positive(x, 5, 2)


def test_return_in_the_middle_of_a_function():
    x = np.full(4, 9, np.int32)
    calls[1](x, 3)
    assert x.tolist() == [3, 9, 5, 9]


@asc2.jit
def comprehensions(x_ptr, n, rows: asc.ConstExpr[int]):
    x = asc2.tensor(x_ptr, [8])
    t = asc2.load(x, [8], offsets=[0])
    powers = [t * i for i in range(rows) if i != 1]
    numbers = [n + i * j for i in (1, 2) for j in asc.static_range(2)]
    i = 100  # names of a comprehension are its own
    total = sum(k for k in numbers) + len(powers) + i
    for tile in powers:
        t = t + tile
    asc2.store(t + total, x, offsets=[0])


def test_comprehensions():
    x = np.arange(8, dtype=np.int32)
    comprehensions[1](x, 7, rows=4)
    assert (x == np.arange(8) * (1 + 0 + 2 + 3) + (7 * 4 + 0 + 1 + 0 + 2) + 3 + 100).all()


def test_comprehension_over_a_runtime_range(platform):
    @asc2.jit
    def kernel(x_ptr, n):
        asc2.store(sum([i for i in range(n)]), asc2.tensor(x_ptr, [1]), offsets=[0])

    with pytest.raises(CodegenError, match="a comprehension is unrolled while compiling: its range cannot have a runtime int32"):
        kernel[1](np.zeros(1, np.int32), 3)


def test_return_of_a_value_inside_a_branch_is_refused(platform):
    @asc2.jit
    def smaller(a, b):
        if a < b:
            return a
        return b

    @asc2.jit
    def kernel(x_ptr, n):
        asc2.store(smaller(n, 3), asc2.tensor(x_ptr, [1]), offsets=[0])

    with pytest.raises(CodegenError, match="return inside a runtime loop or branch is not supported"):
        kernel[1](np.zeros(1, np.int32), 3)


@asc2.jit
def checked(x_ptr, n):
    asc2.device_assert(n >= 0, "n is negative", n)
    asc2.device_assert(1 < 2, "known to hold")
    asc2.device_assert(n % 2 == 0)
    asc2.store(n, asc2.tensor(x_ptr, [1]), offsets=[0])


def test_device_assert(capsys):
    x = np.zeros(1, np.int32)
    checked[1](x, 4)
    assert x[0] == 4
    with pytest.raises(asc.KernelError, match=r"test_jumps.py:\d+:\d+: error: the assertion does not hold: n is negative \[kernel.assert\]"):
        checked[1](x, -2)
    with pytest.raises(asc.KernelError, match=r"the assertion does not hold \[kernel.assert\]"):
        checked[1](x, 3)
    assert x[0] == 4  # the block ended before its store


def test_device_assert_in_ascend_c():
    source = checked[1].ascendc(np.zeros(1, np.int32), 4)
    assert "ascendc_assert(" in source and '"n is negative"' in source
