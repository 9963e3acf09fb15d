"""Functions of PyPTO that are composed of others: inverse trigonometry, sums by index, casts to odd, against torch."""

import math

import numpy as np
import pytest
import torch

import asc
import pypto
from asc.runtime import config

F32, F16, I32 = pypto.DT_FP32, pypto.DT_FP16, pypto.DT_INT32
PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]
TOLERANCE = {torch.float32: 3e-6, torch.float16: 1e-3, torch.bfloat16: 8e-3}


@pytest.fixture(params=PLATFORMS, autouse=True)
def platform(request):
    torch.manual_seed(0)
    config.set_platform("Model", request.param)
    yield
    config.set_platform("Model", PLATFORMS[0])


def run(kernel, *args):
    """A launch with the order checker; findings fail the test."""
    with asc.check() as report:
        kernel(*args)
    assert not report.findings, report.findings


def close(actual, expected):
    tolerance = TOLERANCE[actual.dtype]
    torch.testing.assert_close(actual.double(), expected.to(actual.dtype).double(), rtol=tolerance, atol=tolerance, equal_nan=True)
    zero = expected == 0
    assert torch.equal(actual[zero].signbit(), expected[zero].signbit())


def cbrt(x):
    return torch.from_numpy(np.cbrt(x.numpy()))


INF, NAN = math.inf, math.nan
EDGES = torch.tensor([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.0, -2.0, INF, -INF, NAN, 1e-6, -1e-6, 3e4])


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("name", "asin acos atan asinh acosh atanh cbrt".split())
def test_inverse(name, dtype):
    operation = getattr(pypto, name)

    @pypto.frontend.jit
    def kernel(x: pypto.Tensor(), y: pypto.Tensor()):
        pypto.set_vec_tile_shapes(4, 64)
        y[:] = operation(x)

    x = torch.cat(
        [EDGES[None].repeat(1, 5)[:, :72], torch.rand(3, 72) * 2 - 1, torch.randn(3, 72) * 100, torch.rand(3, 72) + 1]
    ).to(dtype)
    y = torch.full_like(x, NAN)
    run(kernel, x, y)
    expected = cbrt(x.double()) if name == "cbrt" else getattr(torch, name)(x.double())
    close(y, expected)


def test_inverse_of_large_numbers():
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor([1, 8], F32), a: pypto.Tensor([1, 8], F32), b: pypto.Tensor([1, 8], F32)):
        pypto.set_vec_tile_shapes(1, 8)
        a[:] = pypto.asinh(x)
        b[:] = x.cbrt()

    x = torch.tensor([[1e30, -1e30, 3e38, 1e-30, -3e-38, 1e19, 8.0, 27.0]])
    a, b = torch.full_like(x, NAN), torch.full_like(x, NAN)
    run(kernel, x, a, b)
    torch.testing.assert_close(a.double(), x.double().asinh(), rtol=2e-6, atol=0)
    torch.testing.assert_close(b.double(), cbrt(x.double()), rtol=2e-6, atol=0)


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_atan2(dtype):
    @pypto.frontend.jit
    def kernel(y: pypto.Tensor(), x: pypto.Tensor(), z: pypto.Tensor()):
        pypto.set_vec_tile_shapes(4, 64)
        z[:] = pypto.atan2(y, x)

    pairs = torch.cartesian_prod(EDGES, EDGES)
    y = torch.cat([pairs[:, 0].reshape(4, 64), torch.randn(5, 64)]).to(dtype)
    x = torch.cat([pairs[:, 1].reshape(4, 64), torch.randn(5, 64)]).to(dtype)
    z = torch.full_like(x, 7.0)
    run(kernel, y, x, z)
    close(z, torch.atan2(y.double(), x.double()))


