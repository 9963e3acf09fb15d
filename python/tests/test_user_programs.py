"""Programs as users of the language write them: launch forms, argument kinds and idioms, on both platforms."""

import math

import pytest
import torch

import asc
import asc2
from asc.runtime import config

VV, VS, SV = "VV", "VS", "SV"
GELU_A, GELU_B = math.sqrt(2.0 / math.pi), 0.044715


@pytest.fixture(autouse=True, params=["Ascend910B1", "Ascend950PR_9599"])
def platform(request):
    config.set_platform(config.Backend.Model, config.Platform(request.param), device_id=0, check=False)
    yield request.param
    config.set_platform(config.Backend.Model)


def uniform(shape, low=1.0, high=4.0, dtype=torch.float32):
    return (torch.rand(shape, generator=torch.Generator().manual_seed(7)) * (high - low) + low).to(dtype)


# Operands as tiles or scalars: the operation and the form are constants, so one kernel text serves all.


@asc2.jit(always_compile=True)
def binary_kernel(x_ptr: asc.GlobalAddress, y_ptr, z_ptr: asc.GlobalAddress, shape: asc.ConstExpr, op: asc.ConstExpr,
                  fmt: asc.ConstExpr[str]):
    offsets = [0] * len(shape)
    if fmt == VV:
        lhs = asc2.load(asc2.tensor(x_ptr, shape), shape, offsets=offsets)
        rhs = asc2.load(asc2.tensor(y_ptr, shape), shape, offsets=offsets)
    elif fmt == VS:
        lhs = asc2.load(asc2.tensor(x_ptr, shape), shape, offsets=offsets)
        rhs = y_ptr
    else:
        lhs = x_ptr
        rhs = asc2.load(asc2.tensor(y_ptr, shape), shape, offsets=offsets)
    asc2.store(op(lhs, rhs), asc2.tensor(z_ptr, shape), offsets=offsets)


BINARY = {asc2.add: torch.add, asc2.sub: torch.sub, asc2.mul: torch.mul, asc2.div: torch.div, asc2.maximum: torch.maximum,
          asc2.minimum: torch.minimum}


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.int32], ids=str)
@pytest.mark.parametrize("fmt", [VV, VS, SV])
@pytest.mark.parametrize("op", BINARY, ids=lambda op: op.__name__)
def test_binary_with_the_operation_as_a_constant(op, fmt, dtype):
    shape = torch.Size([4, 64])
    x = torch.randint(1, 50, shape).to(dtype)
    y = torch.randint(1, 50, shape).to(dtype)
    if fmt == VS:
        y = torch.tensor(3).to(dtype)
    if fmt == SV:
        x = torch.tensor(29).to(dtype)
    z = torch.empty(shape, dtype=dtype)
    binary_kernel[1](x, y, z, shape, op, fmt)
    expected = BINARY[op](x, y) if dtype.is_floating_point or op is not asc2.div else torch.div(x, y, rounding_mode="trunc")
    assert torch.equal(z, expected.to(dtype))


def test_shift_by_a_runtime_scalar():
    @asc2.jit(always_compile=True)
    def shift(x_ptr, n, left_ptr, right_ptr, size: asc.ConstExpr[int]):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [size], tile_id=[0])
        asc2.store(asc2.left_shift(x, n), asc2.tensor(left_ptr, [size]), tile_id=[0])
        asc2.store(asc2.right_shift(x, n), asc2.tensor(right_ptr, [size]), tile_id=[0])

    x = torch.arange(-64, 64, dtype=torch.int32)
    left, right = torch.empty_like(x), torch.empty_like(x)
    shift[1](x, torch.tensor(2, dtype=torch.int32), left, right, 128)
    assert torch.equal(left, x << 2) and torch.equal(right, x >> 2)


UNARY = [asc2.abs, asc2.ceil, asc2.cos, asc2.cosh, asc2.erf, asc2.exp, asc2.exp2, asc2.floor, asc2.log, asc2.log2, asc2.relu,
         asc2.reciprocal, asc2.rsqrt, asc2.sin, asc2.sinh, asc2.sqrt, asc2.tan, asc2.tanh]


