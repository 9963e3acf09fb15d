"""Every operation of asc2 on every dtype and platform, against torch: bit for bit where a result is exact or rounded once.

The tables say what is computed; a sheet (sheets.py) runs all cases of one dtype in one kernel.
"""

import itertools
import operator

import pytest
import torch
from sheets import DTYPES, FLOATS, INTEGERS, PLATFORMS, Sheet, assert_exact

import asc
import asc2
from asc.runtime import config

LIMITS = {"float16": 6e-8, "bfloat16": 1e-40, "float32": 1e-45}


@pytest.fixture(params=PLATFORMS)
def platform(request):
    return request.param


def specials(dtype):
    """The values at which something happens: zeros, units, limits, infinities, NaN, subnormals, halves."""
    if dtype in INTEGERS:
        info = torch.iinfo(DTYPES[dtype])
        values = [0, 1, -1, 2, -2, 3, 7, -7, 10, 31, 63, 100, -100, info.max, info.min, info.max - 1, info.min + 1]
    else:
        info = torch.finfo(DTYPES[dtype])
        values = [0.0, -0.0, 1.0, -1.0, 0.5, -1.5, 2.5, 3.0, -7.0, 100.0, torch.inf, -torch.inf, torch.nan, info.max, info.min,
                  info.tiny, -info.tiny, LIMITS[dtype], -LIMITS[dtype], 1.0 + info.eps, 1.0 - info.eps]
    return torch.tensor(values, dtype=DTYPES[dtype])


def pairs(dtype, seed=0):
    """Two operands: all pairs of special values, then arbitrary bits, then ordinary numbers; an odd count of them."""
    generator = torch.Generator().manual_seed(seed)
    s = specials(dtype)
    a, b = s.repeat_interleave(len(s)), s.repeat(len(s))
    width = a.element_size()
    any_bits = torch.randint(0, 256, (2, 100 * width), generator=generator, dtype=torch.uint8).view(DTYPES[dtype])
    ordinary = torch.randint(-120, 121, (2, 60), generator=generator).to(torch.float32)
    if dtype in FLOATS:
        ordinary = torch.randn((2, 60), generator=generator) * 8
    ordinary = ordinary.to(DTYPES[dtype])
    return torch.cat([a, any_bits[0], ordinary[0]]), torch.cat([b, any_bits[1], ordinary[1]])


def once(function, *operands):
    """A result computed exactly or in float32, and rounded once."""
    dtype = next(x.dtype for x in operands if isinstance(x, torch.Tensor))
    if dtype.is_floating_point:
        return function(*(x.float() if isinstance(x, torch.Tensor) else x for x in operands)).to(dtype)
    wide = function(*(x.long() if isinstance(x, torch.Tensor) else x for x in operands))
    return wide.to(dtype)


def zero_aware(function, larger):
    """max and min with NaN winning and +0 above -0, which torch leaves open."""

    def result(a, b):
        y = function(a, b)
        if y.is_floating_point():
            zeros = (a == 0) & (b == 0)
            negative = (a.signbit() & b.signbit()) if larger else (a.signbit() | b.signbit())
            y = torch.where(zeros, torch.where(negative, -0.0, 0.0), y)
        return y

    return result


def truncating(a, b):
    return torch.div(a, b, rounding_mode="trunc") if not a.is_floating_point() else a / b


BINARY = {
    "add": ("+", operator.add),
    "sub": ("-", operator.sub),
    "mul": ("*", operator.mul),
    "div": ("/", truncating),
    "maximum": (None, zero_aware(torch.maximum, True)),
    "minimum": (None, zero_aware(torch.minimum, False)),
}
COMPARE = {
    "equal": ("==", operator.eq),
    "not_equal": ("!=", operator.ne),
    "greater": (">", operator.gt),
    "greater_equal": (">=", operator.ge),
    "less": ("<", operator.lt),
    "less_equal": ("<=", operator.le),
}


def forms(name, symbol, a, b):
    return [f"asc2.{name}({a}, {b})"] + ([f"{a} {symbol} {b}"] if symbol else [])


def scalar_tensor(dtype, value, like):
    return torch.full_like(like, 0) + torch.as_tensor(value).to(DTYPES[dtype])


LITERALS = {True: [3.0, -0.5, 0.0, 1], False: [3, -1, 100]}


