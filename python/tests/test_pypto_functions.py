"""Functions of PyPTO that are composed of others: inverse trigonometry, sums by index, casts to odd, against torch."""

import math

import numpy as np
import pytest
import torch

import pypto
from pypto_checks import platform, run  # noqa: F401

F32, F16, I32 = pypto.DT_FP32, pypto.DT_FP16, pypto.DT_INT32
TOLERANCE = {torch.float32: 3e-6, torch.float16: 1e-3, torch.bfloat16: 8e-3}


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


DYN = pypto.DYNAMIC


@pytest.mark.parametrize("rows", [1, 50, 128, 300])
def test_reductions_of_a_dynamic_axis(rows):
    """The same kernel for all sizes; the tile changes no byte."""

    def make(tile):
        @pypto.frontend.jit
        def kernel(x: pypto.Tensor([DYN, 64], F32), y: pypto.Tensor([4, 64], F32), z: pypto.Tensor([DYN, 64], F32)):
            pypto.set_vec_tile_shapes(*tile)
            e = pypto.exp(x) * 0.5
            y[0:1, :] = pypto.sum(e, 0, keepdim=True)
            y[1:2, :] = pypto.amax(x, 0, keepdim=True)
            y[2:3, :] = pypto.amin(x - 1.0, 0, keepdim=True)
            y[3:4, :] = pypto.prod(x * 0.1 + 1.0, 0, keepdim=True)
            z[:] = pypto.softmax(x, 0)

        return kernel

    x = torch.randn(rows, 64)
    y, z, again = torch.full((4, 64), NAN), torch.full((rows, 64), NAN), torch.full((4, 64), NAN)
    run(make((16, 64)), x, y, z)
    expected = torch.stack([(x.exp() * 0.5).sum(0), x.amax(0), (x - 1).amin(0), (x * 0.1 + 1).prod(0)])
    torch.testing.assert_close(y, expected, rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(z, x.softmax(0), rtol=1e-4, atol=1e-6)
    run(make((8, 32)), x, again, z)
    assert torch.equal(again, y)


def test_normalised_along_a_dynamic_axis():
    """Numbers of one reduction go into the next one, and rows of other reductions."""

    @pypto.frontend.jit
    def kernel(
        x: pypto.Tensor([DYN, 64], F32),
        z: pypto.Tensor([DYN, 64], F32),
        r: pypto.Tensor([1, 64], F32),
        q: pypto.Tensor([1, 64], F32),
    ):
        pypto.set_vec_tile_shapes(16, 64)
        d = x - pypto.sum(x, 0, keepdim=True) * 0.02
        v = pypto.sum(d * d, 0, keepdim=True)
        z[:] = d / pypto.sqrt(v * 0.02 + 1e-5) + pypto.softmax(x, 0)
        r[:] = pypto.sqrt(v)
        q[:] = pypto.sum(pypto.softmax(x, 1), 0, keepdim=True)

    x = torch.rand(50, 64)
    z, r, q = torch.full((50, 64), NAN), torch.full((1, 64), NAN), torch.full((1, 64), NAN)
    run(kernel, x, z, r, q)
    d = x - x.mean(0)
    v = (d * d).sum(0, keepdim=True)
    torch.testing.assert_close(z, d / (v / 50 + 1e-5).sqrt() + x.softmax(0), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(r, v.sqrt())
    torch.testing.assert_close(q, x.softmax(1).sum(0, keepdim=True))


def test_reductions_of_other_dynamic_axes():
    @pypto.frontend.jit
    def kernel(
        x: pypto.Tensor([3, DYN, 16], F16),
        i: pypto.Tensor([DYN], I32),
        y: pypto.Tensor([3, 1, 16], F16),
        s: pypto.Tensor([2], I32),
    ):
        pypto.set_vec_tile_shapes(1, 16, 16)
        y[:] = pypto.sum(x, 1, keepdim=True)
        pypto.set_vec_tile_shapes(64)
        s[0:1] = pypto.amax(i, 0)
        s[1:2] = pypto.sum(i, 0)

    x, i = torch.randn(3, 700, 16).half(), torch.randint(-1000, -5, (5000,), dtype=torch.int32)
    y, s = torch.full((3, 1, 16), NAN).half(), torch.zeros(2, dtype=torch.int32)
    run(kernel, x, i, y, s)
    torch.testing.assert_close(y, x.float().sum(1, keepdim=True).half(), rtol=2e-3, atol=1e-2)
    assert s.tolist() == [i.max().item(), i.sum().item()]


def test_beginnings_of_integers():
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor([9, 40], I32), s: pypto.Tensor([9, 40], pypto.DT_INT64), p: pypto.Tensor([9, 40], pypto.DT_INT64)):
        pypto.set_vec_tile_shapes(4, 40)
        s[:] = pypto.cumsum(x, -1)
        p[:] = pypto.cumprod(x, 0)

    x = torch.randint(-50, 50, (9, 40), dtype=torch.int32)
    x[0] = 2**31 - 1
    s, p = torch.zeros(9, 40, dtype=torch.int64), torch.zeros(9, 40, dtype=torch.int64)
    run(kernel, x, s, p)
    assert torch.equal(s, x.long().cumsum(-1))
    assert torch.equal(p, x.long().cumprod(0))


def test_slices_by_a_tensor():
    @pypto.frontend.jit
    def kernel(
        x: pypto.Tensor([64, 32], F32),
        i: pypto.Tensor([8], I32),
        j: pypto.Tensor([8, 32], I32),
        y: pypto.Tensor([8, 32], F32),
        z: pypto.Tensor([8, 32], F32),
        p: pypto.Tensor([64, 32], F32),
        q: pypto.Tensor([64, 32], F32),
    ):
        pypto.set_vec_tile_shapes(8, 32)
        y[:] = x[0:i]
        z[:] = x[:j]
        p[0:i] = y * 2.0
        q[0:j] = y

    x, i = torch.rand(64, 32), torch.randperm(64)[:8].int()
    j = torch.stack([torch.randperm(64)[:8] for _ in range(32)], 1).int()
    y, z, p, q = torch.full((8, 32), NAN), torch.full((8, 32), NAN), torch.zeros(64, 32), torch.zeros(64, 32)
    run(kernel, x, i, j, y, z, p, q)
    assert torch.equal(y, x[i.long()])
    assert torch.equal(z, x.gather(0, j.long()))
    assert torch.equal(p, torch.zeros(64, 32).index_put((i.long(),), y * 2))
    assert torch.equal(q, torch.zeros(64, 32).scatter(0, j.long(), y))
