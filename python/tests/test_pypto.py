"""Programs of PyPTO against torch: forms of programs, operations on all dtypes, tails, tiles, errors."""

import os
import random
from datetime import date

import pytest
import torch

import asc
import pypto
from pypto_checks import PLATFORMS, nan, platform, run  # noqa: F401

F32, F16, BF16 = pypto.DT_FP32, pypto.DT_FP16, pypto.DT_BF16
RANDOM = random.Random(date.today().toordinal())  # other cases each day, the same in all processes of a run


@pypto.frontend.jit
def add_kernel(
    x: pypto.Tensor([64, 256], pypto.DT_FP32), z: pypto.Tensor([64, 256], pypto.DT_FP32), y: pypto.Tensor([64, 256], pypto.DT_FP32)
):
    pypto.set_vec_tile_shapes(16, 256)
    y[:] = x + z


def test_a_sum_of_whole_tensors_is_right_and_clean():
    x, z, y = torch.randn(64, 256), torch.randn(64, 256), nan(64, 256)
    run(add_kernel, x, z, y)
    assert torch.equal(y, x + z)


@pypto.frontend.jit(runtime_options={"run_mode": pypto.RunMode.NPU})
def scale_rows(
    x: pypto.Tensor([pypto.DYNAMIC, 256], pypto.DT_FP32),
    s: pypto.Tensor([1, 256], pypto.DT_FP32),
    y: pypto.Tensor([pypto.DYNAMIC, 256], pypto.DT_FP32),
    rows: int,
):
    pypto.set_vec_tile_shapes(16, 256)
    n = x.shape[0]
    for i in pypto.loop((n + rows - 1) // rows):
        left = (n - i * rows).min(rows)
        part = pypto.view(x, [rows, 256], [i * rows, 0], valid_shape=[left, 256])
        y[i * rows :, 0:] = pypto.exp(part) * s


@pytest.mark.parametrize("count", [1, 63, 64, 65, 200])
def test_loops_over_dynamic_rows_clip_their_tails(count):
    x, s = torch.randn(count, 256), torch.randn(1, 256)
    memory = nan(count + 8, 256)
    y = memory[:count]
    run(scale_rows, x, s, y, 64)
    torch.testing.assert_close(y, torch.exp(x) * s, rtol=1e-5, atol=1e-6)
    assert memory[count:].isnan().all()  # what lies behind the valid rows is not touched


def test_a_dynamic_axis_costs_no_compile():
    import _tilesmith

    x, s = torch.randn(16, 256), torch.randn(1, 256)
    scale_rows(x, s, nan(16, 256), 32)
    before = _tilesmith.compilations()
    for count in (3, 17, 100):
        scale_rows(torch.randn(count, 256), s, nan(count, 256), 32)
    assert _tilesmith.compilations() == before


@pypto.frontend.jit
def whole_dynamic(x: pypto.Tensor([pypto.DYN, 96]), y: pypto.Tensor([pypto.DYN, 96])):
    pypto.set_vec_tile_shapes(8, 96)
    y[:] = pypto.softmax(x, -1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_softmax_of_a_dynamic_tensor(dtype):
    x = torch.randn(77, 96).to(dtype)
    y = nan(77, 96, dtype=dtype)
    run(whole_dynamic, x, y)
    expected = torch.softmax(x.double(), -1)
    torch.testing.assert_close(
        y.double(), expected, rtol=1e-2 if dtype != torch.float32 else 1e-5, atol=1e-3 if dtype != torch.float32 else 1e-6
    )


UNARY = {
    "exp": torch.exp,
    "log": torch.log,
    "sqrt": torch.sqrt,
    "rsqrt": torch.rsqrt,
    "reciprocal": torch.reciprocal,
    "abs": torch.abs,
    "neg": torch.neg,
    "relu": torch.relu,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "erf": torch.erf,
    "erfc": torch.erfc,
    "ceil": torch.ceil,
    "floor": torch.floor,
    "trunc": torch.trunc,
    "round": torch.round,
    "exp2": torch.exp2,
    "expm1": torch.expm1,
    "log1p": torch.log1p,
    "log2": torch.log2,
    "log10": torch.log10,
    "sin": torch.sin,
    "cos": torch.cos,
}
BINARY = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "pow": torch.pow,
    "remainder": torch.remainder,
    "fmod": torch.fmod,
}
COMPARE = {"eq": torch.eq, "ne": torch.ne, "lt": torch.lt, "le": torch.le, "gt": torch.gt, "ge": torch.ge}
BOUNDS = {torch.float32: (2e-5, 2e-5), torch.float16: (2e-3, 2e-3), torch.bfloat16: (1.6e-2, 1.6e-2)}
FLOATS = list(BOUNDS)


def unary_kernel(operation, tile):
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor(), y: pypto.Tensor()):
        pypto.set_vec_tile_shapes(*tile)
        y[:] = operation(x)

    return kernel