def in_domain(function):
    """A remainder of floats where the quotient is below 2**22, which is how far it is exact."""

    def result(a, b):
        y = function(a, b)
        if not y.is_floating_point():
            return y
        a, b = a.double().abs(), torch.as_tensor(b).double().abs()
        return torch.where((a < b) | ((a / b).floor() < 2**22), y, torch.nan)

    return result


REMAINDER = {"fmod": ("%", in_domain(torch.fmod)), "remainder": (None, in_domain(torch.remainder))}


@pytest.mark.parametrize("dtype", DTYPES)
def test_remainders(platform, dtype):
    """`%` has the sign of its left side, as in C, and remainder that of the right one, as Python's; special values too."""
    a, b = pairs(dtype, seed=7)
    if dtype in INTEGERS:
        b[b == 0] = 5
    elif dtype == "float32":  # quotients at the end of the domain depend on how they are rounded
        quotient = (a.double() / b.double()).abs()
        b[(quotient > 2**22 - 4) & (quotient < 2**22 + 4)] = 1.0
    runtime = torch.tensor(2.25 if dtype in FLOATS else -3).to(DTYPES[dtype])
    sheet = Sheet({"a": a, "b": b}, {"s": runtime})
    for name, (symbol, function) in REMAINDER.items():
        for text in forms(name, symbol, "a", "b"):
            sheet.exact(text, once(function, a, b))
        for value in [3, -7, "s"]:
            s = scalar_tensor(dtype, value if value != "s" else runtime, a)
            sheet.exact(forms(name, symbol, "a", f"({value})")[-1], once(function, a, s))
            sheet.exact(forms(name, symbol, f"({value})", "b")[-1], once(function, s, b))
    sheet.run(platform)


def powered(a, b):
    """torch's power: of integers, wrapped; of floats in float64, rounded once."""
    return torch.pow(a.double(), b.double()).to(a.dtype) if a.is_floating_point() else torch.pow(a, b)


@pytest.mark.parametrize("dtype", DTYPES)
def test_powers(platform, dtype):
    a, b = pairs(dtype, seed=8)
    if dtype in FLOATS:  # at the ends of float32 the last bits of the logarithm decide between the largest number and infinity
        near_an_end = ((a.double().abs().log2() * b.double()).abs() - 126).abs() < 4
        b = torch.where(near_an_end, torch.tensor(0.5, dtype=b.dtype), b)
    else:
        b = (b % 7) - 1
    runtime = torch.tensor(2.5 if dtype in FLOATS else 3).to(DTYPES[dtype])
    sheet = Sheet({"a": a, "b": b}, {"s": runtime})
    add = sheet.near if dtype in FLOATS else sheet.exact
    for text in ("a ** b", "asc2.pow(a, b)"):
        add(text, powered(a, b))
    for value in [0, 1, 2, 3, 10, *([-1, -2, 0.5, 1.5] if dtype in FLOATS else [])]:
        add(f"a ** ({value})", powered(a, scalar_tensor(dtype, value, a)))
    add("2 ** b", powered(torch.full_like(b, 2), b))
    add("s ** b", powered(torch.full_like(b, runtime.item()), b))
    add("a ** s", powered(a, torch.full_like(a, runtime.item())))
    sheet.run(platform)


BROADCAST = [((5, 1), (1, 32)), ((32,), (3, 32)), ((1,), (7,)), ((3, 1, 32), (4, 1)), ((2, 3, 1), (1, 1, 64)), ((4, 1, 8), (3, 1)), ((1, 1), (17,))]


@pytest.mark.parametrize("dtype", DTYPES)
def test_operands_are_broadcast(platform, dtype):
    """As in NumPy: in arithmetic, comparisons, selections, and the masks of comparisons."""
    sheet = Sheet({})
    for i, (left, right) in enumerate(BROADCAST):
        a = torch.arange(torch.Size(left).numel()).reshape(left).to(DTYPES[dtype]) - 5
        b = torch.arange(torch.Size(right).numel()).reshape(right).to(DTYPES[dtype]) % 11
        sheet.inputs |= {f"a{i}": a, f"b{i}": b}
        sheet.exact(f"a{i} + b{i}", once(operator.add, a, b))
        sheet.exact(f"b{i} - a{i}", once(operator.sub, b, a))
        sheet.exact(f"asc2.where(a{i} < b{i}, a{i}, b{i})", torch.where(a < b, a, b))
        sheet.exact(f"asc2.where((a{i} > 0) & (b{i} > 3), b{i}, 1)", torch.where((a > 0) & (b > 3), b, torch.ones_like(b)))
    sheet.run(platform)


