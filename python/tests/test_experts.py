"""The expert kernels (kernels/ascendc/expert): right on odd shapes, clean in checked mode, the same bytes in both late modes, and
as quick as the measure they are kept for."""

import math
import sys

import golden
import numpy as np
import pytest
import torch
from gate import compare
from test_ascendc_conformance import narrow, widen
from test_ascendc_kernels import run_clean

import ascendc

sys.path.insert(0, str(ascendc.ROOT / "kernels/ascendc/expert"))

import launch as expert


def check(launch, output, expected):
    """Results against float64, then the same bytes whatever the order of instructions that nothing orders."""
    run_clean(launch, output)
    with np.errstate(over="ignore"):
        verdict = compare(output, expected.astype(output.dtype))
    assert verdict.passed, str(verdict)


@pytest.fixture(params=golden.PLATFORMS, autouse=True, scope="module")
def platform(request):
    golden.use(request.param)
    return request.param


# One element, less than a block, around a tile of a core, several tiles on some cores only.
FLAT = [1, 17, 72 * 4096 + 5]


@pytest.mark.parametrize("dtype", golden.DTYPES)
@pytest.mark.parametrize("size", FLAT)
def test_add(dtype, size):
    x, y = golden.sample(size, dtype, seed=1), golden.sample(size, dtype, seed=2)
    z = np.zeros_like(x)
    check(lambda: expert.add_launch(x, y, z), z, x.astype(np.float64) + y)


@pytest.mark.parametrize("dtype", golden.DTYPES)
@pytest.mark.parametrize("size", FLAT)
def test_gelu(dtype, size):
    x = golden.sample(size, dtype, low=-9, high=9)
    x[:3] = [-60000, 60000, 0][: len(x)]  # the polynomial must not turn back far away
    y, wide = np.zeros_like(x), x.astype(np.float64)
    cubic = np.sqrt(2 / np.pi) * (wide + 0.044715 * wide**3)
    check(lambda: expert.gelu_launch(x, y, "tanh"), y, 0.5 * wide * (1 + np.tanh(cubic)))
    check(lambda: expert.gelu_launch(x, y), y, 0.5 * wide * (1 + np.vectorize(math.erf)(wide * np.sqrt(0.5))))


def test_gelu_erf_is_as_good_as_float32():
    """The gate would take errors that people who compare with torch would not."""
    x = np.linspace(-8, 8, 30001, dtype=np.float32)
    y, wide = np.zeros_like(x), x.astype(np.float64)
    expert.gelu_launch(x, y)
    expected = 0.5 * wide * (1 + np.vectorize(math.erf)(wide * np.sqrt(0.5)))
    assert np.allclose(y, expected, rtol=1e-5, atol=1e-6)


# Single elements, column tails, many short rows (taken side by side), rows of many repeats, tiles that share a core.
ROWS = [(1, 1), (31, 127), (700, 33), (60, 512), (7, 1000), (97, 4096)]


@pytest.mark.parametrize("dtype", golden.DTYPES)
@pytest.mark.parametrize("shape", ROWS)
def test_softmax(dtype, shape):
    x = golden.sample(shape, dtype)
    y = np.zeros_like(x)
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    check(lambda: expert.softmax_launch(x, y), y, e / e.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("dtype", golden.DTYPES)
@pytest.mark.parametrize("shape", ROWS)
def test_norms(dtype, shape):
    x, gamma = golden.sample(shape, dtype, low=1, high=9, seed=1), golden.sample(shape[1:], dtype, low=-2, high=2, seed=2)
    beta = golden.sample(shape[1:], dtype, low=6, high=9, seed=3)  # where the sum with it cancels, nothing meets a relative bound
    y, (wide, g, b) = np.zeros_like(x), (array.astype(np.float64) for array in (x, gamma, beta))
    check(lambda: expert.rms_norm_launch(x, gamma, y), y, wide / np.sqrt((wide * wide).mean(axis=1, keepdims=True) + 1e-6) * g)
    d = wide - wide.mean(axis=1, keepdims=True)
    check(lambda: expert.layer_norm_launch(x, gamma, beta, y), y, d / np.sqrt((d * d).mean(axis=1, keepdims=True) + 1e-5) * g + b)


# Dense short rows with and without a part of a repeat left, padded short ones, long ones.
@pytest.mark.parametrize("dtype", golden.DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (5, 8), (777, 16), (3000, 4), (300, 32), (700, 33), (97, 4096)])
def test_reduce(dtype, shape):
    x = golden.sample(shape, dtype, low=0.5, high=2)
    y, wide = np.zeros(shape[0], dtype), x.astype(np.float64)
    check(lambda: expert.reduce_launch("sum", x, y), y, wide.sum(axis=1))
    check(lambda: expert.reduce_launch("max", x, y), y, wide.max(axis=1))


def test_rows_that_do_not_fit_are_refused():
    x = np.zeros((2, 65536), np.float32)
    with pytest.raises(ValueError, match="a row of 65536 elements does not fit into UB; softmax"):
        expert.softmax_launch(x, x.copy())


