"""Tensors in PyPTO: views, slices, single elements, operators, methods, creation, indices, shapes."""

import pytest
import torch

import pypto
from pypto_checks import close, equal, nan, platform, run  # noqa: F401

F32, F16, BF16, I32 = pypto.DT_FP32, pypto.DT_FP16, pypto.DT_BF16, pypto.DT_INT32


def test_view_valid_into_zeros():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([4, 4], F32), y: pypto.Tensor([4, 4], F32)):
        pypto.set_vec_tile_shapes(4, 4)
        v = pypto.view(x, [4, 4], [0, 0], valid_shape=[2, 4])
        y.move(v)

    x, y = torch.rand(4, 4), torch.zeros(4, 4)
    run(k, x, y)
    equal(y[:2], x[:2])
    assert (y[2:] == 0).all()


def test_slices():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([6, 8, 16], F32),
        y: pypto.Tensor([6, 8, 16], F32),
        z: pypto.Tensor([8, 16], F32),
        w: pypto.Tensor([6, 16], F32),
        u: pypto.Tensor([2, 4, 16], F32),
    ):
        pypto.set_vec_tile_shapes(2, 4, 16)
        y[:] = x
        pypto.set_vec_tile_shapes(4, 16)
        z[:] = x[1] * 2.0
        w[:] = x[:, -1, :]
        pypto.set_vec_tile_shapes(2, 4, 16)
        u[...] = x[-2:, 0:4, ...]

    x = torch.rand(6, 8, 16)
    y, z, w, u = nan(6, 8, 16), nan(8, 16), nan(6, 16), nan(2, 4, 16)
    run(k, x, y, z, w, u)
    equal(y, x)
    equal(z, x[1] * 2)
    equal(w, x[:, -1])
    equal(u, x[-2:, :4])


def test_slice_write_int():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([8, 16], F32), y: pypto.Tensor([4, 8, 16], F32)):
        pypto.set_vec_tile_shapes(8, 16)
        for i in pypto.loop(4):
            y[i] = x + 1.0

    x, y = torch.rand(8, 16), nan(4, 8, 16)
    run(k, x, y)
    equal(y, (x + 1).expand(4, 8, 16))


def test_slice_write_int_and_stop():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([8, 16], F32), y: pypto.Tensor([4, 8, 16], F32), z: pypto.Tensor([16, 16], F32)):
        pypto.set_vec_tile_shapes(8, 16)
        for i in pypto.loop(4):
            y[i, :, :] = x + 1.0
        z[:8] = x
        z[8:16, ...] = x * 2.0

    x, y, z = torch.rand(8, 16), nan(4, 8, 16), nan(16, 16)
    run(k, x, y, z)
    equal(y, (x + 1).expand(4, 8, 16))
    equal(z, torch.cat([x, x * 2]))


def test_element_rw():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([8], I32), t: pypto.Tensor([4, 4], I32), y: pypto.Tensor([8], I32)):
        pypto.set_vec_tile_shapes(8)
        for i in pypto.loop(8):
            y[i] = x[i] + t[1, 2] * 2

    x = torch.arange(8, dtype=torch.int32)
    t = torch.arange(16, dtype=torch.int32).reshape(4, 4)
    y = nan(8, dtype=torch.int32)
    run(k, x, t, y)
    equal(y, x + 12)


def test_operators():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([8, 16], F32), z: pypto.Tensor([8, 16], F32), y: pypto.Tensor([12, 8, 16], F32)):
        pypto.set_vec_tile_shapes(8, 16)
        y[0] = x + z
        y[1] = 2.0 - x
        y[2] = 1 / x
        y[3] = x // z
        y[4] = x % z
        y[5] = x**2
        y[6] = -x
        y[7] = +x
        t = x
        t += z
        t *= 2
        t -= 1
        t /= 4
        y[8] = t
        y[9] = pypto.where(x < z, x, z)
        y[10] = pypto.where(x >= 0.5, x, 0.0)
        y[11] = pypto.where(x != z, 1.0, 0.0)

    x, z, y = torch.rand(8, 16) + 0.1, torch.rand(8, 16) + 0.1, nan(12, 8, 16)
    run(k, x, z, y)
    e = [
        x + z,
        2 - x,
        1 / x,
        x // z,
        x % z,
        x**2,
        -x,
        x,
        ((x + z) * 2 - 1) / 4,
        torch.where(x < z, x, z),
        torch.where(x >= 0.5, x, 0.0),
        (x != z).float(),
    ]
    close(y, torch.stack(e), 1e-5, 1e-5)


