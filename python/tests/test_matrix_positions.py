"""Operations about positions of elements on every dtype and platform, against torch: transposes, gathers, sorting, sums of beginnings,
strided tensors, rows of global memory. Shapes of whole blocks and odd ones take different roads.
"""

import itertools

import pytest
import torch
from sheets import DTYPES, FLOATS, PLATFORMS, Sheet, assert_exact

import asc
import asc2
from asc.runtime import config


@pytest.fixture(params=PLATFORMS)
def platform(request):
    return request.param


def operand(shape, dtype, seed=0):
    """Distinct small numbers and equal ones, some negative."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(-60, 61, shape, generator=generator).to(DTYPES[dtype])


def arrays(sheet, name, x):
    sheet.inputs[name] = x
    return x


ARANGE = [("8", (8,)), ("3, 20", (3, 20)), ("-5, 60, 7", (-5, 60, 7)), ("10, -10, -3", (10, -10, -3)), ("127", (127,))]


@pytest.mark.parametrize("dtype", DTYPES)
def test_arange(platform, dtype):
    sheet = Sheet({"x": operand((8,), dtype)})
    for text, bounds in ARANGE:
        sheet.exact(f"asc2.arange({text}, dtype=asc.{dtype})", torch.arange(*bounds).to(DTYPES[dtype]))
    sheet.exact("asc2.arange(9)", torch.arange(9, dtype=torch.int32))
    sheet.near("asc2.arange(0.5, 3, 0.25)", torch.arange(0.5, 3, 0.25))
    sheet.run(platform)


TRANSPOSES = [((16, 32), (1, 0)), ((64, 48), (1, 0)), ((16, 16), (1, 0)), ((5, 7), (1, 0)), ((1, 9), (1, 0)), ((3, 40), (1, 0)),
              ((3, 16, 32), (0, 2, 1)), ((3, 4, 16), (1, 2, 0)), ((2, 3, 4, 5), (3, 1, 0, 2)), ((2, 1, 6), (2, 1, 0)), ((4, 6), (0, 1)),
              ((2, 3, 16), (1, 0, 2))]


@pytest.mark.parametrize("dtype", DTYPES)
def test_transposes(platform, dtype):
    sheet = Sheet({})
    for i, (shape, axes) in enumerate(TRANSPOSES):
        x = arrays(sheet, f"x{i}", operand(shape, dtype, i))
        sheet.exact(f"x{i}.transpose({', '.join(map(str, axes))})", x.permute(axes).contiguous())
        if axes == tuple(range(len(shape)))[::-1]:
            sheet.exact(f"x{i}.T", x.permute(axes).contiguous())
            sheet.exact(f"asc2.transpose(x{i}).T + 1", x + 1)
    sheet.exact("(x3 > 0).T.to(asc.int32)", (sheet.inputs["x3"] > 0).T.int().contiguous())
    sheet.run(platform)


def first(x, dim, best):
    """The first position of the largest (smallest) element; torch leaves open which of equal ones it gives."""
    hit = x == (torch.amax if best == "max" else torch.amin)(x, dim, keepdim=True)
    if x.is_floating_point():
        hit |= x.isnan()
    return hit.to(torch.uint8).argmax(dim).int()


POSITION_SHAPES = [(1,), (17,), (300,), (5, 32), (7, 9), (3, 5, 16)]


@pytest.mark.parametrize("dtype", DTYPES)
def test_argmax_and_argmin(platform, dtype):
    sheet = Sheet({})
    for i, shape in enumerate(POSITION_SHAPES):
        x = arrays(sheet, f"x{i}", operand(shape, dtype, i))
        if dtype in FLOATS and x.numel() > 40:
            x.view(-1)[torch.tensor([7, 11])] = torch.nan
            x.view(-1)[3] = torch.inf
        for best in ("max", "min"):
            sheet.exact(f"asc2.full([1], x{i}.arg{best}())", first(x.reshape(-1), 0, best).reshape(1))
            for dim in range(len(shape)):
                wanted = first(x, dim, best)
                if len(shape) > 1:
                    sheet.exact(f"asc2.arg{best}(x{i}, {dim})", wanted.contiguous())
                sheet.exact(f"x{i}.arg{best}({dim - len(shape)}, keep_dims=True)", wanted.unsqueeze(dim).contiguous())
    sheet.run(platform)


@pytest.mark.parametrize("dtype", DTYPES)
def test_cumsum(platform, dtype):
    """Whole numbers, so that the order of adding does not show."""
    sheet = Sheet({})
    for i, shape in enumerate([*POSITION_SHAPES, (40, 3), (2, 20, 5)]):
        x = arrays(sheet, f"x{i}", operand(shape, dtype, i))
        for dim in range(len(shape)):
            wide = x.double() if dtype in FLOATS else x.long()
            sheet.exact(f"x{i}.cumsum({dim})", wide.cumsum(dim).to(x.dtype))
    sheet.run(platform)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d != "int32"])
def test_sort_and_topk(platform, dtype):
    sheet = Sheet({})
    for i, shape in enumerate([(1,), (32,), (40,), (3, 64), (5, 7), (2, 130), (1, 1000)]):
        x = arrays(sheet, f"x{i}", operand(shape, dtype, i))
        if dtype in FLOATS and x.numel() > 30:
            x.view(-1)[torch.tensor([2, 5])] = torch.tensor([torch.inf, -torch.inf], dtype=x.dtype)
        for descending in (False, True):
            values, places = torch.sort(x, dim=-1, descending=descending, stable=True)
            sheet.exact(f"asc2.sort(x{i}, {descending})[0]", values)
            sheet.exact(f"x{i}.sort(descending={descending})[1]", places.int())
            k = min(5, shape[-1])
            sheet.exact(f"asc2.topk(x{i}, {k}, largest={descending})[0]", values[..., :k].contiguous())
            sheet.exact(f"x{i}.topk({k}, {descending})[1]", places[..., :k].int().contiguous())
    sheet.run(platform)


@pytest.mark.parametrize("dtype", DTYPES)
def test_gather_and_scatter(platform, dtype):
    """Along a dimension and in the whole tile; of equal positions the last one counts."""
    sheet = Sheet({})
    for i, shape in enumerate([(40,), (5, 7), (3, 32), (2, 3, 16)]):
        generator = torch.Generator().manual_seed(i)
        x = arrays(sheet, f"x{i}", operand(shape, dtype, i))
        flat = arrays(sheet, f"f{i}", torch.randint(0, x.numel(), (24,), generator=generator).int())
        source = arrays(sheet, f"s{i}", operand((24,), dtype, i + 9))
        sheet.exact(f"asc2.gather(x{i}, f{i})", x.reshape(-1)[flat.long()])
        put = x.reshape(-1).clone()
        for at, value in zip(flat.tolist(), source):
            put[at] = value
        sheet.exact(f"x{i}.scatter(f{i}, s{i})", put.reshape(shape))
        for dim, size in enumerate(shape):
            index = arrays(sheet, f"i{i}_{dim}", torch.rand(shape, generator=generator).argsort(dim).int())
            sheet.exact(f"x{i}.gather(i{i}_{dim}, {dim})", x.gather(dim, index.long()))
            sheet.exact(f"asc2.scatter(x{i}, i{i}_{dim}, x{i}, dim={dim})", x.scatter(dim, index.long(), x))
    sheet.run(platform)


@asc2.jit
def beyond(x_ptr, i_ptr, g_ptr, s_ptr, n: asc.ConstExpr[int]):
    x = asc2.load(asc2.tensor(x_ptr, [n]), [n], offsets=[0])
    i = asc2.load(asc2.tensor(i_ptr, [n]), [n], offsets=[0])
    asc2.store(x.gather(i), asc2.tensor(g_ptr, [n]), offsets=[0])
    asc2.store(x.scatter(i, x + 1), asc2.tensor(s_ptr, [n]), offsets=[0])


@pytest.mark.parametrize("dtype", DTYPES)
def test_positions_outside(platform, dtype):
    """0, or skipped; a large one must not wrap into the tile when it is multiplied."""
    config.set_platform("Model", platform)
    x = operand((16,), dtype)
    index = torch.tensor([0, -1, 16, 2**30, -(2**31), 2**31 - 1, 2**29, 15] * 2, dtype=torch.int32)
    gathered, scattered = torch.zeros_like(x), torch.zeros_like(x)
    beyond[1](x, index, gathered, scattered, 16)
    inside = (index >= 0) & (index < 16)
    assert_exact("gather", gathered, torch.where(inside, x[index.clamp(0, 15).long()], torch.zeros_like(x)))
    put = x.clone()
    for i in inside.nonzero().flatten().tolist():
        put[index[i]] = x[i] + 1
    assert_exact("scatter", scattered, put)


@asc2.jit
def strided(x_ptr, y_ptr, n, m, rows: asc.ConstExpr[int], cols: asc.ConstExpr[int], turn: asc.ConstExpr[int]):
    """One row less and one column more than there are: strides clip as shapes do."""
    if turn == 0:
        x, y = asc2.tensor(x_ptr, [n, m], strides=[m + 3, 1]), asc2.tensor(y_ptr, [n, m], strides=[1, n])
    elif turn == 1:
        x, y = asc2.tensor(x_ptr, [n, m], strides=[1, n + 3]), asc2.tensor(y_ptr, [n, m], strides=[m, 1])
    else:
        x, y = asc2.tensor(x_ptr, [n, m], strides=[3, 3 * n]), asc2.tensor(y_ptr, [n, m], strides=[2 * m, 2])
    tile = asc2.load(x, [rows, cols], offsets=[-1, 1], pad_value=5)
    asc2.store(tile, y, offsets=[-1, 1])
    asc2.store(asc2.load(x, offsets=[n - 1, 0]), y, offsets=[0, 0])


@pytest.mark.parametrize("turn", [0, 1, 2])
@pytest.mark.parametrize("dtype", DTYPES)
def test_strided_tensors(platform, dtype, turn):
    config.set_platform("Model", platform)
    n, m, rows, cols = 13, 21, 32, 32
    x = operand((2000,), dtype)
    y = torch.full((1200,), 7, dtype=DTYPES[dtype])
    from_strides = [(m + 3, 1), (1, n + 3), (3, 3 * n)][turn]
    to_strides = [(1, n), (m, 1), (2 * m, 2)][turn]
    wanted = y.clone()
    view, target = torch.as_strided(x, (n, m), from_strides), torch.as_strided(wanted, (n, m), to_strides)
    target[:, 1:] = view[:, 1:]
    target[0, 0] = view[n - 1, 0]
    with asc.check() as report:
        strided[1](x, y, n, m, rows, cols, turn)
    assert not report.findings, "\n".join(map(str, report.findings))
    assert_exact("strided", y, wanted)


@asc2.jit
def rows_by_number(x_ptr, i_ptr, y_ptr, z_ptr, n, width, column, rows: asc.ConstExpr[int], cols: asc.ConstExpr[int]):
    x = asc2.tensor(x_ptr, [n, width])
    numbers = asc2.load(asc2.tensor(i_ptr, [rows]), [rows], offsets=[0])
    tile = asc2.load_rows(x, numbers, cols, offset=column, pad_value=3)
    asc2.store(tile, asc2.tensor(y_ptr, [rows, cols]), offsets=[0, 0])
    asc2.store_rows(tile, asc2.tensor(z_ptr, [n, width]), numbers, offset=column)


@pytest.mark.parametrize("column", [0, 5, -3])
@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_by_number(platform, dtype, column):
    """Rows that exist and rows that do not, and columns beyond both ends."""
    config.set_platform("Model", platform)
    n, width, cols = 11, 40, 32
    numbers = torch.tensor([3, 10, 0, -1, 11, 7, 2**31 - 1], dtype=torch.int32)
    x = operand((n, width), dtype)
    y, z = torch.zeros((len(numbers), cols), dtype=x.dtype), torch.full_like(x, 9)
    with asc.check() as report:
        rows_by_number[1](x, numbers, y, z, n, width, column, len(numbers), cols)
    assert not report.findings, "\n".join(map(str, report.findings))
    wanted, stored = torch.full_like(y, 3), torch.full_like(x, 9)
    for (i, row), c in itertools.product(enumerate(numbers.tolist()), range(cols)):
        if 0 <= row < n and 0 <= c + column < width:
            wanted[i, c] = stored[row, c + column] = x[row, c + column]
    assert_exact("loaded", y, wanted)
    assert_exact("stored", z, stored)


@asc2.jit
def turned_products(a_ptr, b_ptr, c0, c1, c2, m: asc.ConstExpr[int], n: asc.ConstExpr[int], k: asc.ConstExpr[int]):
    """a lies as k x m, b as n x k: transposed tiles, strided tensors, and strided tensors loaded to L0."""
    L0A, L0B = asc2.TileLocation.L0A, asc2.TileLocation.L0B
    a = asc2.load(asc2.tensor(a_ptr, [k, m]), [k, m], offsets=[0, 0])
    b = asc2.load(asc2.tensor(b_ptr, [n, k]), [n, k], offsets=[0, 0])
    asc2.store(a.T @ b.T, asc2.tensor(c0, [m, n]), offsets=[0, 0])
    a_gm, b_gm = asc2.tensor(a_ptr, [m, k], strides=[1, m]), asc2.tensor(b_ptr, [k, n], strides=[1, k])
    asc2.store(asc2.load(a_gm, [m, k], offsets=[0, 0]) @ asc2.load(b_gm, [k, n], offsets=[0, 0]), asc2.tensor(c1, [m, n]), offsets=[0, 0])
    acc = asc2.zeros_acc([m, n], asc.float32)
    for _ in range(2):
        left = asc2.load(a_gm, [m, k], offsets=[0, 0], location=L0A)
        asc2.matmul_acc(left, asc2.load(b_gm, [k, n], offsets=[0, 0], location=L0B), acc)
    asc2.store(acc, asc2.tensor(c2, [m, n]), offsets=[0, 0])


@pytest.mark.parametrize("m, n, k", [(16, 16, 16), (32, 48, 64), (48, 32, 40), (16, 16, 72), (64, 128, 128), (112, 192, 208)])
@pytest.mark.parametrize("dtype", FLOATS)
def test_products_of_turned_operands(platform, dtype, m, n, k):
    """Small integers: every order of adding gives the same bits. The last size is done in steps."""
    if dtype != "float32" and k % 16:
        k += 8
    config.set_platform("Model", platform)
    a, b = operand((k, m), dtype) // 8, operand((n, k), dtype, 1) // 8
    results = [torch.full((m, n), 77.0) for _ in range(3)]
    with asc.check() as report:
        turned_products[1](a, b, *results, m, n, k)
    assert not report.findings, "\n".join(map(str, report.findings))
    product = a.float().T @ b.float().T
    for late in ("consumers", "producers"):
        again = [torch.full((m, n), 77.0) for _ in range(3)]
        with asc.launch_mode(late=late):
            turned_products[1](a, b, *again, m, n, k)
        assert all(torch.equal(x, y) for x, y in zip(results, again)), f"other bytes with late={late}"
    for result, expected in zip(results, [product, product, 2 * product]):
        assert torch.equal(result, expected)


