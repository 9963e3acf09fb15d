"""Edges of the matrix unit against NumPy, on both platforms, clean in checked mode.

Elements are small integers, so that products are exact whatever the order of sums.
"""

import asc
import asc2
import numpy as np
import pytest
import torch
from asc.codegen.errors import CodegenError
from asc.runtime import config
from frontend import error_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]
L1, L0A, L0B = asc2.TileLocation.L1, asc2.TileLocation.L0A, asc2.TileLocation.L0B

few = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True, params=PLATFORMS)
def platform(request):
    config.set_platform(config.Backend.Model, request.param)
    return request.param


def run(kernel, *args, blocks=1):
    with asc.check() as report:
        kernel[blocks](*args)
    assert not report.findings, "\n".join(map(str, report.findings))


def numbers(shape, dtype="float16", seed=0):
    values = np.random.default_rng(seed).integers(-3, 4, shape)
    return torch.from_numpy(values).to(getattr(torch, dtype))


def window(tensor, offsets, shape, pad=0.0):
    """The tile at `offsets`, as load defines it."""
    out = np.full(shape, pad)
    source = tensor.to(torch.float64).numpy()
    inside = [slice(max(0, -o), max(max(0, -o), min(n, d - o))) for o, n, d in zip(offsets, shape, source.shape)]
    at = tuple(slice(s.start + o, s.stop + o) for s, o in zip(inside, offsets))
    out[tuple(inside)] = source[at]
    return out


def put(out, value, offsets):
    """Stores as store defines it."""
    for index in np.ndindex(*value.shape):
        at = tuple(i + o for i, o in zip(index, offsets))
        if all(0 <= p < d for p, d in zip(at, out.shape)):
            out[at] = value[index]


@asc2.jit
def product(a_ptr, b_ptr, c_ptr, ar, ac, br, bc, cr, cc, a_shape: asc.ConstExpr, b_shape: asc.ConstExpr,
            c_shape: asc.ConstExpr, m: asc.ConstExpr[int], k: asc.ConstExpr[int], n: asc.ConstExpr[int]):
    a = asc2.load(asc2.tensor(a_ptr, a_shape), [m, k], offsets=[ar, ac])
    b = asc2.load(asc2.tensor(b_ptr, b_shape), [k, n], offsets=[br, bc], location=L0B)
    asc2.store(a @ b, asc2.tensor(c_ptr, c_shape), offsets=[cr, cc])


SIZES = [("float16", 16, 16, 16), ("float16", 33, 48, 32), ("bfloat16", 7, 16, 48), ("float32", 20, 24, 40),
         ("float32", 1, 8, 16)]