@pytest.mark.parametrize("vf_fusion", [False, True])
def test_unary_functions(vf_fusion):
    @asc2.jit(always_compile=True, vf_fusion=vf_fusion)
    def unary(x_ptr, y_ptr, ops: asc.ConstExpr, rows: asc.ConstExpr[int], cols: asc.ConstExpr[int]):
        x = asc2.load(asc2.tensor(x_ptr, [rows, cols]), [rows, cols], offsets=[0, 0])
        y_gm = asc2.tensor(y_ptr, [len(ops) * rows, cols])
        for i in asc.static_range(len(ops)):
            asc2.store(ops[i](x), y_gm, offsets=[i * rows, 0])

    x = uniform([8, 64])
    y = torch.zeros(len(UNARY), 8, 64)
    unary[1](x, y, UNARY, 8, 64)
    for op, actual in zip(UNARY, y):
        assert torch.allclose(actual, getattr(torch, op.__name__)(x), atol=1e-3, rtol=1e-5), op.__name__


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("name", ["sum", "max", "min", "prod"])
def test_reductions_over_an_axis(name, axis):
    @asc2.jit(always_compile=True)
    def reduce(x_ptr, y_ptr, op: asc.ConstExpr, axis: asc.ConstExpr[int], shape: asc.ConstExpr, out: asc.ConstExpr[int]):
        x = asc2.load(asc2.tensor(x_ptr, shape), shape, offsets=[0, 0])
        asc2.store(op(x, axis), asc2.tensor(y_ptr, [out]), offsets=[0])

    x = uniform([64, 32], 0.9, 1.1)
    expected = {"sum": torch.sum, "max": torch.amax, "min": torch.amin, "prod": torch.prod}[name](x, axis)
    y = torch.empty_like(expected)
    reduce[1](x, y, getattr(asc2, f"reduce_{name}"), axis, x.shape, y.numel())
    assert torch.allclose(y, expected, rtol=1e-5)


@pytest.mark.parametrize("size", [1, 7, 17])
def test_reductions_to_a_scalar(size):
    @asc2.jit(always_compile=True)
    def reduce(x_ptr, y_ptr, size: asc.ConstExpr[int]):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [size], tile_id=[0])
        y_gm = asc2.tensor(y_ptr, [3])
        asc2.store(asc2.reduce_sum(x), y_gm, offsets=[0])
        asc2.store(x.max(), y_gm, offsets=[1])
        asc2.store(asc2.reduce_min(x), y_gm, offsets=[2])

    x, y = uniform([size], -4.0, -1.0), torch.empty(3)
    reduce[1](x, y, size)
    assert torch.allclose(y, torch.stack([x.sum(), x.max(), x.min()]))


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32], ids=str)
@pytest.mark.parametrize("shape", [(128,), (6, 64)], ids=str)
def test_softmax(shape, dtype):
    @asc2.jit(always_compile=True, static_alloc=False)
    def softmax(x_ptr, y_ptr, shape: asc.ConstExpr):
        zeros = [0] * len(shape)
        x = asc2.load(asc2.tensor(x_ptr, shape), shape=shape, offsets=zeros, tile_id=None)
        asc2.store(asc2.softmax(x), asc2.tensor(y_ptr, shape), offsets=zeros)

    x = uniform(shape, -4.0, 4.0, dtype)
    y = torch.empty_like(x)
    softmax[1](x, y, shape)
    assert torch.allclose(y.float(), torch.softmax(x.float(), -1), rtol=1e-3, atol=1e-5)


def test_softmax_by_hand():
    """Full reductions mix with tiles."""
    @asc2.jit(always_compile=True, static_alloc=None)
    def softmax(x_ptr, y_ptr, rows, cols: asc.ConstExpr[int]):
        x_gm, y_gm = asc2.tensor(x_ptr, [rows, cols]), asc2.tensor(y_ptr, [rows, cols])
        for i in range(asc2.block_idx(), rows, asc2.block_num()):
            row = asc2.load(x_gm, [1, cols], offsets=[i, 0])
            e = asc2.exp(row - asc2.reduce_max(row))
            asc2.store(e / asc2.reduce_sum(e), y_gm, offsets=[i, 0])

    x = uniform([9, 64], -4.0, 4.0)
    y = torch.empty_like(x)
    softmax[4](x, y, 9, 64)
    assert torch.allclose(y, torch.softmax(x, -1), rtol=1e-5)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.int16, torch.int32], ids=str)