def test_methods():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([8, 16], F32), y: pypto.Tensor([8, 16], F32), s: pypto.Tensor([8, 1], F32), t: pypto.Tensor([16, 8], F32)
    ):
        pypto.set_vec_tile_shapes(8, 16)
        a = x.exp().add(1.0).log().sqrt().abs()
        y[:] = a.maximum(0.5).minimum(3.0)
        s[:] = x.sum(-1, keepdim=True)
        t[:] = x.transpose(0, 1)
        assert x.dim == 2 and x.dtype == F32 and x.shape == [8, 16]

    x, y, s, t = torch.rand(8, 16), nan(8, 16), nan(8, 1), nan(16, 8)
    run(k, x, y, s, t)
    close(y, (x.exp() + 1).log().sqrt().abs().clamp(0.5, 3))
    close(s, x.sum(-1, keepdim=True))
    equal(t, x.T)


def test_creation():
    @pypto.frontend.jit
    def k(
        a: pypto.Tensor([4, 16], F32),
        b: pypto.Tensor([4, 16], F16),
        c: pypto.Tensor([4, 16], I32),
        d: pypto.Tensor([10], I32),
        e: pypto.Tensor([5], F32),
        f: pypto.Tensor([4, 16], F32),
    ):
        pypto.set_vec_tile_shapes(4, 16)
        a[:] = pypto.full([4, 16], 1.5, F32)
        b[:] = pypto.zeros(4, 16, dtype=F16)
        c[:] = pypto.ones([4, 16], dtype=I32)
        f[:] = pypto.zeros((4, 16)) + pypto.full((4, 16), pypto.Element(F32, 2.0), F32)
        pypto.set_vec_tile_shapes(16)
        d[:] = pypto.arange(10)
        e[:] = pypto.arange(0.0, 5.0, 1.0)

    a, b, c, d, e, f = (
        nan(4, 16),
        nan(4, 16, dtype=torch.float16),
        nan(4, 16, dtype=torch.int32),
        nan(10, dtype=torch.int32),
        nan(5),
        nan(4, 16),
    )
    run(k, a, b, c, d, e, f)
    assert (a == 1.5).all() and (b == 0).all() and (c == 1).all() and (f == 2).all()
    equal(d, torch.arange(10, dtype=torch.int32))
    equal(e, torch.arange(5.0))


def test_index_ops():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([16, 32], F32),
        i: pypto.Tensor([8, 32], I32),
        j: pypto.Tensor([6], I32),
        y: pypto.Tensor([8, 32], F32),
        z: pypto.Tensor([6, 32], F32),
    ):
        pypto.set_vec_tile_shapes(8, 32)
        y[:] = pypto.gather(x, 0, i)
        z[:] = pypto.index_select(x, 0, j)

    x, i, j = torch.rand(16, 32), torch.randint(0, 16, (8, 32), dtype=torch.int32), torch.randint(0, 16, (6,), dtype=torch.int32)
    y, z = nan(8, 32), nan(6, 32)
    run(k, x, i, j, y, z)
    equal(y, x.gather(0, i.long()))
    equal(z, x[j.long()])


def test_gather_last():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([16, 64], F32), i: pypto.Tensor([16, 8], I32), y: pypto.Tensor([16, 8], F32)):
        pypto.set_vec_tile_shapes(8, 8)
        y[:] = pypto.gather(x, -1, i)

    x, i = torch.rand(16, 64), torch.randint(0, 64, (16, 8), dtype=torch.int32)
    y = nan(16, 8)
    run(k, x, i, y)
    equal(y, x.gather(1, i.long()))


def test_scatter_ops():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([16, 32], F32),
        i: pypto.Tensor([4, 32], I32),
        s: pypto.Tensor([4, 32], F32),
        y: pypto.Tensor([16, 32], F32),
        z: pypto.Tensor([16, 32], F32),
    ):
        pypto.set_vec_tile_shapes(16, 32)
        y[:] = pypto.scatter(x, 0, i, s)
        z[:] = pypto.scatter(x, 0, i, 2.0)

    x, s = torch.rand(16, 32), torch.rand(4, 32)
    i = torch.stack([torch.randperm(16)[:4] for _ in range(32)], 1).int()
    y, z = nan(16, 32), nan(16, 32)
    run(k, x, i, s, y, z)
    equal(y, x.scatter(0, i.long(), s))
    equal(z, x.scatter(0, i.long(), 2.0))


