"""Kernels that need cube cores and vector cores: split by the compiler, right, clean, independent of order, on both platforms."""

import os
import random
import re
import sys
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import asc
import asc2
from asc.codegen.errors import CodegenError
from asc.runtime import config
from asc.runtime.emit import captured
from observed import launch

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))

import equality
import golden

PLATFORMS = golden.PLATFORMS


@pytest.fixture(params=PLATFORMS, autouse=True)
def platform(request):
    golden.use(request.param)
    return request.param


def near(actual, expected, bound=2e-3):
    """Where sums cancel, what was rounded to half precision on the way stays: errors are relative to the largest value."""
    error = np.abs(actual.astype(np.float64) - expected).max() / np.abs(expected).max() if np.any(expected) else np.abs(actual).max()
    assert error < bound, error


def sample(shape, seed, dtype=np.float16, low=-1.0, high=1.0):
    return np.random.default_rng(seed).uniform(low, high, shape).astype(dtype)


@asc2.jit
def biased_kernel(a_ptr, b_ptr, bias_ptr, c_ptr, m, n, k, tm: asc.ConstExpr[int], tn: asc.ConstExpr[int], tk: asc.ConstExpr[int]):
    a_gm = asc2.tensor(a_ptr, [m, k])
    b_gm = asc2.tensor(b_ptr, [k, n])
    c_gm = asc2.tensor(c_ptr, [m, n])
    bias_gm = asc2.tensor(bias_ptr, [n])
    rows, cols = asc.ceildiv(m, tm), asc.ceildiv(n, tn)
    for i in asc2.range(asc2.block_idx(), rows * cols, asc2.block_num()):
        r = i // cols
        c = i % cols
        acc = asc2.zeros_acc([tm, tn], asc.float32)
        for j in asc2.range(asc.ceildiv(k, tk)):
            a = asc2.load(a_gm, [tm, tk], offsets=[r * tm, j * tk])
            b = asc2.load(b_gm, [tk, tn], offsets=[j * tk, c * tn])
            asc2.matmul_acc(a, b, acc)
        bias = asc2.load(bias_gm, [tn], offsets=[c * tn])
        y = acc + bias.to(asc.float32).broadcast_to([tm, tn])
        y = y / (asc2.exp(y * -1.5957691) + 1.0)
        asc2.store(y.to(c_gm.dtype), c_gm, offsets=[r * tm, c * tn])


@pytest.mark.parametrize("blocks", [1, 3])
@pytest.mark.parametrize("shape", [(64, 64, 64), (100, 200, 150), (1, 17, 5)])
def test_result_of_a_product_goes_through_vectors(shape, blocks):
    m, n, k = shape
    a, b, bias = sample((m, k), 1), sample((k, n), 2), sample(n, 3)
    c = np.zeros((m, n), np.float32)
    launch(biased_kernel, blocks, a, b, bias, c, m, n, k, 48, 64, 64)
    y = a.astype(np.float64) @ b.astype(np.float64) + bias
    near(c, y / (1 + np.exp(-1.5957691 * y)))


@asc2.jit
def scaled_kernel(a_ptr, b_ptr, scale_ptr, c_ptr, m, n, k, tm: asc.ConstExpr[int], tn: asc.ConstExpr[int], tk: asc.ConstExpr[int]):
    a_gm = asc2.tensor(a_ptr, [m, k])
    b_gm = asc2.tensor(b_ptr, [k, n])
    c_gm = asc2.tensor(c_ptr, [m, n])
    scale_gm = asc2.tensor(scale_ptr, [k])
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tm), asc2.block_num()):
        for c in asc2.range(asc.ceildiv(n, tn)):
            acc = asc2.zeros_acc([tm, tn], asc.float32)
            for j in asc2.range(asc.ceildiv(k, tk)):
                a = asc2.load(a_gm, [tm, tk], offsets=[i * tm, j * tk])
                b = asc2.load(b_gm, [tk, tn], offsets=[j * tk, c * tn])
                s = asc2.load(scale_gm, [tk], offsets=[j * tk]).reshape([tk, 1])
                b = (b.to(asc.float32) * s.broadcast_to([tk, tn])).to(asc.float16)
                asc2.matmul_acc(a, b, acc)
            asc2.store(acc, c_gm, offsets=[i * tm, c * tn])