# Shapes are m x n x k. Tails in each direction, one row, stages of k that end in the middle of a slot, several results on a core.
PRODUCTS = [(1, 1, 1), (16, 16, 16), (127, 129, 65), (257, 17, 1000), (300, 530, 700), (640, 1300, 129)]


@pytest.mark.parametrize("m, n, k", PRODUCTS)
@pytest.mark.parametrize("out", golden.DTYPES)
def test_matmul(m, n, k, out):
    a, b = golden.sample((m, k), "float16", low=0, high=1, seed=1), golden.sample((k, n), "float16", low=0, high=1, seed=2)
    c = np.zeros((m, n), out)
    check(lambda: expert.matmul_launch(a, b, c), c, a.astype(np.float64) @ b.astype(np.float64))


# Heads x queries x keys x size. One fractal; a tail of each, and a second vector core with fewer rows or none; several steps and
# tiles of a block, which begin while the last one is not over; more heads than cores for a block; parts of wide heads.
ATTENTION = [(1, 1, 1, 64), (2, 100, 77, 128), (1, 7, 300, 256), (1, 257, 1100, 128), (37, 20, 130, 64), (1, 200, 700, 256)]


def floats(array):
    return widen(array, "float16" if array.dtype == np.float16 else "bfloat16").astype(np.float64)


def attention(q, k, v, causal):
    q, k, v = floats(q), floats(k), floats(v)
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    if causal:
        scores = np.where(np.arange(k.shape[1]) <= np.arange(q.shape[1])[:, None], scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e @ v / e.sum(axis=-1, keepdims=True)


def attention_inputs(heads, queries, keys, size, dtype):
    random = np.random.default_rng(3)
    q, k = (narrow(random.standard_normal((heads, n, size)), dtype) for n in (queries, keys))
    return (
        q,
        k,
        narrow(random.uniform(0.2, 1, (heads, keys, size)), dtype),
        np.zeros((heads, queries, size), np.float16 if dtype == "float16" else np.uint16),
    )


def check_attention(launch, q, k, v, o, causal):
    run_clean(launch, o)
    expected = attention(q, k, v, causal)
    if o.dtype == np.float16:
        verdict = compare(o, expected.astype(np.float16))
    else:
        verdict = compare(torch.from_numpy(o.view(np.int16)).view(torch.bfloat16), torch.from_numpy(expected).to(torch.bfloat16))
    assert verdict.passed, str(verdict)


@pytest.mark.parametrize("dtype, causal", [("float16", False), ("float16", True), ("bfloat16", True)])
@pytest.mark.parametrize("heads, queries, keys, size", ATTENTION)
def test_flash_attention(heads, queries, keys, size, dtype, causal):
    q, k, v, o = attention_inputs(heads, queries, keys, size, dtype)
    check_attention(lambda: expert.flash_attention_launch(q, k, v, o, causal), q, k, v, o, causal)


@pytest.mark.parametrize("blocks, rows, width", [(1, 128, 128), (2, 48, 256), (5, 16, 128)])
def test_flash_attention_of_short_steps(blocks, rows, width):
    """Many steps of many tiles on a block: a slot that is written before it is read would show."""
    q, k, v, o = attention_inputs(2, 130, 520, 64, "float16")
    workspace = np.zeros(blocks * 3 * rows * (6 * width + 4 * 64), np.uint8)
    kernel = expert.library("flash_attention")["flash_attention_half"]
    check_attention(lambda: kernel[blocks](q, k, v, o, workspace, 2, 130, 520, 64, 64**-0.5, 1, rows, width), q, k, v, o, True)


def test_flash_attention_of_large_scores():
    """Maxima that grow from step to step, and scores whose exponentials would overflow."""
    q, k, v, o = attention_inputs(1, 60, 900, 64, "float16")
    k *= np.linspace(0.1, 12, 900).astype(np.float16)[:, None]
    check_attention(lambda: expert.flash_attention_launch(q, k, v, o), q, k, v, o, False)


def test_heads_of_other_sizes_are_refused():
    x = np.zeros((1, 16, 80), np.float16)
    with pytest.raises(ValueError, match="heads of 80 elements; flash_attention of the experts takes 64, 128 and 256"):
        expert.flash_attention_launch(x, x, x, x.copy())


def test_matmul_of_results_of_unequal_height():
    """Two results of a core follow each other in L0C with different pitches: nothing may meet there."""
    m, n, k = 16 * 47, 512, 384
    a, b = golden.sample((m, k), "float16", low=0, high=1, seed=1), golden.sample((k, n), "float16", low=0, high=1, seed=2)
    c = np.zeros((m, n), np.float32)
    kernel = expert.library("matmul")["matmul_half_float"]
    check(lambda: kernel[5](a, b, c, m, n, k, 9, 2), c, a.astype(np.float64) @ b.astype(np.float64))