def test_where_with_scalars(dtype):
    @asc2.jit(always_compile=True)
    def select(x_ptr, y_ptr, a, b, out_ptr, size: asc.ConstExpr[int]):
        x = asc2.load(asc2.tensor(x_ptr, [size]), [size], tile_id=[0])
        y = asc2.load(asc2.tensor(y_ptr, [size]), [size], tile_id=[0])
        out = asc2.tensor(out_ptr, [4, size])
        asc2.store(asc2.where(x > y, a, b).reshape(1, size), out, offsets=[0, 0])
        asc2.store(asc2.where(x == y, x, b).reshape(1, size), out, offsets=[1, 0])
        asc2.store(asc2.where(x <= a, a, y).reshape(1, size), out, offsets=[2, 0])
        asc2.store(asc2.where(x != 3, x, y).expand_dims(0), out, offsets=[3, 0])

    x, y = torch.randint(0, 6, (64,)).to(dtype), torch.randint(0, 6, (64,)).to(dtype)
    a, b = torch.tensor(3).to(dtype), torch.tensor(-2).to(dtype)
    out = torch.zeros(4, 64, dtype=dtype)
    select[1](x, y, a, b, out, 64)
    expected = torch.stack([torch.where(x > y, a, b), torch.where(x == y, x, b), torch.where(x <= a, a, y),
                            torch.where(x != 3, x, y)])
    assert torch.equal(out, expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int32], ids=str)
def test_atomics_of_several_blocks(dtype):
    @asc2.jit(always_compile=True)
    def accumulate(x_ptr, sum_ptr, max_ptr, min_ptr, size: asc.ConstExpr[int]):
        x = asc2.load(asc2.tensor(x_ptr, [4 * size]), [size], tile_id=[asc.get_block_idx()])
        asc2.atomic_add(x, asc2.tensor(sum_ptr, [size]), [0])
        asc2.atomic_max(x, asc2.tensor(max_ptr, [size]), offsets=[0])
        asc2.atomic_min(x, asc2.tensor(min_ptr, [size]), offsets=[0])

    x = torch.randint(-20, 20, (4, 32)).to(dtype)
    total, most, least = torch.ones(32, dtype=dtype), torch.zeros(32, dtype=dtype), torch.zeros(32, dtype=dtype)
    accumulate[4](x, total, most, least, size=32)
    assert torch.equal(total, x.sum(0).to(dtype) + 1)
    assert torch.equal(most, x.amax(0).clamp(min=0)) and torch.equal(least, x.amin(0).clamp(max=0))


# Matrix multiplication: operands straight into L0, or through L1 in slices of K.


@asc2.jit(always_compile=True)
def matmul_kernel(a_ptr, b_ptr, c_ptr, m: asc.ConstExpr[int], n: asc.ConstExpr[int], k: asc.ConstExpr[int]):
    a = asc2.load(asc2.tensor(a_ptr, [m, k]), [m, k], offsets=[0, 0], location=asc2.TileLocation.L0A)
    b = asc2.load(asc2.tensor(b_ptr, [k, n]), [k, n], offsets=[0, 0], location=asc2.TileLocation.L0B)
    asc2.store(a @ b, asc2.tensor(c_ptr, [m, n]), offsets=[0, 0])


@pytest.mark.parametrize("m, n, k, dtype", [(16, 16, 16, torch.float16), (32, 64, 48, torch.bfloat16),
                                            (64, 128, 128, torch.float32)])