@pytest.mark.parametrize("dtype", DTYPES)
def test_binary(platform, dtype):
    """Tile with tile, tile with scalar and scalar with tile; the scalar a literal or a runtime value."""
    a, b = pairs(dtype)
    literals = LITERALS[dtype in FLOATS]
    if dtype in INTEGERS:  # division by zero is in test_dtypes.py
        b[b == 0] = 5
    runtime = torch.tensor(2.25 if dtype in FLOATS else -3).to(DTYPES[dtype])
    sheet = Sheet({"a": a, "b": b}, {"s": runtime})
    for name, (symbol, function) in BINARY.items():
        for text in forms(name, symbol, "a", "b"):
            sheet.exact(text, once(function, a, b))
        for value in [*literals, "s"]:
            s = scalar_tensor(dtype, value if value != "s" else runtime, a)
            for text in forms(name, symbol, "a", f"({value})")[-1:]:
                if not (name == "div" and dtype in INTEGERS and (s == 0).all()):
                    sheet.exact(text, once(function, a, s))
            for text in forms(name, symbol, f"({value})", "b")[-1:]:
                sheet.exact(text, once(function, s, b))
    sheet.run(platform)


@pytest.mark.parametrize("dtype", DTYPES)
def test_compare_and_select(platform, dtype):
    """Comparisons, also with NaN and infinities, seen through where; sources of where as tiles and scalars; masks combined."""
    a, b = pairs(dtype, seed=1)
    runtime = torch.tensor(2.5 if dtype in FLOATS else -7).to(DTYPES[dtype])
    sheet = Sheet({"a": a, "b": b}, {"s": runtime})
    one, zero = torch.ones_like(a), torch.zeros_like(a)
    one, zero = one.int(), zero.int()
    for name, (symbol, function) in COMPARE.items():
        for text in forms(name, symbol, "a", "b"):
            sheet.exact(f"asc2.where({text}, 1, 0)", torch.where(function(a, b), one, zero))
        sheet.exact(f"asc2.where(a {symbol} b, a, b)", torch.where(function(a, b), a, b))
        sheet.exact(f"asc2.where(a {symbol} b, s, b)", torch.where(function(a, b), runtime, b))
        sheet.exact(f"asc2.where(a {symbol} b, a, 3)", torch.where(function(a, b), a, torch.tensor(3).to(a.dtype)))
        for value in [0, 100, "s"]:
            s = scalar_tensor(dtype, value if value != "s" else runtime, a)
            sheet.exact(f"asc2.where(a {symbol} {value}, 1, 0)", torch.where(function(a, s), one, zero))
            sheet.exact(f"asc2.where({value} {symbol} b, 1, 0)", torch.where(function(s, b), one, zero))
    less, equal = a < b, a == b
    for text, mask in {"(a < b) & (a == b)": less & equal, "(a < b) | (a == b)": less | equal, "~(a < b)": ~less,
                       "~((a < b) | ~(a == b)) | (a > b)": ~(less | ~equal) | (a > b),
                       "(a < b) ^ (a == b)": less ^ equal}.items():
        sheet.exact(f"asc2.where({text}, a, b)", torch.where(mask, a, b))
    sheet.run(platform)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_shifts(platform, dtype):
    a, _ = pairs(dtype, seed=2)
    width = 8 * a.element_size()
    sheet = Sheet({"a": a}, {"s": torch.tensor(3, dtype=torch.int32)})
    for amount in [0, 1, 5, width - 1, "s"]:
        by = 3 if amount == "s" else amount
        for left, right in [(f"a << {amount}", f"a >> {amount}"),
                            (f"asc2.left_shift(a, {amount})", f"asc2.right_shift(a, {amount})")]:
            sheet.exact(left, (a.long() << by).to(a.dtype))
            sheet.exact(right, a >> by)
    sheet.run(platform)