@pytest.mark.parametrize("dtype, m, k, n", SIZES)
@few
@given(data=st.data())
def test_operands_and_results_are_clipped_on_every_side(dtype, m, k, n, data):
    """Rows before and behind the tensor, columns behind it at any element, before it by whole blocks, inner ones by any."""
    block = 32 // getattr(torch, dtype).itemsize
    rows = lambda tile, extent: data.draw(st.integers(-tile - 1, extent + 1))
    before = lambda tile, unit: st.integers(-tile // unit - 1, 0).map(lambda i: i * unit)
    cols = lambda tile, extent, unit: data.draw(st.one_of(st.integers(0, extent + 1), before(tile, unit)))
    a, b, c = numbers((29, 41), dtype), numbers((37, 45), dtype, 1), np.full((31, 43), 99, np.float32)
    oa = rows(m, 29), cols(k, 41, 1)
    ob = rows(k, 37), cols(n, 45, block)
    oc = rows(m, 31), cols(n, 43, 16)
    expected = c.copy()
    put(expected, window(a, oa, (m, k)) @ window(b, ob, (k, n)), oc)
    run(product, a, b, c, *oa, *ob, *oc, list(a.shape), list(b.shape), list(c.shape), m, k, n)
    np.testing.assert_array_equal(c, expected)


def test_columns_inside_a_block_before_the_tensor_are_refused():
    """The chip moves whole blocks: what it cannot do is said, never computed from the neighbouring row."""
    @asc2.jit
    def known(a_ptr, c_ptr):
        a = asc2.tensor(a_ptr, [32, 32])
        left = asc2.load(a, [16, 16], offsets=[0, 0], location=L0A)
        right = asc2.load(a, [16, 16], offsets=[4, -3], location=L0B)
        asc2.store(left @ right, asc2.tensor(c_ptr, [16, 16]), offsets=[0, 0])

    a, c = numbers((32, 32)), np.zeros((16, 16), np.float32)
    with pytest.raises(CodegenError, match="can start before its tensor by a multiple of 16 columns only, not by 3"):
        known[1](a, c)
    with pytest.raises(Exception, match="align"):
        product[1](a, a, c, 0, 0, 4, -3, 0, 0, [32, 32], [32, 32], [16, 16], 16, 16, 16)
    with pytest.raises(Exception, match="align"):
        product[1](a, a, c, 0, 0, 0, 0, 4, -3, [32, 32], [32, 32], [16, 16], 16, 16, 16)


def test_padding_of_matrices():
    @asc2.jit
    def kernel(a_ptr, b_ptr, c_ptr):
        a = asc2.load(asc2.tensor(a_ptr, [20, 32]), [32, 48], offsets=[-5, 0], location=L1, pad_value=2)
        b = asc2.load(asc2.tensor(b_ptr, [48, 16]), [48, 16], offsets=[0, 0], location=L0B)
        asc2.store(asc2.copy(a, location=L0A) @ b, asc2.tensor(c_ptr, [32, 16]), offsets=[0, 0])

    a, b, c = numbers((20, 32)), numbers((48, 16), seed=1), np.zeros((32, 16), np.float32)
    run(kernel, a, b, c)
    np.testing.assert_array_equal(c, window(a, (-5, 0), (32, 48), 2) @ b.double().numpy())


def test_padding_inside_a_block_is_refused():
    @asc2.jit
    def kernel(a_ptr, c_ptr):
        a = asc2.tensor(a_ptr, [20, 20])
        tile = asc2.load(a, [32, 32], offsets=[0, 0], location=L0A, pad_value=2)
        asc2.store(tile @ asc2.load(a, [32, 32], offsets=[0, 0], location=L0B), asc2.tensor(c_ptr, [32, 32]), offsets=[0, 0])

    with pytest.raises(CodegenError, match="the rest of a block of 16 columns is padded with 0 on the way to L1"):
        kernel[1](numbers((20, 20)), np.zeros((32, 32), np.float32))


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_operands_from_tensors_of_higher_rank(dtype):
    @asc2.jit
    def kernel(a_ptr, b_ptr, c_ptr, batch):
        a_gm, b_gm = asc2.tensor(a_ptr, [batch, 2, 20, 32]), asc2.tensor(b_ptr, [batch, 32, 24])
        c_gm = asc2.tensor(c_ptr, [batch, 20, 24])
        for i in range(batch + 1):
            a = asc2.load(a_gm, [1, 1, 32, 32], offsets=[i, 1, 0, 0]).reshape(32, 32)
            b = asc2.load(b_gm, [1, 32, 32], offsets=[i, 0, 0], location=L0B).squeeze(0)
            asc2.store((a @ b).reshape(1, 32, 32), c_gm, offsets=[i, 0, 0])

    a, b, c = numbers((3, 2, 20, 32), dtype), numbers((3, 32, 24), dtype, 1), np.zeros((3, 20, 24), np.float32)
    run(kernel, a, b, c, 3)
    np.testing.assert_array_equal(c, np.matmul(a[:, 1].double().numpy(), b.double().numpy()))


def test_tensor_wider_than_one_copy_takes():
    """Rows of more than 65535 elements do not fit the row length of a copy on the 910B."""
    a, c = torch.zeros((20, 70000), dtype=torch.float16), np.zeros((16, 16), np.float32)
    a[:, 69984:] = numbers((20, 16))
    run(product, a, a, c, 3, 69984, 1, 69984, 0, 0, [20, 70000], [20, 70000], [16, 16], 16, 16, 16)
    np.testing.assert_array_equal(c, window(a, (3, 69984), (16, 16)) @ window(a, (1, 69984), (16, 16)))


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@few
@given(row=st.integers(0, 27), other=st.integers(0, 27))
def test_parts_of_a_matrix_start_at_any_row(dtype, row, other):
    @asc2.jit
    def kernel(a_ptr, b_ptr, c_ptr, row, other):
        a = asc2.load(asc2.tensor(a_ptr, [40, 32]), [40, 32], offsets=[0, 0], location=L1)
        b = asc2.load(asc2.tensor(b_ptr, [40, 32]), [40, 32], offsets=[0, 0], location=L1)
        left = asc2.copy(a, [13, 16], offsets=[row, 16], location=L0A)
        right = asc2.copy(b, [16, 16], offsets=[other % 25, 16], location=L0B)
        asc2.store(left @ right, asc2.tensor(c_ptr, [13, 16]), offsets=[0, 0])

    a, b, c = numbers((40, 32), dtype), numbers((40, 32), dtype, 1), np.zeros((13, 16), np.float32)
    run(kernel, a, b, c, row, other)
    other %= 25
    np.testing.assert_array_equal(c, a.double().numpy()[row : row + 13, 16:] @ b.double().numpy()[other : other + 16, 16:])


@pytest.mark.parametrize("steps", [0, 1, 5])
@pytest.mark.parametrize("threshold", [-1, 2, 9])
def test_accumulation_under_conditions(steps, threshold):
    """An accumulator nothing was added to holds zeros, in whatever branch or loop that happened."""
    @asc2.jit
    def kernel(a_ptr, b_ptr, c_ptr, steps, threshold):
        a_gm, b_gm = asc2.tensor(a_ptr, [16, 80]), asc2.tensor(b_ptr, [80, 32])
        acc, empty = asc2.zeros_acc([16, 32], asc.float32), asc2.zeros_acc([16, 32], asc.float32)
        for i in range(steps):
            a = asc2.load(a_gm, [16, 16], tile_id=[0, i], location=L0A)
            b = asc2.load(b_gm, [16, 32], tile_id=[i, 0], location=L0B)
            if i > threshold:
                asc2.matmul_acc(a, b, acc)
        asc2.store(acc, asc2.tensor(c_ptr, [32, 32]), offsets=[0, 0])
        asc2.store(empty, asc2.tensor(c_ptr, [32, 32]), offsets=[16, 0])

    a, b, c = numbers((16, 80)), numbers((80, 32), seed=1), np.ones((32, 32), np.float32)
    run(kernel, a, b, c, steps, threshold)
    x, y = a.double().numpy(), b.double().numpy()
    taken = [i for i in range(steps) if i > threshold]
    expected = sum((x[:, 16 * i : 16 * i + 16] @ y[16 * i : 16 * i + 16] for i in taken), np.zeros((16, 32)))
    np.testing.assert_array_equal(c[:16], expected)
    assert not c[16:].any()


@pytest.mark.parametrize("condition", [0, 1])
def test_accumulation_in_one_branch(condition):
    """The branch that adds nothing hands on the same accumulator, and an equal one is not the same."""
    @asc2.jit
    def kernel(a_ptr, c_ptr, condition):
        a_gm, c_gm = asc2.tensor(a_ptr, [16, 16]), asc2.tensor(c_ptr, [32, 16])
        acc, empty = asc2.zeros_acc([16, 16], asc.float32), asc2.zeros_acc([16, 16], asc.float32)
        if condition > 0:
            asc2.matmul_acc(asc2.load(a_gm, [16, 16], offsets=[0, 0], location=L0A),
                            asc2.load(a_gm, [16, 16], offsets=[0, 0], location=L0B), acc)
        asc2.matmul_acc(asc2.load(a_gm, [16, 16], offsets=[0, 0], location=L0A),
                        asc2.load(a_gm, [16, 16], offsets=[0, 0], location=L0B), acc)
        asc2.store(acc, c_gm, offsets=[0, 0])
        asc2.store(empty, c_gm, offsets=[16, 0])

    a, c = numbers((16, 16)), np.ones((32, 16), np.float32)
    run(kernel, a, c, condition)
    x = a.double().numpy()
    np.testing.assert_array_equal(c[:16], (1 + condition) * (x @ x))
    assert not c[16:].any()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("m, k, n, p", [(16, 16, 16, 16), (20, 32, 24, 48)])
def test_result_as_the_next_operand(dtype, m, k, n, p):
    @asc2.jit
    def kernel(a_ptr, b_ptr, d_ptr, out_ptr, m: asc.ConstExpr, k: asc.ConstExpr, n: asc.ConstExpr, p: asc.ConstExpr):
        out_gm = asc2.tensor(out_ptr, [m, p])
        a = asc2.load(asc2.tensor(a_ptr, [m, k]), [m, k], offsets=[0, 0], location=L0A)
        b = asc2.load(asc2.tensor(b_ptr, [k, n]), [k, (n + 15) // 16 * 16], offsets=[0, 0], location=L0B)
        d = asc2.load(asc2.tensor(d_ptr, [n, p]), [(n + 15) // 16 * 16, p], offsets=[0, 0], location=L0B)
        middle = asc2.copy(asc2.relu(a @ b).to(out_gm.dtype), location=L1)
        asc2.store((asc2.copy(middle, location=L0A) @ d).to(out_gm.dtype), out_gm, offsets=[0, 0])

    a, b, d = numbers((m, k), dtype), numbers((k, n), dtype, 1), numbers((n, p), dtype, 2)
    out = torch.zeros((m, p), dtype=getattr(torch, dtype))
    run(kernel, a, b, d, out, m, k, n, p)
    middle = torch.relu(a.float() @ b.float()).to(out.dtype)
    assert torch.equal(out, (middle.float() @ d.float()).to(out.dtype))


@asc2.jit
def int8_product(a_ptr, b_ptr, c_ptr, m: asc.ConstExpr, k: asc.ConstExpr, n: asc.ConstExpr, tile_m: asc.ConstExpr, tile_k: asc.ConstExpr,
                 tile_n: asc.ConstExpr, turned_a: asc.ConstExpr, turned_b: asc.ConstExpr):
    """Loads of tiles that may be turned, sums in an accumulator over k, tails in every direction."""
    a_gm, b_gm = asc2.tensor(a_ptr, [k, m] if turned_a else [m, k]), asc2.tensor(b_ptr, [n, k] if turned_b else [k, n])
    c_gm = asc2.tensor(c_ptr, [m, n])
    columns = asc.ceildiv(n, tile_n)
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tile_m) * columns, asc2.block_num()):
        row, column = i // columns * tile_m, i % columns * tile_n
        acc = asc2.zeros_acc([tile_m, tile_n], asc.int32)
        for j in asc2.range(asc.ceildiv(k, tile_k)):
            if turned_a:
                a = asc2.load(a_gm, [tile_k, tile_m], offsets=[j * tile_k, row]).T
            else:
                a = asc2.load(a_gm, [tile_m, tile_k], offsets=[row, j * tile_k])
            if turned_b:
                b = asc2.load(b_gm, [tile_n, tile_k], offsets=[column, j * tile_k]).T
            else:
                b = asc2.load(b_gm, [tile_k, tile_n], offsets=[j * tile_k, column])
            asc2.matmul_acc(a, b, acc)
        asc2.store(acc, c_gm, offsets=[row, column])


@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("shape, tile", [((32, 32, 32), (32, 32, 32)), ((33, 70, 50), (16, 32, 64)), ((1, 300, 17), (1, 96, 32)),
                                         ((100, 640, 200), (48, 128, 96)), ((64, 2048, 272), (64, 1024, 288))])
def test_int8_products(shape, tile, turned):
    """Bytes lie in fractals of 32 inner elements and are turned in squares of 32: tiles of 16 more are where that goes wrong."""
    m, k, n = shape
    if turned[0]:
        tile = (-(-tile[0] // 32) * 32, *tile[1:])  # rows of tiles are multiples of 32 bytes
    random = np.random.default_rng(1)
    a, b = random.integers(-128, 128, (m, k), np.int8), random.integers(-128, 128, (k, n), np.int8)
    a[0], b[:, 0] = -128, -128  # the largest sum there is
    c = np.full((m, n), 7, np.int32)
    for blocks in (1, 3):
        run(int8_product, np.ascontiguousarray(a.T) if turned[0] else a, np.ascontiguousarray(b.T) if turned[1] else b, c, m, k, n,
            *tile, *turned, blocks=blocks)
        np.testing.assert_array_equal(c, a.astype(np.int32) @ b.astype(np.int32))


@asc2.jit
def int8_ends(a_ptr, b_ptr, c_ptr, d_ptr, scale_ptr, row, column, threshold):
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [40, 64]), asc2.tensor(b_ptr, [64, 50]), asc2.tensor(c_ptr, [40, 50])
    acc = asc2.zeros_acc([48, 64], asc.int32)
    if threshold > 0:
        a = asc2.load(a_gm, [48, 64], offsets=[row, 0])
        asc2.matmul_acc(a, asc2.load(b_gm, [64, 64], offsets=[0, column]), acc)
    scale = asc2.load(asc2.tensor(scale_ptr, [50]), [64], offsets=[column])
    asc2.store((acc.to(asc.float32) * scale).to(asc.float16), asc2.tensor(d_ptr, [40, 50]), offsets=[row, column])
    asc2.atomic_add(acc, c_gm, offsets=[row, column])


@pytest.mark.parametrize("row, column, threshold", [(0, 0, 1), (-5, -32, 1), (10, 32, 1), (0, 0, 0)])
def test_int8_results_go_through_vectors_and_into_sums(row, column, threshold):
    """Zeros where nothing was added, tiles beyond every side, scales by column, sums in memory."""
    random = np.random.default_rng(2)
    a, b = random.integers(-9, 9, (40, 64), np.int8), random.integers(-9, 9, (64, 50), np.int8)
    c, d = np.full((40, 50), 3, np.int32), np.full((40, 50), 3, np.float16)
    scale = (np.arange(50) % 4).astype(np.float32)
    run(int8_ends, a, b, c, d, scale, row, column, threshold)
    product = a.astype(np.int32) @ b.astype(np.int32) * threshold
    sums, scaled = np.full((40, 50), 3, np.int32), np.full((40, 50), 3, np.float16)
    rows, columns = slice(max(row, 0), row + 48), slice(max(column, 0), column + 64)
    sums[rows, columns] += product[rows, columns]
    scaled[rows, columns] = (product * scale)[rows, columns]
    np.testing.assert_array_equal(c, sums)
    np.testing.assert_array_equal(d, scaled)


@asc2.jit
def int8_chain(a_ptr, x_ptr, b_ptr, c_ptr, d_ptr):
    a, b = asc2.load(asc2.tensor(a_ptr, [40, 64]), [48, 64], offsets=[0, 0]), asc2.load(asc2.tensor(b_ptr, [64, 50]), [64, 64], offsets=[0, 0])
    asc2.store(asc2.relu(a @ b).to(asc.int8), asc2.tensor(c_ptr, [40, 50]), offsets=[0, 0])
    x = asc2.load(asc2.tensor(x_ptr, [40, 64]), [48, 64], offsets=[0, 0]).to(asc.int8)
    total = asc2.zeros([48, 64], asc.int32)
    for i in asc2.range(4):
        if i == 1:
            continue
        total = total + x @ b
    asc2.store((total - a @ b).to(asc.float32), asc2.tensor(d_ptr, [40, 50]), offsets=[0, 0])


def test_int8_on_both_kinds_of_cores():
    """relu and conversions the way out of L0C does not have, bytes that vectors made, sums that a loop carries."""
    random = np.random.default_rng(3)
    a, b = random.integers(-128, 128, (40, 64), np.int8), random.integers(-128, 128, (64, 50), np.int8)
    x, c, d = random.uniform(-100, 100, (40, 64)).astype(np.float16), np.zeros((40, 50), np.int8), np.zeros((40, 50), np.float32)
    run(int8_chain, a, x, b, c, d)
    first = a.astype(np.int32) @ b
    np.testing.assert_array_equal(c, np.maximum(first, 0).astype(np.int8))
    np.testing.assert_array_equal(d, 3 * (np.trunc(x).astype(np.int32) @ b) - first)


def test_int8_is_padded_with_zeros_only():
    @asc2.jit
    def kernel(a_ptr, c_ptr):
        a = asc2.load(asc2.tensor(a_ptr, [32, 32]), [32, 32], offsets=[0, 0], pad_value=1)
        asc2.store(a @ a, asc2.tensor(c_ptr, [32, 32]), offsets=[0, 0])

    with pytest.raises(CodegenError, match="is padded with 0 on the way to L1: no instruction fills it with other bytes"):
        kernel[1](np.zeros((32, 32), np.int8), np.zeros((32, 32), np.int32))


@asc2.jit
def batches(a_ptr, b_ptr, c_ptr, s_ptr, a_shape: asc.ConstExpr, a_tile: asc.ConstExpr, b_shape: asc.ConstExpr, b_tile: asc.ConstExpr,
            c_shape: asc.ConstExpr, turned: asc.ConstExpr, vectors: asc.ConstExpr):
    a = asc2.load(asc2.tensor(a_ptr, a_shape), a_tile, offsets=[0] * len(a_shape))
    b = asc2.load(asc2.tensor(b_ptr, b_shape), b_tile, offsets=[0] * len(b_shape))
    if turned:
        b = b.transpose(*range(len(b_shape) - 2), len(b_shape) - 1, len(b_shape) - 2)
    c = a @ b
    asc2.store(asc2.relu(c).to(asc.float16), asc2.tensor(c_ptr, c_shape), offsets=[0] * len(c_shape))
    if vectors:  # and once more, through the vector cores
        asc2.store(asc2.exp(c) + asc2.reduce_max(c, len(c_shape) - 1, keep_dims=True), asc2.tensor(s_ptr, c_shape),
                   offsets=[0] * len(c_shape))


@pytest.mark.parametrize("vectors", [False, True])
@pytest.mark.parametrize("a_shape, a_tile, b_shape, b_tile, turned", [
    ((3, 16, 32), (3, 16, 32), (3, 32, 16), (3, 32, 16), False), ((2, 3, 17, 20), (2, 3, 17, 32), (3, 20, 16), (3, 32, 16), False),
    ((2, 1, 16, 16), (2, 1, 16, 16), (1, 3, 32, 16), (1, 3, 32, 16), True), ((1, 8, 16), (1, 8, 16), (16, 48), (16, 48), False),
    ((32, 16), (32, 16), (2, 16, 16), (2, 16, 16), False), ((1, 16, 16), (2, 16, 16), (1, 16, 16), (2, 16, 16), True)])
def test_batches_of_products(a_shape, a_tile, b_shape, b_tile, turned, vectors):
    a, b = numbers(a_shape), numbers(b_shape, seed=1) * 0.25
    expected = a.double() @ (b.double().transpose(-1, -2) if turned else b.double())
    c, s = torch.zeros(expected.shape, dtype=torch.float16), torch.zeros(expected.shape)
    run(batches, a, b, c, s, a_shape, a_tile, b_shape, b_tile, tuple(expected.shape), turned, vectors)
    assert torch.equal(c, torch.relu(expected).half())
    if vectors:
        torch.testing.assert_close(s, (torch.exp(expected) + expected.amax(-1, keepdim=True)).float(), rtol=1e-5, atol=1e-5)


@asc2.jit
def computed_batches(x_ptr, y_ptr, n):
    x = asc2.load(asc2.tensor(x_ptr, [n, 16, 32]), [4, 16, 32], offsets=[0, 0, 0])
    scores = x @ x.transpose(0, 2, 1)
    e = asc2.exp(scores * 0.25 - asc2.reduce_max(scores, 2, keep_dims=True) * 0.25)
    p = (e / asc2.reduce_sum(e, 2, keep_dims=True)).to(asc.float16)
    asc2.store(p @ x, asc2.tensor(y_ptr, [n, 16, 32]), offsets=[0, 0, 0])


@pytest.mark.parametrize("n", [4, 3])
def test_batches_of_attention(n):
    """Operands that vectors made, in a tile of all batches; the last batch may lie outside."""
    x = torch.from_numpy(np.random.default_rng(1).uniform(-1, 1, (n, 16, 32))).half()
    y = torch.zeros((n, 16, 32))
    run(computed_batches, x, y, n)
    p = torch.softmax(x.double() @ x.double().transpose(1, 2) / 4, -1)
    torch.testing.assert_close(y.double(), p @ x.double(), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("expression, message", [
    ("asc2.zeros([3, 4, 4], asc.float16) @ asc2.zeros([2, 4, 4], asc.float16)",
     "the dimensions before the last two of [3, 4, 4] @ [2, 4, 4] do not go together"),
    ("asc2.zeros([300, 4, 4], asc.float16) @ asc2.zeros([4, 4], asc.float16)",
     "[300, 4, 4] @ [4, 4] is 300 products in one, which are written out; at most 256 can be"),
    ("asc2.matmul_acc(asc2.zeros([2, 4, 4], asc.float16), asc2.zeros([4, 4], asc.float16), asc2.zeros_acc([4, 4], asc.float32))",
     "an accumulator takes one product, not the [2, 4, 4] of several"),
    ("asc2.matmul_acc(asc2.zeros([4, 4], asc.int8), asc2.zeros([4, 4], asc.int8), asc2.zeros_acc([4, 4], asc.float32))",
     "the accumulator of a product [4, 4] cannot be"),
])
def test_what_batches_and_bytes_cannot_be(expression, message):
    assert message in str(error_of(f"y = {expression}"))


@asc2.jit
def unrolled_product(a_ptr, b_ptr, c_ptr, m, n, k, tile: asc.ConstExpr[int], outer: asc.ConstExpr[int],
                     inner: asc.ConstExpr[int]):
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(b_ptr, [k, n]), asc2.tensor(c_ptr, [m, n])
    columns = asc.ceildiv(n, tile)
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tile) * columns, asc2.block_num(), unroll_factor=outer):
        acc = asc2.zeros_acc([tile, tile], asc.float32)
        for j in asc2.range(asc.ceildiv(k, tile), unroll_factor=inner):
            a = asc2.load(a_gm, [tile, tile], tile_id=[i // columns, j], location=L0A)
            b = asc2.load(b_gm, [tile, tile], tile_id=[j, i % columns], location=L0B)
            asc2.matmul_acc(a, b, acc)
        asc2.store(acc, c_gm, tile_id=[i // columns, i % columns])


@pytest.mark.parametrize("outer, inner", [(2, 2), (3, 2), (4, 4)])
def test_unrolled_loops_share_the_few_flags(outer, inner):
    """With ten times more dependencies than flags, tokens are merged and rings given up: the order must still hold."""
    m, n, k, tile = 70, 100, 150, 16
    a, b, c = numbers((m, k)), numbers((k, n), seed=1), torch.empty((m, n))
    expected = (a.double() @ b.double()).float()
    run(unrolled_product, a, b, c, m, n, k, tile, outer, inner, blocks=2)
    assert torch.equal(c, expected)
    for late in ("consumers", "producers"):
        c.fill_(-1)
        with asc.launch_mode(late=late):
            unrolled_product[2](a, b, c, m, n, k, tile, outer, inner)
        assert torch.equal(c, expected), late


@asc2.jit
def tiles_of_rows(a_ptr, b_ptr, c_ptr, rows):
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [rows, 32]), asc2.tensor(b_ptr, [32, 16]), asc2.tensor(c_ptr, [rows, 16])
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(rows, 16), asc2.block_num()):
        acc = asc2.zeros_acc([16, 16], asc.float32)
        a = asc2.load(a_gm, [16, 32], tile_id=[i, 0], location=L0A)
        b = asc2.load(b_gm, [32, 16], tile_id=[0, 0], location=L0B)
        asc2.matmul_acc(a, b, acc)
        asc2.store(acc, c_gm, tile_id=[i, 0])


def test_idle_blocks_of_a_matrix_kernel_are_cube_cores():
    """Blocks without a tile only prime and drain their flags; `check` took them for vector cores, which have none of these flags."""
    a, b, c = numbers((40, 32)), numbers((32, 16), seed=1), torch.zeros(40, 16)
    run(tiles_of_rows, a, b, c, 40, blocks=7)
    assert torch.equal(c, a.float() @ b.float())
