"""Random programs against NumPy: expressions over tiles, loop nests, partial loads and stores.

A program is drawn as a tree that both writes kernel source and computes the result in NumPy. Several programs share one
kernel, because a compile costs more than a launch. Each kernel runs on one of the platforms, in checked mode, under both
late policies and with another number of host threads; loops also run unrolled. The bytes must always be the same.
"""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sheets import PLATFORMS, define

import asc
from asc.runtime import config

LONG = bool(os.environ.get("TILESMITH_LONG"))
F32, F16, I32, I16 = np.float32, np.float16, np.int32, np.int16
NAMES = {F32: "asc.float32", F16: "asc.float16", I32: "asc.int32", I16: "asc.int16"}


def programs(examples):
    return settings(max_examples=examples * (20 if LONG else 1), deadline=None, derandomize=not LONG, database=None,
                    suppress_health_check=list(HealthCheck))


def run(source, platform, arguments, blocks=1):
    """Launches `kernel` of the source in every way; returns its arrays after the first."""
    config.set_platform("Model", platform)
    kernel = define("import asc\nimport asc2\n\n\n" + source).kernel
    first = None
    for mode in ("check", {"late": "consumers"}, {"late": "producers"}, {"threads": 1}):
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        if mode == "check":
            with asc.check() as report:
                kernel[blocks](*copies)
            assert not report.findings, "\n".join(map(str, report.findings))
            first = copies
        else:
            with asc.launch_mode(**mode):
                kernel[blocks](*copies)
            for a, b in zip(copies, first):
                assert not isinstance(a, np.ndarray) or a.tobytes() == b.tobytes(), f"other bytes with {mode}"
    return first


def assert_same(actual, expected, label):
    same = (actual == expected) | ((actual != actual) & (expected != expected))
    assert actual.dtype == expected.dtype and same.all(), f"{label}: {actual[~same][:4]} are not {expected[~same][:4]}"


#===- Expressions -----------------------------------------------------------------------------------------------------===#


class Tree:
    """An expression: its text, its value, what its operands are made of."""

    def __init__(self, text, value):
        self.text, self.value = text, value

    @property
    def dtype(self):
        return self.value.dtype.type


def rounded(function, *operands):
    """Half operations are computed in float32 and rounded once; integers wrap."""
    dtype = operands[0].dtype
    with np.errstate(all="ignore"):
        if dtype == F16:
            return function(*(x.astype(F32) for x in operands)).astype(F16)
        return function(*operands).astype(dtype)


BINARY = {"+": np.add, "-": np.subtract, "*": np.multiply, "asc2.maximum": np.maximum, "asc2.minimum": np.minimum}
COMPARE = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal}
UNARY = {"asc2.abs": np.abs, "-": np.negative, "asc2.relu": lambda x: np.maximum(x, x.dtype.type(0))}
REDUCE = {"max": np.max, "min": np.min, "sum": np.sum}


def convert(x, dtype):
    """Floats to integers truncate and saturate, NaN gives 0; integers wrap; the rest rounds to nearest even."""
    with np.errstate(all="ignore"):
        if x.dtype.kind == "f" and np.dtype(dtype).kind == "i":
            info = np.iinfo(dtype)
            return np.clip(np.nan_to_num(np.trunc(x.astype(np.float64)), nan=0.0), info.min, info.max).astype(dtype)
        return x.astype(dtype)


def apply(symbol, a, b):
    return f"{symbol}({a}, {b})" if symbol.startswith("asc2") else f"({a} {symbol} {b})"