def cast(x, dtype):
    """Floats to integers truncate and saturate, NaN gives 0; integers wrap; the rest rounds to nearest even."""
    if x.is_floating_point() and dtype in INTEGERS:
        info = torch.iinfo(DTYPES[dtype])
        return x.double().trunc().nan_to_num(nan=0.0).clamp(info.min, info.max).to(torch.int64).to(DTYPES[dtype])
    return x.to(DTYPES[dtype])


@pytest.mark.parametrize("source", DTYPES)
def test_casts(platform, source):
    """Every dtype to every other one, and a round trip that must keep its rounding."""
    a, b = pairs(source, seed=3)
    a = torch.cat([a, b])
    if source in FLOATS:  # around the limits of the integers, and ties of float rounding
        around = torch.tensor([127.0, 128.0, -128.0, -129.0, 32767.0, 32768.0, -32768.0, 2147483520.0, 2147483648.0, 65504.0, 65520.0,
                               65519.0, 2049.0, 2051.0, 0.9999, -0.9999, 257.0, 259.0])
        a = torch.cat([a, around.to(a.dtype)])
    else:
        ties = torch.tensor([2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 70000, -2147483648])
        a = torch.cat([a, ties.clamp(torch.iinfo(a.dtype).min, torch.iinfo(a.dtype).max).to(a.dtype)])
    sheet = Sheet({"a": a})
    for target in DTYPES:
        sheet.exact(f"a.to(asc.{target})", cast(a, target))
        if source in FLOATS and target in FLOATS:
            sheet.exact(f"a.to(asc.{target}).to(asc.{source}) + 0.0", once(operator.add, cast(cast(a, target), source), 0.0))
    sheet.run(platform)


@pytest.mark.parametrize("dtype", DTYPES)
def test_masks_as_numbers(platform, dtype):
    """A mask converts to 0 and 1."""
    a, b = pairs(dtype, seed=4)
    sheet = Sheet({"a": a, "b": b})
    for target in DTYPES:
        sheet.exact(f"(a < b).to(asc.{target})", (a < b).to(DTYPES[target]))
    sheet.run(platform)


def test_products_are_not_contracted(platform):
    """x * y + z with operands whose fused result differs from the rounded product."""
    x = torch.full([77], 1.0 + 2.0**-12)
    z = torch.full([77], -(1.0 + 2.0**-11))
    assert (x.double() * x.double() + z.double()).float()[0] != (x * x + z)[0]
    sheet = Sheet({"x": x, "z": z})
    sheet.exact("x * x + z", x * x + z)
    sheet.exact("z + x * x", x * x + z)
    sheet.exact("x * x - (0.0 - z)", x * x + z)
    sheet.exact(f"x * {1.0 + 2.0**-12!r} + {-(1.0 + 2.0**-11)!r}", x * x + z)
    sheet.run(platform)


def periodic(function):
    """Defined where the argument still says where in its period it is."""
    return lambda x: torch.where(x.abs() < 65536, function(x), torch.nan)


# Unary operations: what they compute in float64, and whether the result is exact.
UNARY = {
    "abs": (torch.abs, True),
    "negative": (torch.neg, True),
    "relu": (lambda x: torch.where(x <= 0, 0.0, x), True),
    "floor": (torch.floor, True),
    "ceil": (torch.ceil, True),
    "sqrt": (torch.sqrt, True),
    "reciprocal": (torch.reciprocal, False),
    "rsqrt": (torch.rsqrt, False),
    "exp": (torch.exp, False),
    "exp2": (torch.exp2, False),
    "log": (torch.log, False),
    "log2": (torch.log2, False),
    "erf": (torch.erf, False),
    "tanh": (torch.tanh, False),
    "sin": (periodic(torch.sin), False),
    "cos": (periodic(torch.cos), False),
    "tan": (periodic(torch.tan), False),
    "sinh": (torch.sinh, False),
    "cosh": (torch.cosh, False),
    "log1p": (torch.log1p, False),
    "expm1": (torch.expm1, False),
    "sigmoid": (torch.sigmoid, False),
    "silu": (lambda x: x * torch.sigmoid(x), False),
    "softplus": (lambda x: torch.logaddexp(x, torch.zeros_like(x)), False),
    "gelu": (torch.nn.functional.gelu, False),
}