def binary_kernel(operation, tile):
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor(), z: pypto.Tensor(), y: pypto.Tensor()):
        pypto.set_vec_tile_shapes(*tile)
        y[:] = operation(x, z)

    return kernel


def sampled(cases, share):
    """A part of the cases that changes from day to day; all of them in long runs."""
    if os.environ.get("TILESMITH_LONG"):
        return cases
    return RANDOM.sample(cases, max(1, len(cases) // share))


@pytest.mark.parametrize("name,dtype", sampled([(n, d) for n in UNARY for d in FLOATS], 6))
def test_functions_of_one_tensor(name, dtype):
    x = (torch.rand(20, 48) * 4 + 0.1).to(dtype)
    if name not in ("log", "log2", "log10", "log1p", "sqrt", "rsqrt"):
        x = x - 2
    y = nan(20, 48, dtype=dtype)
    run(unary_kernel(getattr(pypto, name), (8, 32)), x, y)
    expected = UNARY[name](x.double()).to(dtype)
    torch.testing.assert_close(y, expected, rtol=BOUNDS[dtype][0], atol=BOUNDS[dtype][1])


@pytest.mark.parametrize("name,dtype", sampled([(n, d) for n in BINARY for d in FLOATS], 4))
def test_functions_of_two_tensors_broadcast(name, dtype):
    shapes = RANDOM.choice(
        [((20, 48), (20, 48)), ((20, 48), (1, 48)), ((20, 48), (20, 1)), ((2, 10, 48), (48,)), ((1, 48), (20, 48))]
    )
    x, z = ((torch.rand(*shape) * 3 + 0.5).to(dtype) for shape in shapes)
    expected = BINARY[name](x.double(), z.double()).to(dtype)
    y = nan(*expected.shape, dtype=dtype)
    run(binary_kernel(getattr(pypto, name), (1,) * (expected.dim() - 2) + (8, 32)), x, z, y)
    torch.testing.assert_close(y, expected, rtol=BOUNDS[dtype][0], atol=BOUNDS[dtype][1])


@pytest.mark.parametrize("dtype", [torch.int32, torch.int16])
@pytest.mark.parametrize("name", ["add", "sub", "mul", "maximum", "minimum"])
def test_integers_wrap(name, dtype):
    info = torch.iinfo(dtype)
    x, z = (torch.randint(info.min, info.max, (20, 48), dtype=dtype) for _ in range(2))
    y = torch.zeros(20, 48, dtype=dtype)
    run(binary_kernel(getattr(pypto, name), (8, 32)), x, z, y)
    assert torch.equal(y, BINARY[name](x, z))


@pytest.mark.parametrize("name", list(COMPARE))
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_comparisons_are_exact(name, dtype):
    x, z = (torch.randint(-2, 3, (20, 48)).to(dtype) for _ in range(2))
    x[0, 0] = float("nan")
    y = torch.zeros(20, 48, dtype=torch.bool)
    run(binary_kernel(getattr(pypto, name), (8, 32)), x, z, y)
    assert torch.equal(y, COMPARE[name](x, z))


@pytest.mark.parametrize("shape,dim", [((20, 48), -1), ((20, 48), 0), ((5, 7, 33), 1), ((5, 7, 33), 2), ((100,), 0)])
@pytest.mark.parametrize("name,golden", [("sum", torch.sum), ("amax", torch.amax), ("amin", torch.amin)])
def test_reductions_see_their_elements_only(shape, dim, name, golden):
    x = torch.randn(*shape) - 5
    keep = bool(RANDOM.getrandbits(1)) or len(shape) == 1
    expected = golden(x.double(), dim, keepdim=keep).float()
    y, reduce, tile = nan(*expected.shape), getattr(pypto, name), (4, 16, 16)[-len(shape) :]

    @pypto.frontend.jit
    def kernel(x: pypto.Tensor(), y: pypto.Tensor()):
        pypto.set_vec_tile_shapes(*tile)
        y[:] = reduce(x, dim, keepdim=keep)

    run(kernel, x, y)
    torch.testing.assert_close(y, expected, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("tile", [(1, 256), (16, 64), (64, 256), (8, 8), (7, 100)])
def test_tiles_never_change_a_byte(tile):
    torch.manual_seed(1)
    x = torch.randn(64, 256)

    def kernel_of(shape):
        @pypto.frontend.jit
        def kernel(x: pypto.Tensor([64, 256], F32), y: pypto.Tensor([64, 256], F32)):
            pypto.set_vec_tile_shapes(*shape)
            e = pypto.exp(x - pypto.amax(x, -1, keepdim=True))
            y[:] = e / pypto.sum(e, -1, keepdim=True)

        return kernel

    y, z = nan(64, 256), nan(64, 256)
    kernel_of((32, 256))(x, y)
    kernel_of(tile)(x, z)
    assert torch.equal(y.view(torch.int32), z.view(torch.int32))


def double(x):
    return x * 2.0


def test_branches_helpers_and_closures():
    factor = 3.0

    @pypto.frontend.jit
    def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], F32), y: pypto.Tensor([pypto.DYNAMIC, 64], F32)):
        pypto.set_vec_tile_shapes(8, 64)
        for i in pypto.loop(pypto.ceildiv(x.shape[0], 8)):
            part = x[i * 8 : (i + 1) * 8, :]
            if i % 2 == 0:
                part = double(part)
            else:
                part = part + factor
            if pypto.is_loop_begin(i):
                part = part - 1.0
            y[i * 8 :, :] = part

    x, y = torch.randn(45, 64), nan(45, 64)
    run(kernel, x, y)
    expected = x.clone()
    for i in range(6):
        rows = slice(i * 8, i * 8 + 8)
        expected[rows] = x[rows] * 2 if i % 2 == 0 else x[rows] + factor
    expected[:8] -= 1
    torch.testing.assert_close(y, expected)