@st.composite
def trees(draw, leaves, depth):
    """A tile expression of some dtype over the given leaves, all of one shape."""
    if depth == 0 or draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from(leaves))
    a = draw(trees(leaves, depth - 1))
    kind = draw(st.sampled_from(["binary", "binary", "scalar", "cast", "unary", "where", "reduce", "shift", "remainder", "position", "turn"]))
    if kind == "cast":
        dtype = draw(st.sampled_from(list(NAMES)))
        return Tree(f"{a.text}.to({NAMES[dtype]})", convert(a.value, dtype))
    if kind == "scalar":
        symbol, left = draw(st.sampled_from(list(BINARY))), draw(st.booleans())
        number = draw(st.integers(-5, 5)) if a.value.dtype.kind == "i" else draw(st.sampled_from([-2.0, 0.5, 3.0, 1, 0.0]))
        text = draw(st.sampled_from([f"({number})", "runtime"])) if number == 3 else f"({number})"
        tile = np.full(a.value.shape, number, a.dtype)
        operands, texts = ((tile, a.value), (text, a.text)) if left else ((a.value, tile), (a.text, text))
        return Tree(apply(symbol, *texts), rounded(BINARY[symbol], *operands))
    if kind == "unary":
        name = draw(st.sampled_from(list(UNARY)))
        if name == "asc2.abs" and a.value.dtype.kind == "i":
            name = "-"
        with np.errstate(all="ignore"):
            return Tree(f"({name}({a.text}))", UNARY[name](a.value))
    if kind == "shift":
        if a.value.dtype.kind != "i":
            return a
        by = draw(st.integers(0, 9))
        return Tree(f"({a.text} << {by})", a.value << a.dtype(by)) if draw(st.booleans()) else Tree(f"({a.text} >> {by})",
                                                                                                    a.value >> a.dtype(by))
    if kind == "reduce":
        name, axis = draw(st.sampled_from(list(REDUCE))), draw(st.integers(0, a.value.ndim - 1))
        if name == "sum" and a.value.dtype.kind == "f":
            name = "max"  # the order of float sums is checked where results are judged with a tolerance
        with np.errstate(all="ignore"):
            value = REDUCE[name](a.value, axis=axis, keepdims=True).astype(a.dtype)
        text = f"{a.text}.{name}({axis}, keep_dims=True).broadcast_to({', '.join(map(str, a.value.shape))})"
        return Tree(text, np.broadcast_to(value, a.value.shape).copy())
    if kind == "remainder":
        if a.value.dtype.kind != "i":
            return a
        number = draw(st.sampled_from([-7, 3, 10]))
        return Tree(f"({a.text} % ({number}))", np.fmod(a.value, a.dtype(number)))
    if kind == "position":
        axis = draw(st.integers(0, a.value.ndim - 1))
        if a.value.dtype.kind != "i":
            return a  # NaN and infinities are in the matrix of positions
        if draw(st.booleans()):
            return Tree(f"{a.text}.cumsum({axis})", np.cumsum(a.value, axis=axis, dtype=a.dtype))
        best = np.expand_dims(np.argmax(a.value, axis=axis), axis).astype(I32)
        return Tree(f"({a.text}.argmax({axis}, keep_dims=True) + x2 * 0)", np.broadcast_to(best, a.value.shape).copy())
    if kind == "turn":
        axes = draw(st.permutations(range(a.value.ndim)))
        back = [axes.index(i) for i in range(len(axes))]
        return Tree(f"({a.text}.transpose({', '.join(map(str, axes))}) + 1).transpose({', '.join(map(str, back))})",
                    rounded(np.add, a.value, np.full(a.value.shape, 1, a.dtype)))
    b = draw(trees(leaves, depth - 1))
    if b.dtype != a.dtype:
        b = Tree(f"{b.text}.to({NAMES[a.dtype]})", convert(b.value, a.dtype))
    if kind == "where":
        symbol = draw(st.sampled_from(list(COMPARE)))
        c = draw(trees(leaves, depth - 1))
        if c.dtype != a.dtype:
            c = Tree(f"{c.text}.to({NAMES[a.dtype]})", convert(c.value, a.dtype))
        with np.errstate(all="ignore"):
            return Tree(f"asc2.where({a.text} {symbol} {b.text}, {c.text}, {a.text})",
                        np.where(COMPARE[symbol](a.value, b.value), c.value, a.value))
    symbol = draw(st.sampled_from(list(BINARY)))
    return Tree(apply(symbol, a.text, b.text), rounded(BINARY[symbol], a.value, b.value))


shapes = st.one_of(st.tuples(st.integers(1, 150)), st.tuples(st.integers(1, 9), st.sampled_from([16, 32, 80])),
                   st.tuples(st.integers(1, 3), st.integers(1, 4), st.sampled_from([16, 48])))


def operand(seed, shape, dtype):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "i":
        return rng.integers(-100, 100, shape).astype(dtype)
    return (rng.integers(-64, 65, shape) / 8).astype(dtype)


EXPRESSIONS = 6  # per kernel