def test_matmul(m, n, k, dtype):
    a, b, c = uniform([m, k], -1, 1, dtype), uniform([k, n], -1, 1, dtype), torch.empty(m, n)
    matmul_kernel[1](a, b, c, m, n, k)
    assert torch.allclose(c, (a.double() @ b.double()).float(), rtol=1e-5, atol=1e-4)


@asc2.jit(always_compile=True)
def matmul_in_slices(a_ptr, b_ptr, c_ptr, m: asc.ConstExpr[int], n: asc.ConstExpr[int], k: asc.ConstExpr[int],
                     tile_m: asc.ConstExpr[int], tile_k: asc.ConstExpr[int], step: asc.ConstExpr[int]):
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(b_ptr, [k, n]), asc2.tensor(c_ptr, [m, n])
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tile_m), asc2.block_num()):
        acc = asc2.zeros_acc([tile_m, n], asc.float32)
        for j in asc2.range(asc.ceildiv(k, tile_k)):
            a_l1 = asc2.load(a_gm, [tile_m, tile_k], tile_id=[i, j], location=asc2.TileLocation.L1)
            b_l1 = asc2.load(b_gm, [tile_k, n], tile_id=[j, 0], location=asc2.TileLocation.L1)
            for s in asc2.range(0, tile_k, step):
                a_l0 = asc2.copy(a_l1, [tile_m, step], offsets=[0, s], location=asc2.TileLocation.L0A)
                b_l0 = asc2.copy(b_l1, [step, n], offsets=[s, 0], location=asc2.TileLocation.L0B)
                asc2.matmul_acc(a_l0, b_l0, acc)
        asc2.store(acc, c_gm, tile_id=[i, 0])


@pytest.mark.parametrize("m, n, k, tile_m, tile_k, step", [(480, 224, 1344, 48, 224, 32), (48, 32, 64, 16, 32, 16)])
def test_matmul_through_l1(m, n, k, tile_m, tile_k, step):
    a, b = uniform([m, k], -1, 1, torch.float16), uniform([k, n], -1, 1, torch.float16)
    c = torch.empty(m, n)
    matmul_in_slices[10](a, b, c, m, n, k, tile_m, tile_k, step)
    assert torch.allclose(c, a.float() @ b.float(), rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("relu", [False, True])
def test_results_pass_through_relu_and_cast(relu, dtype):
    @asc2.jit(always_compile=True)
    def layer(a_ptr, b_ptr, c_ptr, relu: asc.ConstExpr[bool]):
        a = asc2.load(asc2.tensor(a_ptr, [32, 64]), [32, 64], offsets=[0, 0], location=asc2.TileLocation.L0A)
        b = asc2.load(asc2.tensor(b_ptr, [64, 48]), [64, 48], offsets=[0, 0], location=asc2.TileLocation.L0B)
        c_gm = asc2.tensor(c_ptr, [32, 48])
        c = asc2.matmul(a, b)
        if relu:
            c = asc2.relu(c)
        asc2.store(c.to(c_gm.dtype), c_gm, offsets=[0, 0])

    a, b = uniform([32, 64], -1, 1, dtype), uniform([64, 48], -1, 1, dtype)
    c = torch.empty(32, 48, dtype=dtype)
    layer[1](a, b, c, relu)
    exact = a.double() @ b.double()
    expected = (exact.relu() if relu else exact).to(dtype)
    assert torch.allclose(c.float(), expected.float(), rtol=2**-7, atol=1e-3)


# Scalars and constants.


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
def test_leaky_relu_with_a_tensor_of_no_dimensions(dtype):
    @asc2.jit(always_compile=True)
    def leaky_relu(x_ptr, y_ptr, alpha, size, tile: asc.ConstExpr[int] = 64):
        x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
        for i in range(asc2.block_idx(), asc.ceildiv(size, tile), asc2.block_num()):
            x = asc2.load(x_gm, [tile], tile_id=[i])
            asc2.store(asc2.where(x >= 0, x, x * alpha), y_gm, tile_id=[i])

    x = uniform([300], -4.0, 4.0, dtype)
    alpha = torch.tensor(0.1, dtype=dtype)
    y = torch.empty_like(x)
    leaky_relu[8](x_ptr=x, y_ptr=y, alpha=alpha, size=x.numel())
    expected = torch.where(x >= 0, x.float(), x.float() * alpha.float()).to(dtype)
    assert torch.equal(y, expected)


@asc2.jit
def inner(x):
    return GELU_A * (x + GELU_B * x * x * x)


def test_gelu_with_module_constants_and_a_helper():
    @asc2.jit(vf_fusion=True)
    def gelu(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
        x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
        for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num(), unroll_factor=2, parallel=True):
            x = asc2.load(x_gm, [tile], tile_id=[i])
            asc2.store(0.5 * x * (1.0 + asc2.tanh(inner(x))), y_gm, tile_id=[i])

    x = uniform([5000], -6.0, 6.0)
    y = torch.empty_like(x)
    gelu[16](x, y, 5000, tile=256)
    assert torch.allclose(y, torch.nn.functional.gelu(x, approximate="tanh"), atol=1e-6, rtol=1e-5)


def test_rms_norm_in_two_passes_over_split_rows():
    @asc2.jit(always_compile=True)
    def rms_norm(x_ptr, g_ptr, y_ptr, rows, cols, eps, chunk: asc.ConstExpr[int]):
        x_gm, y_gm, g_gm = asc2.tensor(x_ptr, [rows, cols]), asc2.tensor(y_ptr, [rows, cols]), asc2.tensor(g_ptr, [1, cols])
        for row in asc2.range(asc2.block_idx(), rows, asc2.block_num()):
            total = asc.number(0.0, asc.float32)
            for c in asc2.range(asc.ceildiv(cols, chunk)):
                x = asc2.load(x_gm, [1, chunk], tile_id=[row, c])
                total = total + asc2.reduce_sum(x * x)
            scale = 1.0 / asc2.sqrt(total / cols.cast(asc.float32) + eps)
            for c in asc2.range(asc.ceildiv(cols, chunk)):
                x = asc2.load(x_gm, [1, chunk], tile_id=[row, c])
                g = asc2.load(g_gm, [1, chunk], tile_id=[0, c])
                asc2.store(x * scale * g, y_gm, tile_id=[row, c])

    x, g = uniform([5, 300], -2, 2), uniform([300])
    y = torch.empty_like(x)
    rms_norm[3](x, g, y, *x.shape, 1e-5, chunk=128)
    expected = x * g / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-5)
    assert torch.allclose(y, expected, rtol=1e-5, atol=1e-6)


