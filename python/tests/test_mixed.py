"""Kernels that need cube cores and vector cores: split by the compiler, right, clean, independent of order, on both platforms."""

import sys
from pathlib import Path

import numpy as np
import pytest

import asc
import asc2
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
    heads, length, d = 1, 64, 64
    q, v = sample((heads, length, d), 1), sample((heads, length, d), 3)
    k = sample((heads, d, length), 2)
    o = np.zeros((heads, length, d), np.float16)
    attention_kernel[2](q, k, v, o, heads, length, d**-0.5, 32, 64, d)
    golden.check(o, attention(q, k, v))


def test_emitted_source_is_the_kernel():
    """Calls of every core, bytes and cycles are those of the JIT, through g++ and clang."""
    jit = equality.observed(launches_of_both_directions, ())
    for compiler in equality.compilers():
        emitted = equality.observed(launches_of_both_directions, (), equality.Road(compiler).launch)
        assert equality.first_difference(jit, emitted) is None