@programs(300)
@given(st.data(), shapes, st.sampled_from(PLATFORMS))
def test_expressions(data, shape, platform):
    arrays = [operand(i, shape, dtype) for i, dtype in enumerate(NAMES)]
    leaves = [Tree(f"x{i}", array) for i, array in enumerate(arrays)]
    drawn = [data.draw(trees(leaves, 4)) for _ in range(EXPRESSIONS)]
    body = "".join(f"    x{i} = asc2.load(asc2.tensor(p{i}, {list(shape)}), {list(shape)}, offsets={[0] * len(shape)})\n"
                   for i in range(len(arrays)))
    for i, tree in enumerate(drawn):
        body += f"    asc2.store(({tree.text}), asc2.tensor(q{i}, {list(shape)}), offsets={[0] * len(shape)})\n"
    names = [f"p{i}" for i in range(len(arrays))] + [f"q{i}" for i in range(len(drawn))]
    source = f"@asc2.jit\ndef kernel({', '.join(names)}, runtime):\n{body}"
    results = run(source, platform, arrays + [np.full(shape, 77, t.dtype) for t in drawn] + [3])
    for tree, actual in zip(drawn, results[len(arrays):]):
        assert_same(actual, tree.value, tree.text)


#===- Loops -----------------------------------------------------------------------------------------------------------===#


class Block:
    """Statements over the scalars a, b, c and the tiles s, t. The same text is a kernel's body and plain Python."""

    def __init__(self, draw):
        self.draw, self.loops = draw, 0

    def scalar(self):
        names = ["a", "b", "c", "n", "m"] + [f"i{k}" for k in range(self.loops)]
        left, right = self.draw(st.sampled_from(names)), self.draw(st.sampled_from([*names, "1", "2", "(-3)", "7"]))
        return f"{left} {self.draw(st.sampled_from(['+', '-', '*']))} {right}"

    def condition(self):
        if self.draw(st.integers(0, 4)) == 0:
            return self.draw(st.sampled_from(["K > 1", "K == 2", "K < 0"]))
        return f"{self.scalar()} {self.draw(st.sampled_from(['<', '>', '==', '!=', '<=']))} {self.draw(st.integers(-4, 9))}"

    def tile(self):
        first, second = self.draw(st.sampled_from("stx")), self.draw(st.sampled_from("stx"))
        return self.draw(st.sampled_from([f"{first} + {second}", f"{first} - {second}", f"{first} * 3", f"{first} + ({self.scalar()})",
                                          f"{first} + a", f"maximum({first}, {second})", first]))

    def body(self, depth, indent):
        lines = [self.statement(depth, indent) for _ in range(self.draw(st.integers(1, 3)))]
        return "".join(lines)

    def statement(self, depth, indent):
        space = "    " * indent
        kinds = ["assign", "assign", "tile", "tile", "swap"] + (["for", "for", "if", "if", "static", "while"] if depth else [])
        if self.loops:
            kinds.append("jump")
        kind = self.draw(st.sampled_from(kinds))
        if kind == "assign":
            return f"{space}{self.draw(st.sampled_from('abc'))} = {self.scalar()}\n"
        if kind == "tile":
            return f"{space}{self.draw(st.sampled_from('st'))} = {self.tile()}\n"
        if kind == "jump":
            return f"{space}if {self.condition()}:\n{space}    {self.draw(st.sampled_from(['break', 'continue']))}\n"
        if kind == "swap":
            return space + self.draw(st.sampled_from(["s, t = t, s", "a, b = b, a", "a, s = a + 1, s + t"])) + "\n"
        if kind == "if":
            text = f"{space}if {self.condition()}:\n{self.body(depth - 1, indent + 1)}"
            if self.draw(st.booleans()):
                text += f"{space}else:\n{self.body(depth - 1, indent + 1)}"
            return text
        if kind == "while":
            count = f"w{self.loops}_{indent}"
            return (f"{space}{count} = n\n{space}while {count} > 0 and {self.condition()}:\n"
                    f"{space}    {count} = {count} - 1\n{self.body(depth - 1, indent + 1)}")
        name = f"i{self.loops}"
        start, stop, step = self.draw(st.sampled_from(["0", "0", "1", "n"])), self.draw(st.sampled_from(["n", "m", "3", "5"])), \
            self.draw(st.integers(1, 3))
        header = f"runtime({start}, {stop}, {step})" if kind == "for" else f"static(0, {self.draw(st.integers(0, 3))}, {step})"
        self.loops += 1
        text = f"{space}for {name} in {header}:\n{self.body(depth - 1, indent + 1)}"
        self.loops -= 1
        return text