@pytest.mark.parametrize("blocks", [1, 2])
def test_vectors_make_an_operand_of_a_product(blocks):
    m, n, k = 70, 96, 130
    a, b = sample((m, k), 1, low=0), sample((k, n), 2, np.int8, low=0, high=100)
    s = sample(k, 3, np.float32, low=0, high=0.01)
    c = np.zeros((m, n), np.float32)
    launch(scaled_kernel, blocks, a, b, s, c, m, n, k, 32, 64, 64)
    near(c, a.astype(np.float64) @ (b * s[:, None]).astype(np.float16).astype(np.float64))


@asc2.jit
def chain_kernel(a_ptr, b_ptr, c_ptr, d_ptr, n: asc.ConstExpr[int]):
    a = asc2.load(asc2.tensor(a_ptr, [n, n]), [n, n], offsets=[0, 0])
    b = asc2.load(asc2.tensor(b_ptr, [n, n]), [n, n], offsets=[0, 0])
    c = asc2.load(asc2.tensor(c_ptr, [n, n]), [n, n], offsets=[0, 0])
    ab = (a @ b).to(asc.float16)
    asc2.store(asc2.abs((ab @ c) + a.to(asc.float32)), asc2.tensor(d_ptr, [n, n]), offsets=[0, 0])


def test_product_of_a_product():
    n = 64
    a, b, c = (sample((n, n), seed) for seed in (1, 2, 3))
    d = np.zeros((n, n), np.float32)
    launch(chain_kernel, 1, a, b, c, d, n)
    ab = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)
    near(d, np.abs(ab.astype(np.float64) @ c.astype(np.float64) + a))


@asc2.jit
def rounded_kernel(a_ptr, c_ptr, n: asc.ConstExpr[int]):
    a = asc2.load(asc2.tensor(a_ptr, [n, n]), [n, n], offsets=[0, 0])
    asc2.store((a @ a).to(asc.float16).to(asc.float32), asc2.tensor(c_ptr, [n, n]), offsets=[0, 0])


def test_a_result_that_is_rounded_and_widened_again_is_rounded():
    """The way out of L0C converts once."""
    a, c = sample((32, 32), 1), np.zeros((32, 32), np.float32)
    launch(rounded_kernel, 1, a, c, 32)
    assert (c == c.astype(np.float16)).all() and c.any()