def test_loops_carry_tensors():
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor([4, 16, 64], F32), y: pypto.Tensor([16, 64], F32)):
        pypto.set_vec_tile_shapes(16, 64)
        total = pypto.zeros([16, 64], dtype=F32)
        for i in pypto.loop(4):
            total = total + pypto.reshape(pypto.view(x, [1, 16, 64], [i, 0, 0]), [16, 64])
        y[:] = total

    x, y = torch.randn(4, 16, 64), nan(16, 64)
    run(kernel, x, y)
    torch.testing.assert_close(y, x.sum(0))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("m,k,n", [(64, 128, 64), (50, 100, 70), (128, 256, 128)])
def test_products(m, k, n, turned):
    @pypto.frontend.jit
    def kernel(a: pypto.Tensor(), b: pypto.Tensor(), c: pypto.Tensor()):
        pypto.set_cube_tile_shapes([32, 64], [32, 64], [32, 64])
        c[:] = pypto.matmul(a, b, pypto.DT_FP32, b_trans=turned)

    a, b = torch.randn(m, k).half(), torch.randn(*((n, k) if turned else (k, n))).half()
    c = nan(m, n)
    run(kernel, a, b, c)
    torch.testing.assert_close(c, a.float() @ (b.float().T if turned else b.float()), rtol=1e-4, atol=1e-3)


def test_products_and_vector_work_in_one_operator():
    @pypto.frontend.jit
    def kernel(
        a: pypto.Tensor([64, 128], F16),
        b: pypto.Tensor([128, 64], F16),
        bias: pypto.Tensor([1, 64], F32),
        c: pypto.Tensor([64, 64], F32),
    ):
        pypto.set_cube_tile_shapes([32, 32], [64, 64], [64, 64])
        pypto.set_vec_tile_shapes(32, 64)
        c[:] = pypto.relu(pypto.matmul(a, b, F32) + bias)

    a, b, bias, c = torch.randn(64, 128).half(), torch.randn(128, 64).half(), torch.randn(1, 64), nan(64, 64)
    run(kernel, a, b, bias, c)
    torch.testing.assert_close(c, torch.relu(a.float() @ b.float() + bias), rtol=1e-4, atol=1e-3)