def test_cast_to_odd():
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor([16, 64], F32), y: pypto.Tensor([16, 64], F16), z: pypto.Tensor([16, 64], pypto.DT_BF16)):
        pypto.set_vec_tile_shapes(8, 64)
        y[:] = pypto.cast(x, F16, pypto.CastMode.CAST_ODD)
        z[:] = pypto.cast(x, pypto.DT_BF16, pypto.CastMode.CAST_ODD)  # a mode the pair lacks is the default

    x = torch.randn(16, 64) * 10 ** torch.randint(-6, 5, (16, 64)).float()
    x[0, :6] = torch.tensor([1.0, 1.0 + 2**-11, 65519.0, 1e9, -1e9, INF])
    y, z = torch.zeros(16, 64).half(), torch.zeros(16, 64).bfloat16()
    run(kernel, x, y, z)
    near = x.half()
    is_beyond = near.double().abs() > x.double().abs()
    toward_zero = torch.where(is_beyond, near.view(torch.int16) - 1, near.view(torch.int16))
    toward_zero = torch.where(x.isinf(), near.view(torch.int16), toward_zero)
    is_exact = near.double() == x.double()
    expected = torch.where(is_exact, toward_zero, toward_zero | 1).view(torch.half)
    assert torch.equal(y, expected)
    assert torch.equal(z, x.bfloat16())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_casts_beyond_the_largest(dtype):
    to = F16 if dtype is torch.float16 else pypto.DT_BF16

    @pypto.frontend.jit
    def kernel(
        x: pypto.Tensor([8], F32),
        a: pypto.Tensor([8], to),
        b: pypto.Tensor([8], to),
        c: pypto.Tensor([8], to),
        d: pypto.Tensor([8], to),
    ):
        pypto.set_vec_tile_shapes(16)
        a[:] = pypto.cast(x, to, pypto.CastMode.CAST_FLOOR)
        b[:] = pypto.cast(x, to, pypto.CastMode.CAST_CEIL)
        c[:] = pypto.cast(x, to, pypto.CastMode.CAST_TRUNC)
        d[:] = pypto.cast(x, to, pypto.CastMode.CAST_ROUND)

    most, big = torch.finfo(dtype).max, torch.finfo(torch.float32).max
    x = torch.tensor([big, -big, INF, -INF, NAN, most, -most, 1.0])
    outs = [torch.zeros(8, dtype=dtype) for _ in range(4)]
    run(kernel, x, *outs)
    ends = [(most, -INF), (INF, -most), (most, -most), (INF, -INF)]
    for made, (above, below) in zip(outs, ends):
        expected = torch.tensor([above, below, INF, -INF, NAN, most, -most, 1.0]).to(dtype)
        torch.testing.assert_close(made, expected, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("reduce", ["add", "multiply"])
def test_scatter_reduces(reduce):
    @pypto.frontend.jit
    def kernel(
        x: pypto.Tensor([8, 32], F32), i: pypto.Tensor([5, 32], I32), s: pypto.Tensor([5, 32], F32), y: pypto.Tensor([8, 32], F32)
    ):
        pypto.set_vec_tile_shapes(8, 32)
        y[:] = pypto.scatter(x, 0, i, s, reduce=reduce)

    x, s = torch.rand(8, 32), torch.rand(5, 32)
    i = torch.randint(0, 3, (5, 32), dtype=torch.int32)
    y = torch.full((8, 32), NAN)
    run(kernel, x, i, s, y)
    how = {"add": "sum", "multiply": "prod"}[reduce]
    torch.testing.assert_close(y, x.scatter_reduce(0, i.long(), s, how))


def test_index_put_accumulates():
    @pypto.frontend.jit
    def kernel(
        x: pypto.Tensor([8, 2, 16], F32),
        i: pypto.Tensor([4], I32),
        v: pypto.Tensor([4, 2, 16], F32),
        m: pypto.Tensor([8, 16], F32),
        j: pypto.Tensor([4], I32),
        w: pypto.Tensor([4], F32),
    ):
        pypto.set_vec_tile_shapes(8, 32)
        pypto.index_put_(x, (i,), v, accumulate=True)
        pypto.index_put_(m, (i, j), w, accumulate=True)

    x, v, m, w = torch.rand(8, 2, 16), torch.rand(4, 2, 16), torch.rand(8, 16), torch.rand(4)
    i, j = torch.tensor([1, 5, 1, 7], dtype=torch.int32), torch.tensor([3, 0, 3, 9], dtype=torch.int32)
    a = x.clone().index_put_((i.long(),), v, accumulate=True)
    b = m.clone().index_put_((i.long(), j.long()), w, accumulate=True)
    run(kernel, x, i, v, m, j, w)
    torch.testing.assert_close(x, a)
    torch.testing.assert_close(m, b)


@pytest.mark.parametrize("mode", range(1, 8))
def test_gathermask(mode):
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor(), y: pypto.Tensor()):
        pypto.set_vec_tile_shapes(4, 16)
        pypto.pass_verify_print(x, cond=1)
        y[:] = pypto.gathermask(x, mode)

    x = torch.randn(9, 64)
    expected = {1: x[:, ::2], 2: x[:, 1::2], 7: x}.get(mode, x[:, mode - 3 :: 4]).contiguous()
    y = torch.full_like(expected, NAN)
    run(kernel, x, y)
    assert torch.equal(y, expected)


def test_unwritten_local():
    @pypto.frontend.jit
    def reads(x: pypto.Tensor([16, 64], F32), y: pypto.Tensor([16, 64], F32)):
        pypto.set_vec_tile_shapes(8, 64)
        t = pypto.tensor([16, 64], F32, "t")
        y[:] = x + t

    with pytest.raises(
        pypto.error.PyptoError, match=r"read before anything is written(.|\n)*y\[:\] = x \+ t(.|\n)*note: made here"
    ):
        reads(torch.rand(16, 64), torch.rand(16, 64))

    @pypto.frontend.jit
    def writes(x: pypto.Tensor([16, 64], F32), y: pypto.Tensor([16, 64], F32)):
        pypto.set_vec_tile_shapes(8, 64)
        t = pypto.tensor([16, 64], F32, "t")
        for i in pypto.loop(3):
            if pypto.is_loop_begin(i):
                t[:] = x
            else:
                t[:] = t + x
        y[:] = t

    x, y = torch.rand(16, 64), torch.full((16, 64), NAN)
    run(writes, x, y)
    assert torch.equal(y, x + x + x)