def arguments(dtype):
    """Special values, arbitrary bits, small and large magnitudes, and the places where functions overflow."""
    a, b = pairs(dtype, seed=5)
    edges = torch.tensor([88.0, 88.72, 88.73, 89.0, 89.4, 89.5, -87.3, -88.0, -103.0, -104.0, 9.0, 10.5, -10.5, 11.09, 128.0, 127.9,
                          -126.5, -149.0, -150.0, 1e-3, -1e-3, 0.25, 0.49, 0.51, 3.9, 4.1, -5.0, 1.5707963, 3.1415927,
                          -1.5707963, 6.2831855, 355.0, 710.0, 1e4, 1e5, 1e6, 3e7, 1e10, 1e20, 3e38])
    logs = torch.logspace(-6, 3, 300)
    return torch.cat([a, b, edges.to(a.dtype), logs.to(a.dtype), -logs.to(a.dtype), torch.linspace(-7, 7, 301).to(a.dtype)])


@pytest.mark.parametrize("dtype", FLOATS)
def test_unary(platform, dtype):
    a = arguments(dtype)
    sheet = Sheet({"a": a})
    for name, (function, exact) in UNARY.items():
        expected = function(a.double()).to(DTYPES[dtype])
        add = sheet.exact if exact else sheet.near
        add(f"asc2.{name}(a)", expected)
        if hasattr(asc2.Tile, name):
            add(f"a.{name}()", expected)
    sheet.exact("-a", -a)
    sheet.exact("+a", a)
    sheet.run(platform)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_unary_of_integers(platform, dtype):
    a, _ = pairs(dtype, seed=6)
    sheet = Sheet({"a": a})
    sheet.exact("asc2.relu(a)", a.clamp(min=0))
    sheet.exact("asc2.negative(a)", -a)
    sheet.exact("-a", -a)
    sheet.exact("+a", a)
    sheet.run(platform)


# Reductions. All subsets of axes; the whole tile; lengths around one vector and odd ones.
REDUCE = {"sum": torch.sum, "prod": torch.prod, "max": torch.amax, "min": torch.amin}
REDUCE_SHAPES = [(1,), (7,), (17,), (64,), (300,), (5, 32), (64, 32), (3, 5, 32), (2, 3, 2, 32)]


def reduced(name, x, dims, keep):
    """float32 or exact; sums and products of halves are rounded once at the end."""
    if name in ("sum", "prod"):
        y = x.double() if x.is_floating_point() else x.long()
        for dim in sorted(dims, reverse=True):
            y = REDUCE[name](y, dim, keepdim=keep)
        return y.to(x.dtype)
    return REDUCE[name](x, dims, keepdim=keep)


def reduce_operand(dtype, shape, name):
    generator = torch.Generator().manual_seed(hash((len(shape), shape[-1])) % 1000)
    if dtype in INTEGERS:
        info = torch.iinfo(DTYPES[dtype])
        return torch.randint(info.min, info.max + 1, shape, generator=generator).to(DTYPES[dtype])
    x = torch.rand(shape, generator=generator) + (0.5 if name == "prod" else 0.0)
    if name in ("max", "min"):
        x = x - 0.5
    return x.to(DTYPES[dtype])


@pytest.mark.parametrize("shape", REDUCE_SHAPES, ids=lambda shape: "x".join(map(str, shape)))
@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions(platform, dtype, shape):
    operands = {name: reduce_operand(dtype, shape, name) for name in REDUCE}
    sheet = Sheet({f"x_{name}": x for name, x in operands.items()})
    for name, x in operands.items():
        exact = dtype in INTEGERS or name in ("max", "min")
        add = sheet.exact if exact else sheet.near
        if name != "prod":
            add(f"asc2.full([1], asc2.reduce_{name}(x_{name}))", reduced(name, x, tuple(range(len(shape))), True).reshape(1))
        for count in range(1, len(shape) + 1):
            for dims in itertools.combinations(range(len(shape)), count):
                if count < len(shape):
                    add(f"asc2.reduce_{name}(x_{name}, {', '.join(map(str, dims))})", reduced(name, x, dims, False))
                add(f"x_{name}.{name}({', '.join(str(d - len(shape)) for d in dims)}, keep_dims=True)", reduced(name, x, dims, True))
    sheet.run(platform)