def test_scatter_update():
    @pypto.frontend.jit
    def k(cache: pypto.Tensor([64, 32], F32), idx: pypto.Tensor([2, 4], I32), s: pypto.Tensor([8, 32], F32)):
        pypto.set_vec_tile_shapes(8, 32)
        cache[:] = pypto.scatter_update(cache, -2, idx, s)

    c, s = torch.rand(64, 32), torch.rand(8, 32)
    idx = torch.randperm(64)[:8].reshape(2, 4).int()
    e = c.clone()
    e[idx.reshape(-1).long()] = s
    run(k, c, idx, s)
    equal(c, e)


def test_concat_transpose_reshape():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([4, 24], F32),
        z: pypto.Tensor([4, 24], F32),
        a: pypto.Tensor([8, 24], F32),
        b: pypto.Tensor([4, 48], F32),
        c: pypto.Tensor([24, 4], F32),
        d: pypto.Tensor([2, 2, 24], F32),
        e: pypto.Tensor([4, 1, 24], F32),
        f: pypto.Tensor([24, 2, 2], F32),
    ):
        pypto.set_vec_tile_shapes(4, 24)
        a[:] = pypto.concat([x, z], 0)
        b[:] = pypto.concat([x, z], dim=-1)
        c[:] = pypto.transpose(x, 0, 1)
        d[:] = pypto.reshape(x, [2, 2, 24])
        pypto.set_vec_tile_shapes(4, 1, 24)
        e[:] = pypto.unsqueeze(x, 1)
        f[:] = pypto.permute(pypto.reshape(z, [2, -1, 24]), [2, 0, 1])

    x, z = torch.rand(4, 24), torch.rand(4, 24)
    a, b, c, d, e, f = nan(8, 24), nan(4, 48), nan(24, 4), nan(2, 2, 24), nan(4, 1, 24), nan(24, 2, 2)
    run(k, x, z, a, b, c, d, e, f)
    equal(a, torch.cat([x, z]))
    equal(b, torch.cat([x, z], 1))
    equal(c, x.T)
    equal(d, x.view(2, 2, 24))
    equal(e, x[:, None])
    equal(f, z.view(2, 2, 24).permute(2, 0, 1))


def test_concat_odd():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([4, 23], F32), z: pypto.Tensor([4, 5], F32), b: pypto.Tensor([4, 28], F32)):
        pypto.set_vec_tile_shapes(4, 64)
        b[:] = pypto.concat([x + 1.0, z * 2.0], -1)

    x, z, b = torch.rand(4, 23), torch.rand(4, 5), nan(4, 28)
    run(k, x, z, b)
    equal(b, torch.cat([x + 1, z * 2], 1))


def test_pads():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([4, 24], F32),
        a: pypto.Tensor([4, 32], F32),
        b: pypto.Tensor([6, 32], F32),
        c: pypto.Tensor([4, 24], F32),
        d: pypto.Tensor([4, 24], F32),
    ):
        pypto.set_vec_tile_shapes(8, 32)
        a[:] = pypto.pad(x, (0, 8), value=1.0)
        b[:] = pypto.pad(x, (0, 8, 0, 2), mode="constant", value=float("-inf"))
        v = pypto.view(x, [4, 24], [0, 0], valid_shape=[4, 11])
        c[:] = pypto.fillpad(v, value=3.0)
        d[:] = pypto.tril(x) + pypto.triu(x, 1)

    x = torch.rand(4, 24)
    a, b, c, d = nan(4, 32), nan(6, 32), nan(4, 24), nan(4, 24)
    run(k, x, a, b, c, d)
    F = torch.nn.functional
    equal(a, F.pad(x, (0, 8), value=1.0))
    equal(b, F.pad(x, (0, 8, 0, 2), value=float("-inf")))
    e = x.clone()
    e[:, 11:] = 3
    equal(c, e)
    equal(d, x)