@pypto.frontend.jit
def attention(
    q: pypto.Tensor([pypto.DYNAMIC, 64], F16),
    k: pypto.Tensor([pypto.DYNAMIC, 64], F16),
    v: pypto.Tensor([pypto.DYNAMIC, 64], F16),
    o: pypto.Tensor([pypto.DYNAMIC, 64], F32),
    scale: float,
):
    pypto.set_cube_tile_shapes([64, 64], [64, 64], [64, 64])
    pypto.set_vec_tile_shapes(64, 64)
    for i in pypto.loop(pypto.ceildiv(q.shape[0], 64)):
        rows = pypto.view(q, [64, 64], [i * 64, 0])
        top, total, out = pypto.full([64, 1], -1e30, F32), pypto.zeros([64, 1], dtype=F32), pypto.zeros([64, 64], dtype=F32)
        for j in pypto.loop(pypto.ceildiv(k.shape[0], 64)):
            score = pypto.matmul(rows, pypto.view(k, [64, 64], [j * 64, 0]), F32, b_trans=True) * scale
            higher = pypto.maximum(top, pypto.amax(score, -1, keepdim=True))
            power, shrink = pypto.exp(score - higher), pypto.exp(top - higher)
            total = total * shrink + pypto.sum(power, -1, keepdim=True)
            out = out * shrink + pypto.matmul(pypto.cast(power, F16), pypto.view(v, [64, 64], [j * 64, 0]), F32)
            top = higher
        o[i * 64 :, 0:] = out / total


@pytest.mark.parametrize("queries,keys", [(64, 64), (150, 200)])
def test_attention_carries_its_state(queries, keys):
    q, k, v = (torch.randn(n, 64).half() for n in (queries, keys, keys))
    o = nan(queries, 64)
    run(attention, q, k, v, o, 0.125)
    expected = torch.softmax(q.float() @ k.float().T * 0.125, -1) @ v.float()
    torch.testing.assert_close(o, expected, rtol=2e-3, atol=2e-3)


def test_what_one_part_writes_another_one_reads():
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor([64, 128], F32), t: pypto.Tensor([64, 128], F32), y: pypto.Tensor([64, 128], F32)):
        pypto.set_vec_tile_shapes(16, 64)
        t[:] = x * 2.0
        y[:] = pypto.view(t, [64, 128], [0, 0]) + 1.0

    x, t, y = torch.randn(64, 128), nan(64, 128), nan(64, 128)
    run(kernel, x, t, y)
    assert torch.equal(y, x * 2 + 1)