@pytest.mark.parametrize("dtype", FLOATS)
def test_reductions_meet_nan_and_infinities(platform, dtype):
    """NaN wins in max and min, infinities stay, the lanes beyond the tile do not leak in."""
    rows = torch.full((6, 48), -3.0)
    rows[1, 17] = torch.nan
    rows[2, 40] = torch.inf
    rows[3, 3] = -torch.inf
    rows[4, 3], rows[4, 47] = torch.inf, -torch.inf
    rows[5] = torch.arange(48) + 1.0
    x = rows.to(DTYPES[dtype])
    sheet = Sheet({"x": x})
    for name in ("max", "min", "sum"):
        for dim in (0, 1):
            sheet.exact(f"x.{name}({dim})", reduced(name, x, (dim,), False))
    sheet.run(platform)


def sum_of_rows(x):
    """The one order of float sums: element j into lane j mod 64, chunk after chunk, then a tree over neighbours."""
    lanes = torch.zeros(x.shape[0], 64)
    for start in range(0, x.shape[1], 64):
        chunk = x[:, start:start + 64].float()
        if start == 0:
            lanes[:, :chunk.shape[1]] = chunk
        else:
            lanes[:, :chunk.shape[1]] += chunk
    while lanes.shape[1] > 1:
        lanes = lanes[:, 0::2] + lanes[:, 1::2]
    return lanes[:, 0].to(x.dtype)


@pytest.mark.parametrize("dtype", FLOATS)
def test_sums_are_added_in_the_documented_order(platform, dtype):
    """Also rounded once: a half sum is that of float32 lanes."""
    generator = torch.Generator().manual_seed(1)
    sheet = Sheet({})
    for count in (1, 7, 33, 64, 65, 200, 1000):
        x = (torch.randn((1, count), generator=generator) * 100).to(DTYPES[dtype])
        sheet.inputs[f"x{count}"] = x.reshape(-1)
        sheet.exact(f"asc2.full([1], asc2.reduce_sum(x{count}))", sum_of_rows(x))
    for rows, cols in (3, 16), (4, 80), (2, 512):
        x = (torch.randn((rows, cols), generator=generator) * 100).to(DTYPES[dtype])
        sheet.inputs[f"x{rows}_{cols}"] = x
        sheet.exact(f"x{rows}_{cols}.sum(1)", sum_of_rows(x))
    sheet.run(platform)


def test_periodic_functions_near_their_zeros_and_poles(platform):
    """The floats nearest to multiples of pi/2 up to the end of the domain: what range reduction loses shows here."""
    multiples = torch.arange(1, 41000, 17, dtype=torch.float64)[:2400] * (torch.pi / 2)
    x = multiples.float()
    sheet = Sheet({"x": x})
    for name in ("sin", "cos", "tan"):
        sheet.near(f"asc2.{name}(x)", UNARY[name][0](x.double()).float())
    sheet.run(platform)


# Shapes: what an operation makes of a tile, in asc2 and in torch.
SHAPES = [
    ((32,), "asc2.broadcast_to(x, 3, 32)", lambda x: x.broadcast_to(3, 32)),
    ((1,), "asc2.broadcast_to(x, 3, 32)", lambda x: x.broadcast_to(3, 32)),
    ((1, 32), "x.broadcast_to(50, 32)", lambda x: x.broadcast_to(50, 32)),
    ((5, 1), "asc2.broadcast_to(x, [5, 32])", lambda x: x.broadcast_to(5, 32)),
    ((2, 1, 32), "x.broadcast_to(2, 3, 32)", lambda x: x.broadcast_to(2, 3, 32)),
    ((1, 4, 1), "x.broadcast_to(2, 4, 32)", lambda x: x.broadcast_to(2, 4, 32)),
    ((4, 32), "asc2.reshape(x, 2, 64)", lambda x: x.reshape(2, 64)),
    ((96,), "x.reshape(3, 1, 32)", lambda x: x.reshape(3, 1, 32)),
    ((3, 32), "asc2.ravel(x)", lambda x: x.ravel()),
    ((3, 32), "x.expand_dims(0)", lambda x: x.unsqueeze(0)),
    ((3, 32), "asc2.expand_dims(x, 1, -1)", lambda x: x[:, None, :, None]),
    ((3, 1, 32), "x.squeeze(1)", lambda x: x.squeeze(1)),
    ((1, 3, 1, 32), "asc2.squeeze(x)", lambda x: x.squeeze()),
    ((3, 32), "asc2.concat(x, x + x, x)", lambda x: torch.cat([x, x + x, x])),
    ((7,), "asc2.concat(x, x)", lambda x: torch.cat([x, x])),
    ((6, 64), "asc2.copy(x)", lambda x: x),
    ((6, 64), "asc2.copy(x, [2, 32], offsets=[3, 32])", lambda x: x[3:5, 32:]),
    ((6, 64), "asc2.copy(x, [2, 32], offsets=[3, k])", lambda x: x[3:5, 32:]),
    ((3, 32), "asc2.zeros_like(x)", torch.zeros_like),
    ((3, 32), "asc2.full_like(x, 7)", lambda x: torch.full_like(x, 7)),
    ((3, 32), "asc2.full_like(x, x.max())", lambda x: torch.full_like(x, x.max().item())),
    ((3, 32), "asc2.full([40], 3, {dtype})", lambda x: torch.full([40], 3, dtype=x.dtype)),
    ((3, 32), "asc2.zeros([2, 32], {dtype})", lambda x: torch.zeros(2, 32, dtype=x.dtype)),
    ((3, 32), "asc2.full([9], 3)", lambda x: torch.full([9], 3, dtype=torch.int32)),
    ((3, 32), "asc2.full([9], 3.5)", lambda x: torch.full([9], 3.5)),
    ((3, 32), "asc2.zeros([9])", lambda x: torch.zeros(9, dtype=torch.int32)),
]