def as_kernel(number, body, unroll):
    """The statements as one device function and the call of it."""
    body = body.replace("maximum(", "asc2.maximum(").replace("static(", "asc.static_range(").replace("runtime(", "asc2.range(")
    if unroll > 1:
        lines = [line.replace("):", f", unroll_factor={unroll}):") if "asc2.range(" in line else line for line in body.split("\n")]
        body = "\n".join(lines)
    return f"@asc2.jit\ndef part{number}(s, t, x, a, b, c, n, m, K: asc.ConstExpr[int]):\n{body}    return s, t, a, b, c\n\n\n"


class Wrapping(int):
    """An int32 of the kernel."""

    def __new__(cls, value):
        return super().__new__(cls, (int(value) + 2**31) % 2**32 - 2**31)

    def __add__(self, other):
        return Wrapping(int(self) + other) if isinstance(other, int) else NotImplemented

    def __sub__(self, other):
        return Wrapping(int(self) - other) if isinstance(other, int) else NotImplemented

    def __mul__(self, other):
        return Wrapping(int(self) * other) if isinstance(other, int) else NotImplemented

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return Wrapping(other - int(self))


class WrappingTile:
    def __init__(self, values):
        self.values = np.asarray(values, np.int32)

    def lift(self, other):
        return other.values if isinstance(other, WrappingTile) else np.int32(Wrapping(other))

    def __add__(self, other):
        return WrappingTile(self.values + self.lift(other))

    def __sub__(self, other):
        return WrappingTile(self.values - self.lift(other))

    def __mul__(self, other):
        return WrappingTile(self.values * self.lift(other))


def in_python(body, s, t, x, n, m, K):
    names = {"s": s, "t": t, "x": x, "a": Wrapping(1), "b": Wrapping(2), "c": Wrapping(3), "n": Wrapping(n), "m": Wrapping(m), "K": K,
             "maximum": lambda p, q: WrappingTile(np.maximum(p.values, q.values)),
             "runtime": lambda *bounds: map(Wrapping, range(*bounds)), "static": range}
    lines = [line[4:] for line in body.split("\n")]
    with np.errstate(all="ignore"):
        exec("\n".join(lines), names)
    return [names[k].values for k in "st"], [names[k] for k in "abc"]


PARTS, TILE = 4, 40  # programs per kernel; elements of a tile


@programs(200)
@given(st.data(), st.integers(0, 5), st.integers(-1, 4), st.sampled_from(PLATFORMS), st.sampled_from([2, 3, 4]))
def test_loop_nests(data, n, m, platform, unroll):
    bodies = [Block(data.draw).body(3, 1) for _ in range(PARTS)]
    xs = [operand(seed, TILE, I32) for seed in range(3)]
    results = []
    for factor in (1, unroll):
        source = "".join(as_kernel(i, body, factor) for i, body in enumerate(bodies))
        source += "@asc2.jit\ndef kernel(s_ptr, t_ptr, x_ptr, tiles_ptr, scalars_ptr, n, m):\n"
        source += f"    tiles = asc2.tensor(tiles_ptr, [{2 * PARTS * TILE}])\n    scalars = asc2.tensor(scalars_ptr, [{3 * PARTS}])\n"
        for name in "stx":
            source += f"    {name} = asc2.load(asc2.tensor({name}_ptr, [{TILE}]), [{TILE}], offsets=[0])\n"
        for i in range(PARTS):
            source += f"    p, q, a, b, c = part{i}(s, t, x, 1, 2, 3, n, m, K=2)\n"
            source += f"    asc2.store(p, tiles, offsets=[{2 * i * TILE}])\n    asc2.store(q, tiles, offsets=[{(2 * i + 1) * TILE}])\n"
            for k, name in enumerate("abc"):
                source += f"    asc2.store({name}, scalars, offsets=[{3 * i + k}])\n"
        arrays = [np.zeros(2 * PARTS * TILE, I32), np.zeros(3 * PARTS, I32)]
        results.append(run(source, platform, [*xs, *arrays, n, m])[3:5])
    assert all(np.array_equal(a, b) for a, b in zip(*results)), f"unrolled by {unroll} it computes something else"
    tiles, scalars = results[0][0].reshape(PARTS, 2, TILE), results[0][1].reshape(PARTS, 3)
    for i, body in enumerate(bodies):
        expected_tiles, expected_scalars = in_python(body, *(WrappingTile(x) for x in xs), n, m, 2)
        assert scalars[i].tolist() == expected_scalars, body
        for actual, expected in zip(tiles[i], expected_tiles):
            assert np.array_equal(actual, expected), body


