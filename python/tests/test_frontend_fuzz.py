"""Mutated kernels: whatever the source says, lowering gives a module or a CodegenError, never anything else."""

import ast
import copy
import math
import random
import warnings

import asc
import pytest
from asc.codegen.errors import CodegenError
from frontend import const, Jit, lower_text, ptr, scalar
from hypothesis import given, settings, strategies as st

SEEDS = ["""
def kernel(a_ptr, h_ptr, k_ptr, n, f, tile, cfg):
    a = asc2.tensor(a_ptr, [n])
    h = asc2.tensor(h_ptr, [n, 64])
    total, count = 0.0, 0
    best = asc2.full([tile], -1.0, asc.float32)
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(a, 0, [tile]), asc2.block_num(), unroll_factor=2):
        x = asc2.load(a, [tile], tile_id=[i], pad_value=0.5)
        y = asc2.load(h, [2, 64], offsets=[i, 0]).to(asc.float32)
        if i > 3 and f < 2:
            best = asc2.maximum(best, x * 2 - 1)
            count += 1
        elif n == 4:
            total = total + asc2.reduce_sum(y)
        asc2.store(asc2.where(x > 0, x, f), a, tile_id=[i])
    while count < n:
        count = count + 2
    asc2.store(best, a, offsets=[count])
    asc2.store(total, a, offsets=[0])
""", """
def kernel(a_ptr, h_ptr, k_ptr, n, f, tile, cfg):
    m = asc2.tensor(h_ptr, [n, 32])
    out = asc2.tensor(a_ptr + n, [32, 32])
    acc = asc2.zeros_acc([32, 32], asc.float32)
    for j in range(asc.ceildiv(n, 32)):
        lhs = asc2.load(m, [32, 32], tile_id=[j, 0], location=asc2.TileLocation.L0A)
        rhs = asc2.load(m, (32, 32), offsets=[j * 32, 0], location=asc2.TileLocation.L0B)
        asc2.matmul_acc(lhs, rhs, acc)
    asc2.store(acc, out, offsets=[0, 0])
""", """
def kernel(a_ptr, h_ptr, k_ptr, n, f, tile, cfg):
    rows, cols = cfg
    parts = []
    t = asc2.tensor(k_ptr, [rows, n])
    for i in asc.static_range(rows):
        parts.append(asc2.load(t, [1, cols], tile_id=[i, 0]))
        assert len(parts) == i + 1, f"{i} {parts!r}"
    top = helper(parts[0], 3, flag=rows > 1)
    q = top if n > 2 else parts[1] << 1
    z = -q + (n if f > 0.5 else 7) * q
    s = asc2.sqrt(asc2.reduce_max(z.to(asc.float32)) / n + math.pi) ** 1 if False else 1
    for i in range(1, n, cols):
        pair = (q, s)
        q, s = pair[0] * 2, pair[-1]
    asc2.store(q.reshape(*(1, cols)), t, tile_id=[0, 0])
    asc2.atomic_add(q, t, offsets=[0, n % 3])
""", """
def kernel(a_ptr, h_ptr, k_ptr, n, f, tile, cfg):
    a = asc2.tensor(a_ptr, [n])
    x = asc2.load(a, [tile], offsets=[0])
    counts = asc.array(asc.int32, [n, 3, n * 2])
    total = 0
    for i, (size, step) in enumerate(zip(cfg, reversed(cfg))):
        total = total + size * step + counts[i] * 0.5
    y = x
    with asc2.mask(count=counts[n], other=f) as nothing:
        y = asc2.relu(x + total)
        with asc2.mask(bits=(1, 2**63)):
            y = asc2.where(y > f, y, 1.0).to(asc.float32)
            asc2.store(y, a, offsets=[n])
        asc2.atomic_max(y, a, offsets=[0])
    for v in map(helper, [x, y], (1, 2)):
        asc2.device_print("{} of {:>5} {:.2f}", v, n, f)
    counts[1] = sum([total, min(n, 3)])
    asc2.device_print("all", counts, any([n > 1, f > 2.0]), divmod(n, 3))
"""]


@Jit
def helper(v, times, flag: asc.ConstExpr = True):
    if flag:
        return v * times
    for i in range(times):
        v = v + i
    return v


NAMES = {"helper": helper, "math": math, "CONSTANT": 3, "nested": {"a": [1, (2, None)]}}
PARAMS = [ptr(), ptr("float16"), ptr("int32"), scalar(), scalar("float32"), const(64), const((2, 32))]