def test_shapes_unpack():
    """The shape of a tensor is a sequence; its dynamic dimensions are runtime values."""
    @asc2.jit(always_compile=True)
    def add_rows(x_ptr, bias_ptr, y_ptr, rows, cols: asc.ConstExpr[int]):
        x_gm = asc2.tensor(x_ptr, [rows, cols])
        y_gm = asc2.tensor(y_ptr, [*x_gm.shape])
        bias = asc2.load(asc2.tensor(bias_ptr, [1, cols]), [1, cols], offsets=[0, 0])
        for i in range(y_gm.shape[0]):
            x = asc2.load(x_gm, [1, y_gm.shape[-1]], offsets=[i, 0])
            asc2.store(x + bias.broadcast_to(1, cols), y_gm, offsets=[i, 0])

    x, bias = uniform([7, 32]), uniform([32])
    y = torch.empty_like(x)
    add_rows[1](x, bias, y, *x.shape)
    assert torch.equal(y, x + bias)


def test_launches_are_independent_and_take_keywords():
    @asc2.jit
    def fill(out_ptr, value, size, tile: asc.ConstExpr[int] = 32):
        out = asc2.tensor(out_ptr, [size])
        for i in range(asc2.block_idx(), asc2.num_tiles(out, 0, [tile]), asc2.block_num()):
            asc2.store(asc2.full([tile], value), out, tile_id=[i])

    one, eight = fill[1], fill[8]
    a, b = torch.zeros(100), torch.zeros(100, dtype=torch.int32)
    eight(b, size=100, value=3, tile=16)
    one(a, 2.5, 100)
    assert (a == 2.5).all() and (b == 3).all()