@pytest.mark.parametrize("platform", PLATFORMS)
def test_unrolled_loop_whose_end_lies_before_its_start(platform):
    """The remainder of a negative number of trips ran one iteration."""
    source = """@asc2.jit
def kernel(out_ptr, start, stop):
    out = asc2.tensor(out_ptr, [1])
    count = 0
    for i in asc2.range(start, stop, 2, unroll_factor=2):
        count += 1
    asc2.store(count, out, offsets=[0])
"""
    for start, stop in [(1, -1), (0, -7), (5, 4), (5, 5), (5, 6), (-9, 4)]:
        assert run(source, platform, [np.zeros(1, I32), start, stop])[0][0] == len(range(start, stop, 2))


#===- Partial tiles ---------------------------------------------------------------------------------------------------===#


@st.composite
def windows(draw):
    """A tensor, a tile over it at any place, and where the tile is stored again."""
    rank = draw(st.integers(1, 3))
    dtype = draw(st.sampled_from(list(NAMES)))
    inner = 32 // np.dtype(dtype).itemsize
    tile = [draw(st.integers(1, 4)) for _ in range(rank - 1)] + [
        draw(st.integers(1, 70)) if rank == 1 else inner * draw(st.integers(1, 4))]
    array, target = ([draw(st.integers(1, 6)) for _ in range(rank - 1)] + [draw(st.integers(1, 90))] for _ in range(2))
    offset = lambda extent, size: draw(st.one_of(st.integers(-size - 2, extent + 2), st.just(0)))
    return (dtype, tile, array, [offset(e, s) for e, s in zip(array, tile)], target,
            [offset(e, s) for e, s in zip(target, tile)], draw(st.integers(-3, 3)), draw(st.booleans()))


def window(array, tile, offsets, pad):
    result = np.full(tile, pad, array.dtype)
    for index in np.ndindex(*tile):
        at = tuple(i + o for i, o in zip(index, offsets))
        if all(0 <= i < n for i, n in zip(at, array.shape)):
            result[index] = array[at]
    return result


def put(target, values, offsets):
    for index in np.ndindex(*values.shape):
        at = tuple(i + o for i, o in zip(index, offsets))
        if all(0 <= i < n for i, n in zip(at, target.shape)):
            target[at] = values[index]


WINDOWS = 5  # per kernel


@programs(400)
@given(st.lists(windows(), min_size=WINDOWS, max_size=WINDOWS), st.sampled_from(PLATFORMS))
def test_partial_tiles(cases, platform):
    """Loads fill what lies outside the tensor, stores leave it; offsets are constants or runtime values."""
    body, names, arrays, numbers, expected = "", [], [], [], []
    for i, (dtype, tile, shape, at, target, to, pad, runtime) in enumerate(cases):
        source, result = operand(i, shape, dtype), operand(i + 50, target, dtype)
        arrays += [source, result]
        names += [f"p{i}", f"q{i}"]
        where = [[f"k{len(numbers) + j}" for j in range(len(at))], [f"k{len(numbers) + len(at) + j}" for j in range(len(to))]]
        numbers += at + to
        if not runtime:
            where = [at, to]
        texts = [f"[{', '.join(map(str, place))}]" for place in where]
        body += f"    tile{i} = asc2.load(asc2.tensor(p{i}, {shape}), {tile}, offsets={texts[0]}, pad_value={pad})\n"
        body += f"    asc2.store(tile{i} + tile{i}, asc2.tensor(q{i}, {target}), offsets={texts[1]})\n"
        loaded = window(source, tile, at, pad)
        put(changed := result.copy(), loaded + loaded, to)
        expected.append(changed)
    header = f"@asc2.jit\ndef kernel({', '.join(names + [f'k{j}' for j in range(len(numbers))])}):\n"
    results = run(header + body, platform, arrays + numbers)
    for case, actual, wanted in zip(cases, results[1::2], expected):
        assert_same(actual, wanted, str(case))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_store_that_lies_outside_the_tensor(platform):
    """Known while compiling: a buffer of no elements was asked for."""
    source = """@asc2.jit
def kernel(x_ptr, y_ptr):
    x = asc2.load(asc2.tensor(x_ptr, [4]), [4], offsets=[0])
    for at in asc.static_range(-6, 7):
        asc2.store(x, asc2.tensor(y_ptr, [2]), offsets=[at])
"""
    y = run(source, platform, [np.array([1, 2, 3, 4], F32), np.zeros(2, F32)])[1]
    assert y.tolist() == [1.0, 1.0]
