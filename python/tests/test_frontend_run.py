"""Control flow on the model: what a kernel computes is what Python says its source means."""

import asc
import asc2
import numpy as np
import pytest
from asc.runtime import config

FACTOR = 3


@pytest.fixture(autouse=True, params=["Ascend910B1", "Ascend950PR_9599"])
def platform(request):
    config.set_platform(config.Backend.Model, request.param)


def run_ints(kernel, *args, size=8):
    """Runs a kernel on one block; it writes int32 numbers into its first argument."""
    out = np.full(size, -1, np.int32)
    kernel[1](out, *args)
    return out.tolist()


def test_carried_numbers_and_nested_loops():
    @asc2.jit
    def kernel(out_ptr, n):
        out = asc2.tensor(out_ptr, [8])
        count, total = 0, 0
        for i in range(n):
            for j in range(i):
                count += 1
                total = total + i * j
        asc2.store(count, out, offsets=[0])
        asc2.store(total, out, offsets=[1])

    for n in (0, 1, 2, 7):
        pairs = [(i, j) for i in range(n) for j in range(i)]
        assert run_ints(kernel, n)[:2] == [len(pairs), sum(i * j for i, j in pairs)]


def test_while_with_two_conditions():
    @asc2.jit
    def kernel(out_ptr, n):
        out = asc2.tensor(out_ptr, [8])
        steps = 0
        while n != 1 and steps < 50:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        asc2.store(steps, out, offsets=[0])

    def collatz(n):
        steps = 0
        while n != 1 and steps < 50:
            n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
        return steps

    for n in (1, 2, 7, 27):
        assert run_ints(kernel, n)[0] == collatz(n)


def test_branches_merge_scalars():
    @asc2.jit
    def kernel(out_ptr, n):
        out = asc2.tensor(out_ptr, [8])
        a, b = 1, n
        if n > 5:
            a = 10
            if n > 8:
                b = a + 1
        elif 0 < n < 3:
            a, b = b, a
        else:
            b = -n
        asc2.store(a, out, offsets=[0])
        asc2.store(b, out, offsets=[1])

    def expected(n):
        a, b = 1, n
        if n > 5:
            a = 10
            if n > 8:
                b = a + 1
        elif 0 < n < 3:
            a, b = b, a
        else:
            b = -n
        return [a, b]

    for n in range(-2, 11):
        assert run_ints(kernel, n)[:2] == expected(n)


def test_and_or_not():
    @asc2.jit
    def kernel(out_ptr, a, b):
        out = asc2.tensor(out_ptr, [8])
        asc2.store(a and b, out, offsets=[0])
        asc2.store(a or b, out, offsets=[1])
        asc2.store(not a, out, offsets=[2])
        asc2.store(1 if a > 0 and b > 0 or a == b else 0, out, offsets=[3])
        asc2.store(min(a, b, 2), out, offsets=[4])
        asc2.store(max(a, b), out, offsets=[5])
        asc2.store(abs(a), out, offsets=[6])
        asc2.store(2 if a else 3, out, offsets=[7])

    for a, b in ((0, 0), (0, 5), (2, 0), (2, 4), (-3, -3)):
        assert run_ints(kernel, a, b) == [a and b, a or b, not a, a > 0 and b > 0 or a == b, min(a, b, 2), max(a, b), abs(a),
                                          2 if a else 3]


def test_called_functions_and_constants():
    offset = 5

    @asc2.jit
    def power(base, exponent: asc.ConstExpr[int], start=1):
        result = start
        for _ in asc.static_range(exponent):
            result = result * base
        return result, exponent

    @asc2.jit
    def kernel(out_ptr, n, mode: asc.ConstExpr):
        out = asc2.tensor(out_ptr, [8])
        value, exponent = power(n, 3)
        other, _ = power(2, exponent=4, start=n)
        asc2.store(value + offset, out, offsets=[0])
        asc2.store(other * FACTOR, out, offsets=[exponent - 2])
        asc2.store(7 if mode == "seven" else 8, out, offsets=[2])

    assert run_ints(kernel, 4, "seven")[:3] == [4**3 + 5, 4 * 16 * 3, 7]
    assert run_ints(kernel, 4, "other")[2] == 8