def test_logic_ops():
    B = pypto.DT_BOOL

    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([8, 16], F32),
        z: pypto.Tensor([8, 16], F32),
        m: pypto.Tensor([8, 16], B),
        a: pypto.Tensor([8, 16], B),
        b: pypto.Tensor([8, 16], B),
        c: pypto.Tensor([8, 16], F32),
        d: pypto.Tensor([8, 16], B),
    ):
        pypto.set_vec_tile_shapes(8, 16)
        a[:] = pypto.logical_and(x > 0, z > 0)
        b[:] = pypto.logical_not(m)
        c[:] = pypto.where(m, x, z)
        d[:] = pypto.eq(x, z)

    x, z, m = torch.randn(8, 16), torch.randn(8, 16), torch.rand(8, 16) > 0.5
    a, b, d = (torch.zeros(8, 16, dtype=torch.bool) for _ in range(3))
    c = nan(8, 16)
    run(k, x, z, m, a, b, c, d)
    equal(a, (x > 0) & (z > 0))
    equal(b, ~m)
    equal(c, torch.where(m, x, z))
    equal(d, x == z)


def test_one_dim_two_tiles():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([1000], F32), y: pypto.Tensor([1000], F32)):
        pypto.set_vec_tile_shapes(64, 128)
        y[:] = x * x

    x, y = torch.rand(1000), nan(1000)
    run(k, x, y)
    equal(y, x * x)


def test_zero_dim_scalar_tensor():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([8, 16], F32), s: pypto.Tensor([1], F32), y: pypto.Tensor([8, 16], F32)):
        pypto.set_vec_tile_shapes(8, 16)
        y[:] = x * s

    x, s, y = torch.rand(8, 16), torch.tensor(3.0), nan(8, 16)
    run(k, x, s, y)
    equal(y, x * 3)


def test_reduce_all_axes():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([4, 8, 40], F32),
        a: pypto.Tensor([4, 8], F32),
        b: pypto.Tensor([4, 1, 40], F32),
        c: pypto.Tensor([1, 8, 40], F32),
    ):
        pypto.set_vec_tile_shapes(2, 4, 16)
        a[:] = pypto.sum(x, -1)
        b[:] = pypto.amax(x, 1, keepdim=True)
        c[:] = x.amin(dim=0, keepdim=True)

    x = torch.rand(4, 8, 40)
    a, b, c = nan(4, 8), nan(4, 1, 40), nan(1, 8, 40)
    run(k, x, a, b, c)
    close(a, x.sum(-1))
    equal(b, x.amax(1, keepdim=True))
    equal(c, x.amin(0, keepdim=True))


def fractals(matrix):
    """A matrix as it lies in memory in TILEOP_NZ, in a tensor of the same shape."""
    rows, columns = matrix.shape[-2:]
    width = 32 // matrix.element_size()
    cut = matrix.reshape(*matrix.shape[:-2], rows, columns // width, width).transpose(-3, -2)
    return cut.contiguous().reshape(matrix.shape)


@pytest.mark.parametrize("dtype,element", [(torch.float16, F16), (torch.int8, pypto.DT_INT8)], ids=str)
def test_operands_in_fractals(dtype, element):
    result, out = (I32, torch.int32) if dtype is torch.int8 else (F32, torch.float32)

    @pypto.frontend.jit
    def kernel(
        x: pypto.Tensor([pypto.DYNAMIC, 64], element), w: pypto.Tensor([64, 96], element, format=pypto.TileOpFormat.TILEOP_NZ), y: pypto.Tensor([pypto.DYNAMIC, 96], result)
    ):
        pypto.set_cube_tile_shapes([32, 32], [32, 32], [32, 32])
        y[:] = pypto.matmul(x, w, result)

    if dtype is torch.int8:
        x, w = torch.randint(-9, 9, (50, 64), dtype=dtype), torch.randint(-9, 9, (64, 96), dtype=dtype)
    else:
        x, w = torch.randn(50, 64).to(dtype), torch.randn(64, 96).to(dtype)
    y = nan(50, 96, dtype=out)
    run(kernel, x, fractals(w), y)
    close(y, x.double() @ w.double(), 1e-2, 1e-2)


def test_fractals_that_are_not_whole():
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor([16, 20], F16), w: pypto.Tensor([20, 96], F16, format=pypto.TileOpFormat.TILEOP_NZ), y: pypto.Tensor([16, 96], F32)):
        pypto.set_cube_tile_shapes([32, 32], [32, 32], [32, 32])
        y[:] = pypto.matmul(x, w, F32)

    with pytest.raises(pypto.error.FeError, match="whole fractals: multiples of 16 rows and 16 columns"):
        kernel(torch.randn(16, 20).half(), torch.randn(20, 96).half(), nan(16, 96))