@pytest.mark.parametrize("dtype", DTYPES)
def test_shapes(platform, dtype):
    sheet = Sheet({}, {"k": 32})
    for i, (shape, text, function) in enumerate(SHAPES):
        x = torch.arange(-20, torch.Size(shape).numel() - 20).reshape(shape).to(DTYPES[dtype])
        sheet.inputs[f"x{i}"] = x
        sheet.exact(text.replace("(x", f"(x{i}").replace(" x", f" x{i}").replace("x.", f"x{i}.", 1 if text.startswith("x") else 0)
                    .replace("{dtype}", f"asc.{dtype}"), function(x).contiguous())
    sheet.run(platform)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_softmax_and_rms_norm(platform, dtype):
    generator = torch.Generator().manual_seed(3)
    sheet = Sheet({}, {"epsilon": 1e-3})
    for shape in [(1,), (7,), (300,), (1, 32), (5, 48), (17, 128)]:
        name = "x" + "_".join(map(str, shape))
        x = (torch.randn(shape, generator=generator) * 5).to(DTYPES[dtype])
        g = torch.randn(shape[-1:], generator=generator).to(DTYPES[dtype])
        sheet.inputs |= {name: x, f"g{name}": g}
        wide = x.double()
        sheet.near(f"asc2.softmax({name})", torch.softmax(wide, -1).to(x.dtype))
        sheet.near(f"{name}.softmax()", torch.softmax(wide, -1).to(x.dtype))
        for epsilon, value in ("1e-5", 1e-5), ("epsilon", 1e-3):
            norm = wide * g.double() / torch.sqrt((wide * wide).mean(-1, keepdim=True) + value)
            sheet.near(f"asc2.rms_norm({name}, g{name}, {epsilon})", norm.to(x.dtype))
    sheet.run(platform)


def test_softmax_of_extreme_rows(platform):
    """Large numbers do not overflow, minus infinity is a probability of 0."""
    x = torch.tensor([[3e38, 3e38] + [-3e38] * 30, [-torch.inf, 0.0] + [-torch.inf] * 30, [1000.0] * 32, [-1000.0] * 32])
    sheet = Sheet({"x": x})
    sheet.near("asc2.softmax(x)", torch.softmax(x.double(), -1).float())
    sheet.run(platform)


MATMULS = [(16, 16, 16), (32, 48, 64), (17, 32, 16), (1, 16, 128), (5, 48, 80), (64, 128, 128)]