def test_tiles_swap_in_a_loop():
    @asc2.jit
    def kernel(x_ptr, y_ptr, n):
        x_gm, y_gm = asc2.tensor(x_ptr, [64]), asc2.tensor(y_ptr, [64])
        x, y = asc2.load(x_gm, [64], offsets=[0]), asc2.load(y_gm, [64], offsets=[0])
        for i in range(n):
            x, y = y, x + 1
        asc2.store(x, x_gm, offsets=[0])
        asc2.store(y, y_gm, offsets=[0])

    for n in (0, 1, 2, 5):
        x, y = np.arange(64, dtype=np.float32), np.full(64, -1, np.float32)
        a, b = x.copy(), y.copy()
        for _ in range(n):
            a, b = b, a + 1
        kernel[1](x, y, n)
        assert (x == a).all() and (y == b).all()


def test_tiles_chosen_at_run_time():
    @asc2.jit
    def kernel(x_ptr, n):
        x_gm = asc2.tensor(x_ptr, [64])
        x = asc2.load(x_gm, [64], offsets=[0])
        total = 0
        for i in range(n):
            y = x if i % 2 == 0 else -x
            if i > 2:
                y = y * 2
            total = total + y * i
        asc2.store(total, x_gm, offsets=[0])

    for n in (1, 4, 6):
        x = np.arange(64, dtype=np.float32)
        expected = sum((x if i % 2 == 0 else -x) * (2 if i > 2 else 1) * i for i in range(n))
        kernel[1](x, n)
        assert (x == expected).all()


def test_branch_that_only_chooses_a_tile():
    @asc2.jit
    def kernel(x_ptr, n):
        x_gm = asc2.tensor(x_ptr, [64])
        x = asc2.load(x_gm, [64], offsets=[0])
        best = asc2.full([64], -1.0)
        for i in range(4):
            if i == n:
                best = x
        asc2.store(best if n != 2 else x + 1, x_gm, offsets=[0])

    for n, expected in ((1, 0), (2, 1), (9, None)):
        x = np.arange(64, dtype=np.float32)
        kernel[1](x, n)
        assert (x == (np.arange(64) + expected if expected is not None else -1)).all()


def test_addresses_move():
    @asc2.jit
    def kernel(x_ptr, n):
        for i in range(n):
            row = asc2.tensor(x_ptr, [16])
            asc2.store(asc2.load(row, [16], offsets=[0]) + i, row, offsets=[0])
            x_ptr = x_ptr + 16

    x = np.zeros((5, 16), np.float32)
    kernel[1](x, 5)
    assert (x == np.arange(5, dtype=np.float32)[:, None]).all()


def test_reductions_and_scalar_mathematics():
    @asc2.jit
    def kernel(x_ptr, out_ptr, n):
        x = asc2.load(asc2.tensor(x_ptr, [64]), [64], offsets=[0])
        out = asc2.tensor(out_ptr, [8])
        top, total = x.max(), asc2.reduce_sum(x)
        asc2.store(top, out, offsets=[0])
        asc2.store(total / n + top, out, offsets=[1])
        asc2.store(asc2.sqrt(top * top), out, offsets=[2])
        asc2.store((x - top).min(), out, offsets=[3])
        asc2.store(asc2.sqrt(2.25), out, offsets=[4])

    x, out = np.arange(64, dtype=np.float32), np.zeros(8, np.float32)
    kernel[1](x, out, 64)
    assert out[:5].tolist() == [63, 63 * 64 / 2 / 64 + 63, 63, -63, 1.5]


def test_masks_combine():
    @asc2.jit
    def kernel(x_ptr):
        x_gm = asc2.tensor(x_ptr, [64])
        x = asc2.load(x_gm, [64], offsets=[0])
        asc2.store(asc2.where((x > 10) & ~(x >= 20) | (x == 50), 1.0, 0.0), x_gm, offsets=[0])

    x = np.arange(64, dtype=np.float32)
    kernel[1](x)
    i = np.arange(64)
    assert (x == ((i > 10) & (i < 20) | (i == 50))).all()


def test_constants_of_the_module_are_watched():
    global FACTOR

    @asc2.jit
    def kernel(out_ptr):
        asc2.store(FACTOR, asc2.tensor(out_ptr, [8]), offsets=[0])

    before = FACTOR
    try:
        assert run_ints(kernel)[0] == before
        FACTOR = 41
        assert run_ints(kernel)[0] == 41
    finally:
        FACTOR = before
    assert run_ints(kernel)[0] == before