@asc2.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, o_ptr, heads, length, scale: asc.ConstExpr[float], tm: asc.ConstExpr[int],
                     tn: asc.ConstExpr[int], d: asc.ConstExpr[int]):
    q_gm = asc2.tensor(q_ptr, [heads * length, d])
    k_gm = asc2.tensor(k_ptr, [heads * d, length])
    v_gm = asc2.tensor(v_ptr, [heads * length, d])
    o_gm = asc2.tensor(o_ptr, [heads * length, d])
    rows = length // tm
    for i in asc2.range(asc2.block_idx(), heads * rows, asc2.block_num()):
        head = i // rows
        q = asc2.load(q_gm, [tm, d], offsets=[i * tm, 0])
        top = asc2.full([tm, 1], -10000.0, asc.float32)
        total = asc2.full([tm, 1], 0.0, asc.float32)
        out = asc2.full([tm, d], 0.0, asc.float32)
        for j in asc2.range(length // tn):
            k = asc2.load(k_gm, [d, tn], offsets=[head * d, j * tn])
            s = (q @ k) * scale
            new = asc2.maximum(top, asc2.reduce_max(s, 1, keep_dims=True))
            p = asc2.exp(s - new.broadcast_to([tm, tn]))
            fade = asc2.exp(top - new)
            total = total * fade + asc2.reduce_sum(p, 1, keep_dims=True)
            v = asc2.load(v_gm, [tn, d], offsets=[head * length + j * tn, 0])
            out = out * fade.broadcast_to([tm, d]) + (p.to(asc.float16) @ v)
            top = new
        asc2.store((out / total.broadcast_to([tm, d])).to(asc.float16), o_gm, offsets=[i * tm, 0])


def attention(q, k, v):
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    s = q @ k / np.sqrt(q.shape[-1])
    p = np.exp(s - s.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ v


@pytest.mark.parametrize("blocks, heads, length", [(1, 1, 64), (2, 3, 192)])
def test_attention_carries_state_on_vectors(blocks, heads, length):
    d = 64
    q, v = sample((heads, length, d), 1), sample((heads, length, d), 3)
    k = sample((heads, d, length), 2)
    o = np.zeros((heads, length, d), np.float16)
    launch(attention_kernel, blocks, q, k, v, o, heads, length, d**-0.5, 32, 64, d)
    near(o, attention(q, k, v))


def test_tiles_of_state_larger_than_a_core():
    """Scores of 512 KiB: neither L0C nor, on the 910B, UB holds them, nor UB twice the sums that are carried. Maxima and sums of groups of
    rows must end up in the rows they are of, in the first, the last and all other iterations."""
    length, d = 512, 128
    q, v = sample((1, length, d), 1), sample((1, length, d), 3)
    k = sample((1, d, length), 2)
    o = np.zeros((1, length, d), np.float16)
    launch(attention_kernel, 2, q, k, v, o, 1, length, d**-0.5, 256, 256, d)
    near(o, attention(q, k, v))


@asc2.jit
def large_kernel(a_ptr, b_ptr, c_ptr, sums_ptr, m, n, k: asc.ConstExpr[int], tm: asc.ConstExpr[int], tn: asc.ConstExpr[int]):
    a = asc2.load(asc2.tensor(a_ptr, [m, k]), [tm, k], offsets=[0, 0])
    b = asc2.load(asc2.tensor(b_ptr, [k, n]), [k, tn], offsets=[0, 0])
    x = a @ b
    e = asc2.exp(x - asc2.reduce_max(x, 1, keep_dims=True))
    asc2.store(e, asc2.tensor(c_ptr, [m, n]), offsets=[0, 0])
    asc2.store(asc2.reduce_sum(e, 1), asc2.tensor(sums_ptr, [m]), offsets=[0])


@pytest.mark.parametrize("m, n", [(256, 512), (200, 333)])
def test_a_tile_larger_than_a_core_and_what_its_rows_leave(m, n):
    a, b = sample((m, 64), 1), sample((64, n), 2)
    c, sums = np.zeros((m, n), np.float32), np.zeros(m, np.float32)
    launch(large_kernel, 1, a, b, c, sums, m, n, 64, 256, 512)
    x = a.astype(np.float64) @ b.astype(np.float64)
    whole = np.pad(x, ((0, 0), (0, 512 - n)))  # what is outside the array is zero
    e = np.exp(whole - whole.max(1, keepdims=True))
    near(c, e[:, :n])
    near(sums, e.sum(1))


@asc2.jit
def branch_kernel(a_ptr, b_ptr, c_ptr, flags_ptr, rounds, n: asc.ConstExpr[int]):
    a_gm = asc2.tensor(a_ptr, [n, n])
    b_gm = asc2.tensor(b_ptr, [n, n])
    c_gm = asc2.tensor(c_ptr, [n, n])
    flags = asc2.tensor(flags_ptr, [rounds])
    a = asc2.load(a_gm, [n, n], offsets=[0, 0])
    b = asc2.load(b_gm, [n, n], offsets=[0, 0])
    total = asc2.full([n, n], 0.0, asc.float32)
    for i in asc2.range(rounds):
        flag = asc2.load(flags, offsets=[i])
        if flag > 0:
            for j in asc2.range(flag):
                total = total + (a @ b) * 2.0
        else:
            total = asc2.abs(total) + 1.0
            total = total + (total.to(asc.float16) @ b)
    asc2.store(total, c_gm, offsets=[0, 0])


@pytest.mark.parametrize("flags", [[], [1], [0, 3, 0, 1, 2, 0]])
def test_transfers_inside_branches_and_loops_of_any_length(flags):
    """Slots go on counting through branches that are not taken and loops without trips."""
    n = 32
    a, b = sample((n, n), 1), sample((n, n), 2)
    c = np.zeros((n, n), np.float32)
    launch(branch_kernel, 1, a, b, c, np.array(flags + [0], np.int32), len(flags), n)
    total = np.zeros((n, n))
    product = a.astype(np.float64) @ b.astype(np.float64)
    for flag in flags:
        if flag > 0:
            total += flag * 2 * product
        else:
            total = np.abs(total) + 1
            total += total.astype(np.float16).astype(np.float64) @ b.astype(np.float64)
    near(c, total)


@asc2.jit
def updated_kernel(a_ptr, b_ptr, c_ptr, n: asc.ConstExpr[int]):
    b = asc2.load(asc2.tensor(b_ptr, [n, n]), [n, n], offsets=[0, 0])
    c_gm = asc2.tensor(c_ptr, [n, n])
    a = asc2.load(asc2.tensor(a_ptr, [n, n]), [n, n], offsets=[0, 0])
    asc2.store((a @ b).to(asc.float16), c_gm, offsets=[0, 0])
    for i in asc2.range(3):
        c = asc2.load(c_gm, [n, n], offsets=[0, 0])
        asc2.store(asc2.abs((c @ b) * 0.25).to(asc.float16), c_gm, offsets=[0, 0])


def test_an_array_that_both_cores_touch_keeps_the_order_of_the_program():
    n = 32
    a, b = sample((n, n), 1), sample((n, n), 2, low=0)
    c = np.zeros((n, n), np.float16)
    launch(updated_kernel, 1, a, b, c, n)
    expected = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)
    for _ in range(3):
        expected = np.abs((expected.astype(np.float32) @ b.astype(np.float32)) * 0.25).astype(np.float16)
    near(c, expected.astype(np.float64))


def launches_of_both_directions():
    """One launch of a kernel whose tiles cross from the cube core to the vector cores and back."""
    heads, length, d = 1, 96, 64
    q, v = sample((heads, length, d), 1), sample((heads, length, d), 3)
    k = sample((heads, d, length), 2)
    o = np.zeros((heads, length, d), np.float16)
    attention_kernel[2](q, k, v, o, heads, length, d**-0.5, 32, 32, d)
    golden.check(o, attention(q, k, v))


def test_emitted_source_is_the_kernel():
    """Calls of every core, bytes and cycles are those of the JIT, through g++ and clang."""
    jit = equality.observed(launches_of_both_directions, ())
    for compiler in equality.compilers():
        emitted = equality.observed(launches_of_both_directions, (), equality.Road(compiler).launch)
        assert equality.first_difference(jit, emitted) is None


# Random programs. A step is a number; a program is interpreted while the kernel is compiled.
STEPS = 9


@asc2.jit
def random_kernel(x_ptr, b_ptr, bias_ptr, y_ptr, times, flag, program: asc.ConstExpr, n: asc.ConstExpr[int]):
    x_gm, b_gm, y_gm = asc2.tensor(x_ptr, [n, n]), asc2.tensor(b_ptr, [n, n]), asc2.tensor(y_ptr, [n, n])
    b = asc2.load(b_gm, [n, n], offsets=[0, 0])
    x = asc2.load(x_gm, [n, n], offsets=[0, 0])
    for i in asc.static_range(len(program)):
        if program[i] == 0:
            x = (x.to(asc.float16) @ b) * 0.5
        elif program[i] == 1:
            x = asc2.abs(x) + 0.5
        elif program[i] == 2:
            x = x - asc2.reduce_max(x, 1, keep_dims=True).broadcast_to([n, n])
        elif program[i] == 3:
            x = x * 0.5 + asc2.load(asc2.tensor(bias_ptr, [n]), [n], offsets=[0]).broadcast_to([n, n])
        elif program[i] == 4:
            for _ in asc2.range(times):
                x = (x.to(asc.float16) @ b) * 0.25 + x * 0.5
        elif program[i] == 5:
            if flag > 1:
                x = x - (x.to(asc.float16) @ b) * 0.25
            else:
                x = -x
        elif program[i] == 6:
            for _ in asc2.range(times):
                for _ in asc2.range(flag):
                    x = asc2.abs(x.to(asc.float16) @ b) * 0.5
                x = x + 0.25
        elif program[i] == 7:
            x = ((x.to(asc.float16) @ b).to(asc.float16) @ b) * 0.25
        elif program[i] == 8:
            acc = asc2.zeros_acc([n, n], asc.float32)
            for _ in asc2.range(times):
                asc2.matmul_acc(x.to(asc.float16), b, acc)
            x = acc * 0.25 + asc2.reduce_sum(x, 0).broadcast_to([n, n]) * 0.01
    asc2.store(x, y_gm, offsets=[0, 0])


def random_reference(x, b, bias, times, flag, program):
    half = lambda value: value.astype(np.float16).astype(np.float32)
    b = b.astype(np.float32)
    for step in program:
        if step == 0:
            x = half(x) @ b * np.float32(0.5)
        elif step == 1:
            x = np.abs(x) + np.float32(0.5)
        elif step == 2:
            x = x - x.max(1, keepdims=True)
        elif step == 3:
            x = x * np.float32(0.5) + bias
        elif step == 4:
            for _ in range(times):
                x = half(x) @ b * np.float32(0.25) + x * np.float32(0.5)
        elif step == 5:
            x = x - half(x) @ b * np.float32(0.25) if flag > 1 else -x
        elif step == 6:
            for _ in range(times):
                for _ in range(flag):
                    x = np.abs(half(x) @ b) * np.float32(0.5)
                x = x + np.float32(0.25)
        elif step == 7:
            x = half(half(x) @ b) @ b * np.float32(0.25)
        elif step == 8:
            x = half(x) @ b * np.float32(0.25) * times + x.sum(0) * np.float32(0.01)
    return x


@settings(max_examples=600 if os.environ.get("TILESMITH_LONG") else 12, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(program=st.lists(st.integers(0, STEPS - 1), min_size=1, max_size=6), times=st.integers(0, 3), flag=st.integers(0, 3),
       seed=st.integers(0, 1 << 20))
def test_random_programs(program, times, flag, seed):
    n = 32
    x, b, bias = sample((n, n), seed, np.float32), sample((n, n), seed + 1, low=-0.5, high=0.5), sample(n, seed + 2, np.float32)
    y = np.zeros((n, n), np.float32)
    launch(random_kernel, 1, x, b, bias, y, times, flag, tuple(program), n)
    near(y, random_reference(x, b, bias, times, flag, program).astype(np.float64), 5e-2)


def mutants(source):
    """The source with one flag between cores left out, set or waited for twice, or another one."""
    lines = source.split("\n")
    for at, line in enumerate(lines):
        if "CrossCoreSetFlag" not in line and "CrossCoreWaitFlag" not in line:
            continue
        flag = re.search(r"\((\d+)\);", line)
        other = line[: flag.start()] + f"({int(flag[1]) ^ 1});"
        for what, replacement in (("left out", []), ("twice", [line, line]), ("another flag", [other])):
            yield f"{line.strip()} {what}", "\n".join([*lines[:at], *replacement, *lines[at + 1 :]])


def test_mutants_of_flags_between_cores_are_found(platform):
    """A flag that is missing, too much or another one leaves a core waiting, a set without its wait, or a race."""
    with captured() as launches, equality.unchecked([]):
        launches_of_both_directions()
    all_mutants = list(mutants(launches[0].source))
    assert len(all_mutants) > 30
    count = len(all_mutants) if os.environ.get("TILESMITH_LONG") else 5
    for what, source in random.Random(date.today().toordinal()).sample(all_mutants, count):
        with asc.check() as report:
            equality.observed(launches_of_both_directions, (), equality.Road("g++", lambda _, source=source: source).launch)
        assert report.findings, what


@asc2.jit
def steered_kernel(x_ptr, y_ptr, rounds, n: asc.ConstExpr[int]):
    b = asc2.load(asc2.tensor(x_ptr, [n, n]), [n, n], offsets=[0, 0])
    x = b.to(asc.float32)
    for _ in asc2.range(rounds):
        if asc2.reduce_max(x) > 2.0:
            x = asc2.abs(x) * 0.125
        else:
            x = (x.to(asc.float16) @ b) * 0.5 + 0.5
    asc2.store(x, asc2.tensor(y_ptr, [n, n]), offsets=[0, 0])


@pytest.mark.parametrize("rounds", [0, 1, 7])
def test_a_number_of_a_tile_decides_what_is_multiplied(rounds):
    """It crosses to the cube core, more often than its ring has slots."""
    n = 32
    b, y = sample((n, n), 1, low=0), np.zeros((n, n), np.float32)
    launch(steered_kernel, 1, b, y, rounds, n)
    x, ways = b.astype(np.float32), set()
    for _ in range(rounds):
        ways.add(bool(x.max() > 2))
        x = np.abs(x) * np.float32(0.125) if x.max() > 2 else x.astype(np.float16).astype(np.float32) @ b.astype(np.float32) * 0.5 + 0.5
    near(y, x.astype(np.float64))
    assert rounds < 7 or len(ways) == 2


@asc2.jit
def chosen_kernel(x_ptr, s_ptr, y_ptr, parts, n: asc.ConstExpr[int]):
    x_gm, s_gm = asc2.tensor(x_ptr, [parts * n, n]), asc2.tensor(s_ptr, [parts * 16])
    for i in asc2.range(asc2.block_idx(), parts, asc2.block_num()):
        best = asc2.argmax(asc2.load(s_gm, [16], offsets=[i * 16]))
        a = asc2.load(x_gm, [n, n], offsets=[i * n, 0])
        b = asc2.load(x_gm, [n, n], offsets=[best % parts * n, 0])
        asc2.store(asc2.abs(a @ b), asc2.tensor(y_ptr, [parts * n, n]), offsets=[i * n, 0])


@pytest.mark.parametrize("blocks", [1, 3])
def test_a_number_of_a_tile_says_what_is_loaded_for_a_product(blocks):
    n, parts = 32, 5
    x, s = sample((parts * n, n), 1), sample(parts * 16, 2, np.float32)
    y = np.zeros((parts * n, n), np.float32)
    launch(chosen_kernel, blocks, x, s, y, parts, n)
    tiles = x.astype(np.float64).reshape(parts, n, n)
    near(y, np.concatenate([np.abs(tiles[i] @ tiles[k % parts]) for i, k in enumerate(s.reshape(parts, 16).argmax(1))]))


def test_an_element_that_vectors_stored_decides_what_is_multiplied():
    """Both kinds of cores used to read it, the cube core before it was there."""

    @asc2.jit
    def kernel(a_ptr, s_ptr, c_ptr, n: asc.ConstExpr[int]):
        a = asc2.load(asc2.tensor(a_ptr, [n, n]), [n, n], offsets=[0, 0])
        s_gm = asc2.tensor(s_ptr, [16])
        asc2.store(asc2.full([16], 3.0, asc.float32), s_gm, offsets=[0])
        y = asc2.abs(a.to(asc.float32))
        if asc2.load(s_gm, offsets=[0]) > 2.0:
            y = asc2.abs(a @ a)
        asc2.store(y, asc2.tensor(c_ptr, [n, n]), offsets=[0, 0])

    a, c = sample((32, 32), 1), np.zeros((32, 32), np.float32)
    launch(kernel, 1, a, np.zeros(16, np.float32), c, 32)
    near(c, np.abs(a.astype(np.float64) @ a))


def launches_that_are_steered():
    n = 32
    b, y = sample((n, n), 1, low=0), np.zeros((n, n), np.float32)
    steered_kernel[1](b, y, 3, n)
    golden.check(y, y)


def test_emitted_source_drops_what_its_cache_holds_of_the_workspace():
    """A number in the workspace is read past the cache of the scalar unit, and the source makes the same calls."""
    jit = equality.observed(launches_that_are_steered, ())
    road = equality.Road(equality.compilers()[0])
    assert equality.first_difference(jit, equality.observed(launches_that_are_steered, (), road.launch)) is None
    (source,) = road.loaded
    before, read = re.search(r"\n *(.*)\n.*= (\w+)(?:\[.*\])?\.GetValue", source.replace("\t", "")).groups()
    assert before.startswith("AscendC::DataCacheCleanAndInvalid<float, AscendC::CacheLine::SINGLE_CACHE_LINE") and read in before


@pytest.mark.parametrize("options", [{}, {"auto_sync": False}])
def test_without_flags_within_the_cores_results_are_those_of_the_program(options):
    """insert_sync=False leaves the flags between the cores, without which nothing would cross; hazards are reported."""
    n = 64
    a, b, c = (sample((n, n), seed) for seed in (1, 2, 3))
    d = np.zeros((n, n), np.float32)
    kernel = asc2.jit(chain_kernel.fn, insert_sync=False, **options)
    kernel[1](a, b, c, d, n)
    ab = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)
    near(d, np.abs(ab.astype(np.float64) @ c.astype(np.float64) + a))
    with asc.check() as report:
        kernel[1](a, b, c, d, n)
    assert report.findings


def test_kernel_type_says_how_many_vector_cores_a_block_has(platform):
    def kernel(a_ptr, c_ptr, rows: asc.ConstExpr[int]):
        a = asc2.load(asc2.tensor(a_ptr, [rows, 16]), [rows, 16], offsets=[0, 0])
        b = asc2.load(asc2.tensor(a_ptr, [rows, 16]), [16, 16], offsets=[0, 0])
        c_gm = asc2.tensor(c_ptr, [rows, 16])
        c = asc2.load(c_gm, [rows, 16], offsets=[0, 0])
        asc2.store(asc2.abs(a @ b) + c, c_gm, offsets=[0, 0])

    types = config.KernelType
    a, c = np.ones((32, 16), np.float16), np.zeros((32, 16), np.float32)
    asc2.jit(kernel, kernel_type=types.MIX_AIC_1_1)[1](a, c, 32)
    assert (c == 16).all()
    with pytest.raises(CodegenError, match="cannot share the work: an array is read and written"):
        asc2.jit(kernel, kernel_type=types.MIX_AIC_1_2)[1](a, c, 32)
    with pytest.raises(CodegenError, match="asks for a cube core"):
        asc2.jit(kernel, kernel_type=types.AIC_ONLY)[1](a, c, 32)


def test_a_workspace_that_memory_does_not_hold_is_an_error(platform):
    @asc2.jit(opt_level=1)  # nothing crosses from memory to memory
    def kernel(a_ptr, c_ptr, results: asc.ConstExpr[int]):
        y = asc2.load(asc2.tensor(a_ptr, [16, 16]), [16, 128], offsets=[0, 0])
        for i in asc.static_range(results):
            x = asc2.load(asc2.tensor(a_ptr, [16, 16]), [128, 16], offsets=[-i, 0])
            asc2.store(asc2.abs(x @ y), asc2.tensor(c_ptr, [16, 16]), offsets=[0, 0])

    a, c = np.ones((16, 16), np.float16), np.zeros((16, 16), np.float32)
    blocks, each = 65535, 2 * 128 * 128 * 4
    results = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE") // 2 // (blocks * each) + 1
    kernel[1](a, c, results)
    assert c[-1].all()
    with pytest.raises(MemoryError, match=f"kernel 'kernel' needs {results * each} bytes of workspace for each block, on 65535 blocks"):
        kernel[blocks](a, c, results)


def test_a_tile_that_has_another_shape_in_each_branch_is_an_error(platform):
    @asc2.jit
    def kernel(a_ptr, c_ptr, flag):
        a = asc2.load(asc2.tensor(a_ptr, [16, 16]), [16, 16], offsets=[0, 0])
        x = a @ a
        if flag > 0:
            x = asc2.reduce_max(x, 1, keep_dims=True)
        asc2.store(asc2.abs(x), asc2.tensor(c_ptr, [16, 16]), offsets=[0, 0])

    message = r"x is a tile \[16, 1\] float32 in one branch of this if and a tile \[16, 16\] float32 in the other"
    with pytest.raises(CodegenError, match=message) as raised:
        kernel[1](np.ones((16, 16), np.float16), np.zeros((16, 16), np.float32), 1)
    assert "the other branch leaves it here" in str(raised.value)  # with the place of the product