@pytest.mark.parametrize("m, n, k", MATMULS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_matmul(platform, dtype, m, n, k):
    """Small integers: every order of adding gives the same bits. Operands where the user puts them, and where we do."""
    config.set_platform("Model", platform)
    generator = torch.Generator().manual_seed(m)
    a = torch.randint(-8, 9, (m, k), generator=generator).to(DTYPES[dtype])
    b = torch.randint(-8, 9, (k, n), generator=generator).to(DTYPES[dtype])
    product = a.float() @ b.float()
    narrow = DTYPES["float16" if dtype == "float32" else dtype]
    results = [torch.full((m, n), 77.0) for _ in range(4)] + [torch.full((m, n), 77.0, dtype=narrow) for _ in range(2)]
    with asc.check() as report:
        matmul_forms[1](a, b, *results, m, n, k)
    assert not report.findings, "\n".join(map(str, report.findings))
    for result, expected in zip(results, [product, product, 2 * product, product.relu(), product.to(narrow), product.relu().to(narrow)]):
        assert torch.equal(result, expected)


@asc2.jit
def matmul_forms(a_ptr, b_ptr, c0, c1, c2, c3, c4, c5, m: asc.ConstExpr[int], n: asc.ConstExpr[int], k: asc.ConstExpr[int]):
    L0A, L0B = asc2.TileLocation.L0A, asc2.TileLocation.L0B
    a_gm, b_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(b_ptr, [k, n])
    a = asc2.load(a_gm, [m, k], offsets=[0, 0], location=L0A)
    b = asc2.load(b_gm, [k, n], offsets=[0, 0], location=L0B)
    asc2.store(a @ b, asc2.tensor(c0, [m, n]), offsets=[0, 0])
    asc2.store(asc2.matmul(a, b), asc2.tensor(c1, [m, n]), offsets=[0, 0])
    acc = asc2.zeros_acc([m, n], asc.float32)
    for i in range(2):
        asc2.matmul_acc(a, b, acc)
    asc2.store(acc, asc2.tensor(c2, [m, n]), offsets=[0, 0])
    asc2.store(asc2.relu(a @ b), asc2.tensor(c3, [m, n]), offsets=[0, 0])
    narrow = asc2.tensor(c4, [m, n])
    asc2.store((a @ b).to(narrow.dtype), narrow, offsets=[0, 0])
    asc2.store(asc2.relu(a @ b).to(narrow.dtype), asc2.tensor(c5, [m, n]), offsets=[0, 0])


@asc2.jit
def atomics(x_ptr, add_ptr, max_ptr, min_ptr, size: asc.ConstExpr[int]):
    x = asc2.load(asc2.tensor(x_ptr, [asc2.block_num(), size]), [1, size], offsets=[asc2.block_idx(), 0]).ravel()
    asc2.atomic_add(x, asc2.tensor(add_ptr, [size]), [0])
    asc2.atomic_max(x, asc2.tensor(max_ptr, [size]), offsets=[0])
    asc2.atomic_min(x, asc2.tensor(min_ptr, [size]), offsets=[0])


@pytest.mark.parametrize("dtype", DTYPES)
def test_atomics(platform, dtype):
    """Blocks add to, and keep the extremes of, the same elements."""
    config.set_platform("Model", platform)
    blocks, size = 6, 64
    x = torch.randint(-9, 10, (blocks, size), generator=torch.Generator().manual_seed(2)).to(DTYPES[dtype])
    start = torch.full([size], 2, dtype=DTYPES[dtype])
    results = [start.clone() for _ in range(3)]
    with asc.check() as report:
        atomics[blocks](x, *results, size)
    assert not report.findings, "\n".join(map(str, report.findings))
    both = torch.cat([x, start[None]])
    for result, expected in zip(results, [both.long().sum(0).to(x.dtype), both.amax(0), both.amin(0)]):
        assert torch.equal(result, expected)


@asc2.jit
def scalar_access(x_ptr, y_ptr, n):
    x, y = asc2.tensor(x_ptr, [2, n]), asc2.tensor(y_ptr, [2, n])
    for i in range(n):
        asc2.store(asc2.load(x, offsets=[1, i]), y, offsets=[0, i])
        asc2.store(asc2.full([1], asc2.load(x, offsets=[0, i])), y, offsets=[1, i])


@pytest.mark.parametrize("dtype", DTYPES)
def test_scalars_of_global_memory(platform, dtype):
    config.set_platform("Model", platform)
    x = specials(dtype).repeat(2).reshape(2, -1)
    y = torch.zeros_like(x)
    with asc.check() as report:
        scalar_access[1](x, y, x.shape[1])
    assert not report.findings, "\n".join(map(str, report.findings))
    assert_exact("swapped rows", y, x.flip(0))