@pytest.mark.parametrize("shape", [(20, 41), (3, 7, 5), (33,)])
def test_elements_keep_their_order(shape):
    """Rows that are rounded up must not shift what is reshaped, turned or cut out of a computed tensor."""
    columns = shape[-1]
    count = torch.Size(shape).numel()

    @pypto.frontend.jit
    def kernel(x: pypto.Tensor(), flat: pypto.Tensor(), turned: pypto.Tensor(), part: pypto.Tensor()):
        pypto.set_vec_tile_shapes(4, 4, 64)
        y = x + 1.0
        matrix = pypto.reshape(y, [count // columns, columns])
        flat[:] = pypto.reshape(y, [count])
        turned[:] = pypto.transpose(matrix, 0, 1)
        part[:] = matrix[0:1, 1:4]

    x = torch.randn(*shape)
    flat, turned, part = nan(count), nan(columns, count // columns), nan(1, 3)
    run(kernel, x, flat, turned, part)
    matrix = (x + 1).reshape(-1, columns)
    assert torch.equal(flat, (x + 1).reshape(-1)) and torch.equal(turned, matrix.T) and torch.equal(part, matrix[:1, 1:4])


def test_local_tensors_are_written_in_parts():
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor([16, 40], F32), y: pypto.Tensor([16, 80], F32)):
        pypto.set_vec_tile_shapes(16, 80)
        both = pypto.tensor([16, 80], F32)
        both[0:, 0:] = x * 2.0
        pypto.assemble(x + 1.0, [0, 40], both)
        y[:] = both - 1.0

    x, y = torch.randn(16, 40), nan(16, 80)
    run(kernel, x, y)
    assert torch.equal(y, torch.cat([x * 2 - 1, x + 1 - 1], 1))


def test_names_bound_in_both_branches_live_on():
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor([32, 64], F32), y: pypto.Tensor([32, 64], F32), n: pypto.Tensor([1], pypto.DT_INT32)):
        pypto.set_vec_tile_shapes(32, 64)
        if n[0] > 3:
            chosen = x * 2.0
        elif n[0] == 3:
            chosen = x * 3.0
        else:
            chosen = x + 1.0
        y[:] = chosen

    x = torch.randn(32, 64)
    for number, expected in ((5, x * 2), (3, x * 3), (0, x + 1)):
        y = nan(32, 64)
        run(kernel, x, y, torch.tensor([number], dtype=torch.int32))
        assert torch.equal(y, expected)


def test_positions_and_sorting():
    @pypto.frontend.jit
    def kernel(
        x: pypto.Tensor([20, 48], F32),
        values: pypto.Tensor([20, 8], F32),
        places: pypto.Tensor([20, 8], pypto.DT_INT32),
        most: pypto.Tensor([20, 1], pypto.DT_INT32),
        sums: pypto.Tensor([20, 48], F32),
        spread: pypto.Tensor([20, 1], F32),
    ):
        pypto.set_vec_tile_shapes(8, 48)
        top, where = pypto.topk(x, 8)
        values[:] = top
        places[:] = where
        most[:] = pypto.argmax(x, -1, keepdim=True)
        sums[:] = pypto.cumsum(x, 1)
        spread[:] = pypto.var(x, -1, keepdim=True)

    x = torch.randn(20, 48)
    values, places, most = nan(20, 8), torch.zeros(20, 8, dtype=torch.int32), torch.zeros(20, 1, dtype=torch.int32)
    sums, spread = nan(20, 48), nan(20, 1)
    run(kernel, x, values, places, most, sums, spread)
    golden = torch.topk(x, 8)
    assert torch.equal(values, golden.values) and torch.equal(places.long(), golden.indices)
    assert torch.equal(most.long(), x.argmax(-1, keepdim=True))
    torch.testing.assert_close(sums, x.cumsum(1), rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(spread, x.var(-1, keepdim=True), rtol=1e-4, atol=1e-5)


def test_calls_are_run():
    x = torch.randn(64, 256)
    cases = [
        ((x, x), {}, "Expected at least 3 tensor argument(s), got 2."),
        ((x, x, x, x), {}, "Too many positional arguments"),
        ((x, x, x), {"q": 1}, "Unknown keyword argument(s): ['q']. Valid non-tensor parameters: []"),
        ((x, x, x.T.contiguous()), {}, "The shape of 3rd input tensor"),
        ((x, x, x.half()), {}, "The dtype of 3rd input tensor"),
        ((x, x, x[0]), {}, "The number of dimensions of 3rd input tensor"),
        ((x, x, torch.randn(256, 64).T), {}, "not all tensors are contiguous"),
        ((x, x, 3), {}, "must be a torch.Tensor"),
    ]
    for args, keywords, text in cases:
        with pytest.raises(pypto.error.FeError, match="ErrCode: F0") as raised:
            add_kernel(*args, **keywords)
        assert text in str(raised.value)
    with pytest.raises(pypto.error.FeError, match="Missing required non-tensor argument 'rows'."):
        scale_rows(x, x[:1], x)
    with pytest.raises(pypto.error.FeError, match="'rows' must not be a torch.Tensor"):
        scale_rows(x, x[:1], x, x)
    with pytest.raises(pypto.error.FeError, match="jit decorator can only be used on functions"):
        pypto.frontend.jit(3)


def test_errors_point_at_the_source():
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor([64, 256], pypto.DT_INT32), y: pypto.Tensor([64, 256], pypto.DT_INT32)):
        pypto.set_vec_tile_shapes(16, 256)
        y[:] = x + 1.5

    x = torch.zeros(64, 256, dtype=torch.int32)
    with pytest.raises(pypto.error.PyptoError, match="F00001") as raised:
        kernel(x, x.clone())
    assert "float scalar incompatible with integer tensor dtype" in str(raised.value)
    assert "y[:] = x + 1.5" in str(raised.value)


@pytest.mark.parametrize(
    "statement,text",
    [
        ("y[:] = pypto.zeros([64, 256], pypto.DT_FP32)", "the dtype of pypto.zeros is given by keyword"),
        ("y[:] = x.T", "has no attribute T"),
        ("y[:] = pypto.empty([64, 256])", "module 'pypto' has no attribute 'empty'"),
        ("y[:] = pypto.view(x, [64, 256], [64, 0])", "is outside a tensor with 64 elements"),
        ("y[:] = pypto.view(x, [x], [0, 0])", "must be ints known while compiling"),
        ("y[:] = pypto.add(2.0, x)", "pypto.add takes a tensor first"),
        ("y[:] = pypto.matmul(x, x, pypto.DT_FP32)", "inner sizes 256 and 64 differ"),
        ("y[:] = pypto.sum(x, 5)", "axis 5 is out of range"),
        ("y[:] = x[::2, :]", "step must be 1 or None"),
        ("pypto.set_vec_tile_shapes(0)", "a tile size must be positive"),
        ("pypto.set_cube_tile_shapes([32, 48], [16, 16], [16, 16])", "L1 a multiple of L0"),
        ("pypto.is_loop_begin(3)", "not loop index"),
        ("pypto.loop()", "loop() takes 1 to 3 positional arguments but 0 were given"),
    ],
)
def test_mistakes_are_told_at_their_place(statement, text):
    source = f"""def kernel(x: pypto.Tensor([64, 256], pypto.DT_FP32), y: pypto.Tensor([64, 256], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 256)
    pypto.set_cube_tile_shapes([32, 32], [32, 32], [32, 32])
    {statement}
"""
    import linecache

    name = f"<mistake {abs(hash(statement))}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    names = {"pypto": pypto}
    exec(compile(source, name, "exec"), names)
    x = torch.randn(64, 256)
    with pytest.raises(pypto.error.FeError, match="ErrCode: F0000") as raised:
        pypto.frontend.jit(names["kernel"])(x, nan(64, 256))
    assert text in str(raised.value) and f"{name}:4:" in str(raised.value) and statement in str(raised.value)


def test_sim_leaves_a_timeline(tmp_path, monkeypatch):
    import json

    @pypto.frontend.jit(runtime_options={"run_mode": pypto.RunMode.SIM})
    def kernel(x: pypto.Tensor([64, 64], F32), y: pypto.Tensor([64, 64], F32)):
        pypto.set_vec_tile_shapes(16, 64)
        y[:] = x + 1.0

    monkeypatch.chdir(tmp_path)
    x, y = torch.randn(64, 64), nan(64, 64)
    kernel(x, y)
    assert torch.equal(y, x + 1)
    (found,) = tmp_path.glob("output/*/CostModelSimulationOutput/merged_swimlane.json")
    assert json.loads(found.read_text())
    with pytest.raises(pypto.error.FeError, match="Invalid run mode, run mode must be RunMode.NPU or RunMode.SIM."):
        pypto.frontend.jit(runtime_options={"run_mode": 7})(kernel.fn)(x, y)
    with pytest.raises(pypto.error.FeError, match="unknown runtime option"):
        pypto.frontend.jit(runtime_options={"run_mod": 1})(kernel.fn)(x, y)


def test_generated_files_are_current():
    import subprocess
    import sys
    from pathlib import Path

    tool = Path(__file__).resolve().parents[2] / "tools/pypto_operations.py"
    assert subprocess.run([sys.executable, tool, "--check"]).returncode == 0


def overlapping(x: pypto.Tensor([64, 64], pypto.DT_FP32), y: pypto.Tensor([64, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    for i in pypto.loop(6, parallel=True):
        part = pypto.view(x, [16, 64], [i * 8, 0])
        y[i * 8 :, 0:] = part + i


def test_parallel_writes_that_overlap_are_a_finding():
    with asc.check() as report:
        pypto.frontend.jit(overlapping)(torch.randn(64, 64), nan(64, 64))
    assert report.findings[0]["id"] == "cross.write-write"


@pytest.mark.parametrize(
    "options", [{"verify_options": {"enable_pass_verify": True}}, {"debug_options": {"runtime_debug_mode": 3}}]
)
def test_options_that_ask_for_checks_make_findings_errors(options):
    kernel = pypto.frontend.jit(**options)(overlapping)
    with pytest.raises(pypto.error.PyptoError, match="cross.write-write"):
        kernel(torch.randn(64, 64), nan(64, 64))
    pypto.frontend.jit(overlapping)(torch.randn(64, 64), nan(64, 64))


def test_options_are_looked_at_when_a_kernel_is_called_first():
    options = {}
    kernel = pypto.frontend.jit(runtime_options=options)(overlapping)
    options["no_such_option"] = 1
    with pytest.raises(pypto.error.FeError, match="no_such_option"):
        kernel(torch.randn(64, 64), nan(64, 64))


def test_arguments_seen_before_are_looked_at_again_where_they_differ():
    """A launch remembers what tensors of a shape are; others of the same number must not pass for them."""
    x, z, y = torch.randn(64, 256), torch.randn(64, 256), nan(64, 256)
    run(add_kernel, x, z, y)
    run(add_kernel, x, z, y)
    for wrong, text in ((x.half(), "dtype"), (torch.randn(32, 256), "shape"), (torch.randn(256, 64).T, "contiguous")):
        with pytest.raises(pypto.error.FeError, match=text):
            add_kernel(x, wrong, y)
    with pytest.raises(pypto.error.FeError, match="must be a torch.Tensor"):
        add_kernel(x, 3, y)