POOL = [ast.parse(text, mode="eval").body for text in (
    "0", "-1", "2.5", "None", "True", "'text'", "1e400", "10**40", "2**31", "[]", "(1, 2)", "[n, 3]", "n", "f", "a", "x", "best",
    "acc", "tile", "cfg", "i", "undefined", "helper", "asc", "asc2.load", "asc2.TileLocation.L1", "asc.float16", "asc.int8",
    "a_ptr", "a_ptr + 1", "asc2.full([4, 8], 1)", "asc2.full([64], n)", "x > 0", "n > 2", "n and f", "not n", "x @ x", "f'{n}'",
    "range(3)", "asc.static_range(2)", "nested", "nested['a'][1][0]", "CONSTANT", "[1, 2][::-1]", "x if n else best", "1 < n < 3",
    "lambda: 0", "[i for i in cfg]", "asc2.reduce_sum(x)", "x.shape", "x.dtype", "x.to(asc.float16)", "helper(x, 2)", "len(cfg)",
    "n.cast(asc.int64)", "asc.number(1, asc.uint8)", "asc2.zeros_acc([16, 16], asc.float32)", "asc2.matmul", "asc2.block_idx()",
    "isinstance(x, asc2.Tile)", "asc2.where(x > 0, 1, 2)", "min(n, 3)", "abs(n)", "helper", "math.sqrt(2)", "...", "b'x'",
    "asc2.mask(count=n)", "asc2.mask(bits=(0, 7), other=f)", "asc.array(asc.int8, 3)", "zip(cfg, cfg)", "enumerate([x, n])", "map(helper, cfg)",
    "sum([n, f])", "all([n, x])", "divmod(n, 0)", "sorted([n])", "round(f)", "'{} {:d}'", "(1, 2**64)", "counts", "asc2.device_print",
)]

STATEMENTS = [ast.parse(text).body[0] for text in (
    "pass", "return", "return n", "x = best", "n = n + 1", "n += 1", "f = n", "a = x", "i = 0", "count = None", "acc = x", "x, y = y, x",
    "if n > 1:\n    x = 1", "if n:\n    best = best + 1\nelse:\n    best = 2.0", "for i in range(n):\n    tile = tile + 1",
    "while n > 1:\n    n = n - 1", "for q in asc.static_range(3):\n    tile = q", "assert n", "assert tile", "break",
    "cfg[0] = 1", "s = [n]\ns[0] = 2", "asc2.store(1, a, offsets=[0])", "asc2.matmul_acc(x, x, acc)", "del x",
    "x: int = 3", "total = total * n", "for i in range(3):\n    acc = asc2.zeros_acc([16, 16], asc.float32)", "a_ptr = a_ptr + n",
    "with asc2.mask(count=3):\n    pass", "if True:\n    return", "with asc2.mask(count=n, other=x):\n    x = x + 1",
    "with asc2.mask(bits=(0, 5)):\n    y = -x\n    asc2.store(y, a, offsets=[0])", "asc2.device_print('{}', x)", "asc2.device_print(f, n)",
    "for x in (x, n):\n    y = x", "for p, q in enumerate(cfg):\n    n = n + p", "counts[n] = 1", "counts[0] = x", "with n as f:\n    pass",
)]

OPERATORS = [ast.Add(), ast.Sub(), ast.Mult(), ast.MatMult(), ast.Div(), ast.Mod(), ast.Pow(), ast.LShift(), ast.RShift(), ast.BitOr(),
             ast.BitXor(), ast.BitAnd(), ast.FloorDiv()]


class Mutator(ast.NodeTransformer):
    """Changes about one node in `rarity`."""

    def __init__(self, seed, rarity):
        self.random = random.Random(seed)
        self.rarity = rarity

    def visit(self, node):
        node = self.generic_visit(node)
        if self.random.randrange(self.rarity):
            return node
        if isinstance(node, ast.BinOp) and self.random.random() < 0.5:
            node.op = self.random.choice(OPERATORS)
        elif isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            return copy.deepcopy(self.random.choice(POOL))
        elif isinstance(node, ast.Name):
            node.id = self.random.choice(["x", "n", "acc", "i", "fresh"])
        elif isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef):
            other = copy.deepcopy(self.random.choice(STATEMENTS))
            return self.random.choice([[other, node], [node, other], [other], [node, copy.deepcopy(node)]])
        elif isinstance(node, ast.keyword):
            node.arg = self.random.choice(["offsets", "tile_id", "shape", "value", "keep_dims"])
        return node


def lower_mutated(seed_index, seed, rarity):
    tree = ast.parse(SEEDS[seed_index])
    tree = ast.fix_missing_locations(Mutator(seed, rarity).visit(tree))
    try:
        source = ast.unparse(tree)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "kernel.py", "exec")
    except (SyntaxError, ValueError):
        return None
    try:
        return lower_text(source, *PARAMS, names=NAMES)
    except CodegenError as error:
        assert "invalid IR" not in str(error), source + "\n" + str(error)
        assert str(error).startswith("kernel.py:") or "test_frontend_fuzz.py:" in str(error).splitlines()[0]
        return error


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_seeds_are_right():
    for source in SEEDS:
        lower_text(source, *PARAMS, names=NAMES)


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@settings(max_examples=600, deadline=None, derandomize=True)
@given(st.integers(0, len(SEEDS) - 1), st.integers(0, 2**32), st.sampled_from([4, 10, 30, 60]))
def test_mutated_kernels_give_a_module_or_a_codegen_error(seed_index, seed, rarity):
    lower_mutated(seed_index, seed, rarity)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(max_size=40))
def test_any_text_as_a_string_constant(text):
    lower_text(f"def kernel(n):\n    y = {text!r}\n    assert y == {text!r}\n", scalar())
