"""Examples of all functions of asc2, for docs/functions.md (tools/functions.py). Every one of them runs in the tests.

A row of OF_TILES is an expression of tiles x and y, and what NumPy gives for the same arrays; the page makes a kernel of it.
What needs more is a program of its own, in PROGRAMS. Tiles of an example are small enough to be read and printed.
"""

# Groups of the page, in the order of a kernel.
GROUPS = {
    "Global memory": [
        "tensor",
        "load",
        "store",
        "load_rows",
        "store_rows",
        "copy",
        "num_tiles",
        "atomic_add",
        "atomic_max",
        "atomic_min",
    ],
    "Blocks and loops": ["jit", "block_idx", "block_num", "range", "mask"],
    "Arithmetic": [
        "add",
        "sub",
        "mul",
        "div",
        "fmod",
        "remainder",
        "pow",
        "negative",
        "maximum",
        "minimum",
        "abs",
        "left_shift",
        "right_shift",
    ],
    "Comparisons": ["equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "where"],
    "Functions": [
        "exp",
        "exp2",
        "log",
        "log2",
        "sqrt",
        "rsqrt",
        "reciprocal",
        "log1p",
        "expm1",
        "erf",
        "relu",
        "gelu",
        "sigmoid",
        "silu",
        "softplus",
        "sin",
        "cos",
        "tan",
        "sinh",
        "cosh",
        "tanh",
        "ceil",
        "floor",
        "softmax",
        "rms_norm",
    ],
    "Making tiles": ["full", "full_like", "zeros", "zeros_like", "arange", "concat"],
    "Shapes": ["broadcast_to", "reshape", "ravel", "expand_dims", "squeeze", "transpose"],
    "Reductions": ["reduce_sum", "reduce_max", "reduce_min", "reduce_prod"],
    "Positions": ["argmax", "argmin", "cumsum", "sort", "topk", "gather", "scatter"],
    "Matrix products": ["matmul", "matmul_acc", "zeros_acc"],
    "Looking inside": ["device_print", "device_assert"],
    "Types": ["Tile", "Tensor", "TileLocation"],
}

# Names that have a page of their own.
ELSEWHERE = {
    "autotune": "tuning",
    "Config": "tuning",
    "placeholder": "tuning",
    "placeholder_like": "tuning",
    "breakpoint": "debugging",
}

# The arrays of the examples; those of OF_TILES are x and y, of 8 elements.
FRAME = '''
import numpy as np

import asc, asc2

x = np.array([-2, -1, -0.5, 0, 0.5, 1, 2, 3], np.float32)
y = np.array([3, -1, 2, 1, 0.5, -4, 2, 1], np.float32)
a = np.arange(1, 33, dtype=np.float32).reshape(4, 8)  # a matrix


def run(kernel, *arrays, shape=(8,), dtype=np.float32):
    """What a kernel makes of these arrays; its last argument is the result."""
    z = np.zeros(shape, dtype)
    kernel[1](*arrays, z)
    return z
'''

# name: (expression of tiles, the same by NumPy), or a third thing: the dtype of the result.
OF_TILES = {
    "add": ("x + y", "x + y"),
    "sub": ("x - y", "x - y"),
    "mul": ("x * 2.5", "x * 2.5"),
    "div": ("x / y", "x / y"),
    "fmod": ("x % 2.0", "np.fmod(x, 2)"),
    "remainder": ("asc2.remainder(x, 2.0)", "x % 2"),
    "pow": ("x**3 + asc2.pow(2.0, y)", "x**3 + 2**y"),
    "log1p": ("asc2.log1p(asc2.abs(x))", "np.log1p(np.abs(x))"),
    "expm1": ("asc2.expm1(x)", "np.expm1(x)"),
    "gelu": ("asc2.gelu(x)", "[v * (1 + math.erf(v / 2**0.5)) / 2 for v in x]"),
    "sigmoid": ("asc2.sigmoid(x)", "1 / (1 + np.exp(-x))"),
    "silu": ("asc2.silu(x)", "x / (1 + np.exp(-x))"),
    "softplus": ("asc2.softplus(x)", "np.log1p(np.exp(x))"),
    "arange": ("x + asc2.arange(8) * asc2.arange(0.0, 4.0, 0.5)", "x + np.arange(8) * np.arange(0, 4, 0.5)"),
    "negative": ("-x", "-x"),
    "maximum": ("asc2.maximum(x, y)", "np.maximum(x, y)"),
    "minimum": ("asc2.minimum(x, 1.0)", "np.minimum(x, 1)"),
    "abs": ("asc2.abs(x)", "np.abs(x)"),
    "left_shift": ("x.to(asc.int32) << 3", "x.astype(np.int32) << 3", "int32"),
    "right_shift": ("y.to(asc.int32) >> 1", "y.astype(np.int32) >> 1", "int32"),
    "equal": ("asc2.where(x == y, 1.0, 0.0)", "x == y"),
    "not_equal": ("asc2.where(x != y, x, 0.0)", "np.where(x != y, x, 0)"),
    "greater": ("asc2.where((x > 0.0) & (y > 0.0), x, y)", "np.where((x > 0) & (y > 0), x, y)"),
    "greater_equal": ("(x >= y).to(asc.float32)", "x >= y"),
    "less": ("asc2.where(~(x < 0.0), x, 0.0)", "np.where(~(x < 0), x, 0)"),
    "less_equal": ("asc2.where(x <= 1.0, x, 1.0)", "np.minimum(x, 1)"),
    "where": ("asc2.where(x > y, x - y, 0.0)", "np.maximum(x - y, 0)"),
    "exp": ("asc2.exp(x)", "np.exp(x)"),
    "exp2": ("asc2.exp2(x)", "np.exp2(x)"),
    "log": ("asc2.log(asc2.abs(y))", "np.log(np.abs(y))"),
    "log2": ("asc2.log2(asc2.abs(y))", "np.log2(np.abs(y))"),
    "sqrt": ("asc2.sqrt(x * x + y * y)", "np.hypot(x, y)"),
    "rsqrt": ("asc2.rsqrt(x * x + 1.0)", "1 / np.sqrt(x * x + 1)"),
    "reciprocal": ("asc2.reciprocal(x * x + 1.0)", "1 / (x * x + 1)"),
    "erf": ("0.5 * (1.0 + asc2.erf(x / 2.0**0.5))", "[0.5 * (1 + math.erf(v / 2**0.5)) for v in x]"),
    "relu": ("asc2.relu(x)", "np.maximum(x, 0)"),
    "sin": ("asc2.sin(x)", "np.sin(x)"),
    "cos": ("asc2.cos(x)", "np.cos(x)"),
    "tan": ("asc2.tan(x)", "np.tan(x)"),
    "sinh": ("asc2.sinh(x)", "np.sinh(x)"),
    "cosh": ("asc2.cosh(x)", "np.cosh(x)"),
    "tanh": ("asc2.tanh(x)", "np.tanh(x)"),
    "ceil": ("asc2.ceil(x)", "np.ceil(x)"),
    "floor": ("asc2.floor(x)", "np.floor(x)"),
    "softmax": ("asc2.softmax(x)", "np.exp(x) / np.exp(x).sum()"),
    "rms_norm": ("asc2.rms_norm(x, y, 1e-6)", "x * y / np.sqrt((x * x).mean() + 1e-6)"),
    "full": ("asc2.full([8], 2.5) * x", "2.5 * x"),
    "full_like": ("asc2.full_like(x, 2.5) * x", "2.5 * x"),
    "zeros": ("asc2.zeros([8], asc.float32) + x", "x"),
    "zeros_like": ("asc2.zeros_like(x) - x", "-x"),
}

PROGRAMS = {
    "load_rows": """
@asc2.jit
def embed(a_ptr, i_ptr, z_ptr):
    ids = asc2.load(asc2.tensor(i_ptr, [3]), [3], offsets=[0])
    rows = asc2.load_rows(asc2.tensor(a_ptr, [4, 8]), ids, 8)  # a row of 8 columns for each number
    asc2.store(rows, asc2.tensor(z_ptr, [3, 8]), offsets=[0, 0])


assert (run(embed, a, np.array([2, 0, 2], np.int32), shape=(3, 8)) == a[[2, 0, 2]]).all()
""",
    "store_rows": """
@asc2.jit
def place_rows(a_ptr, i_ptr, z_ptr):
    ids = asc2.load(asc2.tensor(i_ptr, [4]), [4], offsets=[0])
    rows = asc2.load(asc2.tensor(a_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    asc2.store_rows(rows, asc2.tensor(z_ptr, [6, 8]), ids)  # the row with number -1 is dropped


z = run(place_rows, a, np.array([5, 0, -1, 3], np.int32), shape=(6, 8))
assert (z[[5, 0, 3]] == a[[0, 1, 3]]).all() and (z[[1, 2, 4]] == 0).all()
""",
    "transpose": """
@asc2.jit
def turn(a_ptr, z_ptr):
    tile = asc2.load(asc2.tensor(a_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    swapped = tile.reshape(2, 2, 8).transpose(2, 0, 1)  # [8, 2, 2]
    asc2.store(swapped.ravel() + tile.T.ravel(), asc2.tensor(z_ptr, [32]), offsets=[0])


assert (run(turn, a, shape=32) == 2 * a.T.ravel()).all()
""",
    "argmax": """
@asc2.jit
def best(a_ptr, z_ptr):
    tile = asc2.load(asc2.tensor(a_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    asc2.store(tile.argmax(1) + asc2.argmax(tile), asc2.tensor(z_ptr, [4]), offsets=[0])  # along rows, and of all: a number


assert (run(best, a, shape=4, dtype=np.int32) == a.argmax(1) + a.argmax()).all()
""",
    "argmin": """
@asc2.jit
def least(x_ptr, z_ptr):
    x = asc2.load(asc2.tensor(x_ptr, [8]), [8], offsets=[0])
    asc2.store(asc2.argmin(x), asc2.tensor(z_ptr, [1]), offsets=[0])


assert run(least, y, shape=1, dtype=np.int32) == y.argmin()
""",
    "cumsum": """
@asc2.jit
def sums(a_ptr, z_ptr):
    tile = asc2.load(asc2.tensor(a_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    asc2.store(tile.cumsum(0) + tile.cumsum(), asc2.tensor(z_ptr, [4, 8]), offsets=[0, 0])  # along columns, along rows


assert (run(sums, a, shape=(4, 8)) == a.cumsum(0) + a.cumsum(1)).all()
""",
    "sort": """
@asc2.jit
def in_order(x_ptr, z_ptr):
    x = asc2.load(asc2.tensor(x_ptr, [8]), [8], offsets=[0])
    values, positions = asc2.sort(x)
    asc2.store(values * 10.0 + positions, asc2.tensor(z_ptr, [8]), offsets=[0])


assert (run(in_order, y) == np.sort(y) * 10 + np.argsort(y, kind="stable")).all()
""",
    "topk": """
@asc2.jit
def three_best(x_ptr, z_ptr):
    x = asc2.load(asc2.tensor(x_ptr, [8]), [8], offsets=[0])
    values, positions = asc2.topk(x, 3)
    asc2.store(x.gather(positions) + values, asc2.tensor(z_ptr, [3]), offsets=[0])


assert (run(three_best, x, shape=3) == 2 * np.sort(x)[:-4:-1]).all()
""",
    "gather": """
@asc2.jit
def reorder(a_ptr, i_ptr, z_ptr):
    tile = asc2.load(asc2.tensor(a_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    index = asc2.load(asc2.tensor(i_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    asc2.store(tile.gather(index, 1) + asc2.gather(tile, asc2.arange(8) * 4), asc2.tensor(z_ptr, [4, 8]), offsets=[0, 0])


index = np.random.default_rng(0).integers(0, 8, (4, 8)).astype(np.int32)
z = run(reorder, a, index, shape=(4, 8))
assert (z == np.take_along_axis(a, index, 1) + a.ravel()[::4]).all()
""",
    "scatter": """
@asc2.jit
def spread(x_ptr, i_ptr, z_ptr):
    x = asc2.load(asc2.tensor(x_ptr, [8]), [8], offsets=[0])
    index = asc2.load(asc2.tensor(i_ptr, [8]), [8], offsets=[0])
    asc2.store(asc2.zeros([16], asc.float32).scatter(index, x), asc2.tensor(z_ptr, [16]), offsets=[0])


z = run(spread, x, np.arange(8, dtype=np.int32) * 2, shape=16)
assert (z[::2] == x).all() and (z[1::2] == 0).all()
""",
    "device_assert": """
@asc2.jit
def only_positive(x_ptr, n):
    asc2.device_assert(n > 0, "n must be positive", n)
    asc2.store(n, asc2.tensor(x_ptr, [1]), offsets=[0])


only_positive[1](np.zeros(1, np.float32), 3)
try:
    only_positive[1](np.zeros(1, np.float32), -3)  # prints: [block 0] functions.md:3: n must be positive: -3
except asc.KernelError as error:
    assert "n must be positive" in str(error)
""",
    "tensor": """
@asc2.jit
def scale(x_ptr, z_ptr, n):
    x_gm = asc2.tensor(x_ptr, [n])  # dimensions may be numbers of the launch
    z_gm = asc2.tensor(z_ptr, [n])
    asc2.store(asc2.load(x_gm, [8], offsets=[0]) * 2.0, z_gm, offsets=[0])


z = np.zeros(5, np.float32)
scale[1](x, z, 5)  # of the eight elements loaded, five are inside
assert (z == 2 * x[:5]).all()


@asc2.jit
def columns(a_ptr, z_ptr):
    turned = asc2.tensor(a_ptr, [8, 4], strides=[1, 8])  # the columns of a matrix of 4 rows
    asc2.store(asc2.load(turned, [8, 8], offsets=[0, 0]), asc2.tensor(z_ptr, [8, 4]), offsets=[0, 0])


assert (run(columns, a, shape=(8, 4)) == a.T).all()
""",
    "load": """
@asc2.jit
def corner(a_ptr, t_ptr, z_ptr):
    a_gm = asc2.tensor(a_ptr, [4, 8])
    tile = asc2.load(a_gm, [2, 8], tile_id=[1, 0])  # rows 2 and 3; tile_id counts in tiles
    beyond = asc2.load(a_gm, [2, 8], offsets=[3, 4], pad_value=-1.0)  # from row 3, column 4; offsets count elements
    row = asc2.load(asc2.tensor(t_ptr, [1]), offsets=[0])  # without a shape: one number
    single = asc2.load(a_gm, [1, 8], offsets=[row, 0])  # offsets may be numbers of the kernel
    asc2.store(asc2.concat(tile, beyond, single), asc2.tensor(z_ptr, [5, 8]), offsets=[0, 0])


z = run(corner, a, np.array([1], np.int32), shape=(5, 8))
assert (z[:2] == a[2:]).all() and (z[4] == a[1]).all()
assert (z[2] == [29, 30, 31, 32, -1, -1, -1, -1]).all() and (z[3] == -1).all()
""",
    "store": """
@asc2.jit
def write(x_ptr, z_ptr):
    z_gm = asc2.tensor(z_ptr, [12])
    x = asc2.load(asc2.tensor(x_ptr, [8]), [8], offsets=[0])
    asc2.store(x, z_gm, tile_id=[1])  # elements 8 to 15: those beyond 11 are dropped
    asc2.store(7.0, z_gm, offsets=[0])  # a number


z = run(write, x, shape=12)
assert (z[8:] == x[:4]).all() and (z[:8] == [7, 0, 0, 0, 0, 0, 0, 0]).all()
""",
    "copy": """
@asc2.jit
def part(a_ptr, z_ptr):
    a = asc2.load(asc2.tensor(a_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    asc2.store(asc2.copy(a, [2, 8], offsets=[1, 0]), asc2.tensor(z_ptr, [2, 8]), offsets=[0, 0])


assert (run(part, a, shape=(2, 8)) == a[1:3]).all()
""",
    "num_tiles": """
@asc2.jit
def double(x_ptr, z_ptr, n):
    x_gm, z_gm = asc2.tensor(x_ptr, [n]), asc2.tensor(z_ptr, [n])
    for i in asc2.range(asc2.num_tiles(x_gm, 0, [64])):  # 100 elements are two tiles of 64
        asc2.store(asc2.load(x_gm, [64], tile_id=[i]) * 2.0, z_gm, tile_id=[i])


z = np.zeros(100, np.float32)
double[1](np.ones(100, np.float32), z, 100)
assert (z == 2).all()
""",
    "atomic_add": """
@asc2.jit
def total(a_ptr, z_ptr):
    row = asc2.load(asc2.tensor(a_ptr, [4, 8]), [1, 8], offsets=[asc2.block_idx(), 0]).reshape(8)
    asc2.atomic_add(row, asc2.tensor(z_ptr, [8]), offsets=[0])


z = np.zeros(8, np.float32)
total[4](a, z)  # four blocks, one row each
assert (z == a.sum(axis=0)).all()
""",
    "atomic_max": """
@asc2.jit
def highest(a_ptr, z_ptr):
    row = asc2.load(asc2.tensor(a_ptr, [4, 8]), [1, 8], offsets=[asc2.block_idx(), 0]).reshape(8)
    asc2.atomic_max(row, asc2.tensor(z_ptr, [8]), offsets=[0])


z = np.full(8, 20, np.float32)
highest[4](a, z)
assert (z == np.maximum(a.max(axis=0), 20)).all()
""",
    "atomic_min": """
@asc2.jit
def lowest(a_ptr, z_ptr):
    row = asc2.load(asc2.tensor(a_ptr, [4, 8]), [1, 8], offsets=[asc2.block_idx(), 0]).reshape(8)
    asc2.atomic_min(row, asc2.tensor(z_ptr, [8]), offsets=[0])


z = np.full(8, 5, np.float32)
lowest[4](a, z)
assert (z == np.minimum(a.min(axis=0), 5)).all()
""",
    "jit": """
@asc2.jit
def half_of(tile):  # called from kernels; inlined
    return tile * 0.5


@asc2.jit(opt_level=1)  # options: docs/options.md
def halve(x_ptr, z_ptr, n, tile: asc.ConstExpr[int]):  # ConstExpr: known while compiling
    x = asc2.load(asc2.tensor(x_ptr, [n]), [tile], offsets=[0])
    asc2.store(half_of(x), asc2.tensor(z_ptr, [n]), offsets=[0])


z = np.zeros(8, np.float32)
halve[1](x, z, 8, tile=8)  # [1]: one block
assert (z == x / 2).all()
""",
    "block_idx": """
@asc2.jit
def numbers(z_ptr):
    asc2.store(asc2.full([8], asc2.block_idx(), asc.int32), asc2.tensor(z_ptr, [32]), tile_id=[asc2.block_idx()])


z = np.zeros(32, np.int32)
numbers[4](z)
assert (z == np.repeat([0, 1, 2, 3], 8)).all()
""",
    "block_num": """
@asc2.jit
def share(x_ptr, z_ptr):
    for i in asc2.range(asc2.block_idx(), 16, asc2.block_num()):  # tiles dealt to the blocks in turn
        asc2.store(asc2.load(asc2.tensor(x_ptr, [1024]), [64], tile_id=[i]) + 1.0, asc2.tensor(z_ptr, [1024]), tile_id=[i])


z = np.zeros(1024, np.float32)
share[3](np.zeros(1024, np.float32), z)  # right for any number of blocks
assert (z == 1).all()
""",
    "range": """
@asc2.jit
def power(x_ptr, z_ptr, n):
    x = asc2.load(asc2.tensor(x_ptr, [8]), [8], offsets=[0])
    product = asc2.full([8], 1.0)
    for _ in asc2.range(n):  # runs on the chip; plain `range` is the same. asc.static_range unrolls
        product = product * x
    asc2.store(product, asc2.tensor(z_ptr, [8]), offsets=[0])


z = np.zeros(8, np.float32)
power[1](x, z, 3)
assert (z == x**3).all()
""",
    "mask": """
@asc2.jit
def first_five(x_ptr, z_ptr):
    x = asc2.load(asc2.tensor(x_ptr, [8]), [8], offsets=[0])
    z = asc2.zeros([8], asc.float32)
    with asc2.mask(count=5, other=9.0):
        z = x * 10.0
    asc2.store(z, asc2.tensor(z_ptr, [8]), offsets=[0])


assert (run(first_five, x) == [*(x[:5] * 10), 9, 9, 9]).all()
""",
    "concat": """
@asc2.jit
def twice(a_ptr, z_ptr):
    a = asc2.load(asc2.tensor(a_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    asc2.store(asc2.concat(a, a * 2.0), asc2.tensor(z_ptr, [8, 8]), offsets=[0, 0])


assert (run(twice, a, shape=(8, 8)) == np.concatenate([a, 2 * a])).all()
""",
    "broadcast_to": """
@asc2.jit
def minus_row(a_ptr, x_ptr, z_ptr):
    a = asc2.load(asc2.tensor(a_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    row = asc2.load(asc2.tensor(x_ptr, [1, 8]), [1, 8], offsets=[0, 0])
    asc2.store(a - row.broadcast_to(4, 8), asc2.tensor(z_ptr, [4, 8]), offsets=[0, 0])


assert (run(minus_row, a, x, shape=(4, 8)) == a - x).all()
""",
    "reshape": """
@asc2.jit
def as_matrix(x_ptr, z_ptr):
    flat = asc2.load(asc2.tensor(x_ptr, [32]), [32], offsets=[0])
    asc2.store(flat.reshape(4, 8), asc2.tensor(z_ptr, [4, 8]), offsets=[0, 0])


assert (run(as_matrix, a.ravel(), shape=(4, 8)) == a).all()
""",
    "ravel": """
@asc2.jit
def flat(a_ptr, z_ptr):
    tile = asc2.load(asc2.tensor(a_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    asc2.store(tile.ravel(), asc2.tensor(z_ptr, [32]), offsets=[0])


assert (run(flat, a, shape=32) == a.ravel()).all()
""",
    "expand_dims": """
@asc2.jit
def outer(x_ptr, z_ptr):
    x = asc2.load(asc2.tensor(x_ptr, [8]), [8], offsets=[0])
    product = x.expand_dims(1).broadcast_to(8, 8) * x.expand_dims(0).broadcast_to(8, 8)
    asc2.store(product, asc2.tensor(z_ptr, [8, 8]), offsets=[0, 0])


assert (run(outer, x, shape=(8, 8)) == np.outer(x, x)).all()
""",
    "squeeze": """
@asc2.jit
def one_row(a_ptr, z_ptr):
    row = asc2.load(asc2.tensor(a_ptr, [4, 8]), [1, 8], offsets=[2, 0])
    asc2.store(row.squeeze(0), asc2.tensor(z_ptr, [8]), offsets=[0])


assert (run(one_row, a) == a[2]).all()
""",
    "reduce_sum": """
@asc2.jit
def sums(a_ptr, z_ptr):
    a = asc2.load(asc2.tensor(a_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    columns = asc2.reduce_sum(a, 0)  # over the rows: a tile [8]
    share = a / a.sum(1, keep_dims=True).broadcast_to(4, 8)  # as a method; [4, 1] with keep_dims
    asc2.store(columns / asc2.reduce_sum(a) + share.sum(0), asc2.tensor(z_ptr, [8]), offsets=[0])  # of all: a number


assert np.allclose(run(sums, a), a.sum(0) / a.sum() + (a / a.sum(1, keepdims=True)).sum(0))
""",
    "reduce_max": """
@asc2.jit
def row_max(a_ptr, z_ptr):
    a = asc2.load(asc2.tensor(a_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    asc2.store(a.max(1), asc2.tensor(z_ptr, [4]), offsets=[0])


assert (run(row_max, a, shape=4) == a.max(axis=1)).all()
""",
    "reduce_min": """
@asc2.jit
def minus_min(x_ptr, z_ptr):
    x = asc2.load(asc2.tensor(x_ptr, [8]), [8], offsets=[0])
    asc2.store(x - x.min(), asc2.tensor(z_ptr, [8]), offsets=[0])  # a number beside a tile needs no broadcasting


assert (run(minus_min, x) == x - x.min()).all()
""",
    "reduce_prod": """
@asc2.jit
def products(a_ptr, z_ptr):
    a = asc2.load(asc2.tensor(a_ptr, [4, 8]), [4, 8], offsets=[0, 0])
    asc2.store(asc2.reduce_prod(a, 0), asc2.tensor(z_ptr, [8]), offsets=[0])


assert np.allclose(run(products, a), a.prod(axis=0))
""",
    "matmul": """
@asc2.jit
def product(p_ptr, q_ptr, z_ptr):
    p = asc2.load(asc2.tensor(p_ptr, [32, 16]), [32, 16], offsets=[0, 0])
    q = asc2.load(asc2.tensor(q_ptr, [16, 48]), [16, 48], offsets=[0, 0])
    asc2.store(p @ q, asc2.tensor(z_ptr, [32, 48]), offsets=[0, 0])  # on a cube core; the result is float32


p, q = np.random.rand(32, 16).astype(np.float16), np.random.rand(16, 48).astype(np.float16)
assert np.allclose(run(product, p, q, shape=(32, 48)), p.astype(np.float32) @ q.astype(np.float32), rtol=1e-5)
""",
    "matmul_acc": """
@asc2.jit
def long_product(p_ptr, q_ptr, z_ptr, k):
    p_gm, q_gm = asc2.tensor(p_ptr, [32, k]), asc2.tensor(q_ptr, [k, 32])
    acc = asc2.zeros_acc([32, 32], asc.float32)  # stays in L0C
    for j in asc2.range(asc.ceildiv(k, 16)):
        left = asc2.load(p_gm, [32, 16], tile_id=[0, j], location=asc2.TileLocation.L0A)
        right = asc2.load(q_gm, [16, 32], tile_id=[j, 0], location=asc2.TileLocation.L0B)
        asc2.matmul_acc(left, right, acc)
    asc2.store(acc, asc2.tensor(z_ptr, [32, 32]), offsets=[0, 0])


p, q = np.random.rand(32, 40).astype(np.float16), np.random.rand(40, 32).astype(np.float16)
z = np.zeros((32, 32), np.float32)
long_product[1](p, q, z, 40)
assert np.allclose(z, p.astype(np.float32) @ q.astype(np.float32), rtol=1e-5)
""",
    "zeros_acc": """
@asc2.jit
def squared(p_ptr, z_ptr):
    p = asc2.load(asc2.tensor(p_ptr, [16, 16]), [16, 16], offsets=[0, 0])
    acc = asc2.zeros_acc([16, 16], asc.float32)
    asc2.matmul_acc(p, p, acc)  # changes acc, and returns nothing
    asc2.matmul_acc(p, p, acc)
    asc2.store(acc, asc2.tensor(z_ptr, [16, 16]), offsets=[0, 0])


p = np.eye(16, dtype=np.float16) * 3
assert (run(squared, p, shape=(16, 16)) == np.eye(16) * 18).all()
""",
    "device_print": """
@asc2.jit
def look(x_ptr):
    x = asc2.load(asc2.tensor(x_ptr, [8]), [8], offsets=[0])
    asc2.device_print("{} elements, the largest is {:.2f}", 8, x.max())


look[1](x)  # prints: [block 0] functions.md:4: 8 elements, the largest is 3.00
""",
    "Tile": """
@asc2.jit
def facts(x_ptr, z_ptr):
    x = asc2.load(asc2.tensor(x_ptr, [8]), [8], offsets=[0])
    asc.static_assert(x.shape == (8,) and x.size == 8 and x.dtype == asc.float32)  # known while compiling
    asc2.store(x.to(asc.int32).to(x.dtype), asc2.tensor(z_ptr, [8]), offsets=[0])  # truncates


assert (run(facts, x) == np.trunc(x)).all()
""",
    "Tensor": """
@asc2.jit
def fill(z_ptr, rows):
    z_gm = asc2.tensor(z_ptr, [rows, 8])
    asc.static_assert(z_gm.shape[1] == 8 and z_gm.shape.is_dynamic_dim(0))
    for row in asc2.range(z_gm.shape[0]):
        asc2.store(asc2.full([1, 8], 3, z_gm.dtype), z_gm, offsets=[row, 0])


z = np.zeros((5, 8), np.int32)
fill[1](z, 5)
assert (z == 3).all()
""",
    "TileLocation": """
@asc2.jit
def product_from_l1(p_ptr, q_ptr, z_ptr):
    left = asc2.load(asc2.tensor(p_ptr, [32, 32]), [32, 32], offsets=[0, 0], location=asc2.TileLocation.L1)
    right = asc2.load(asc2.tensor(q_ptr, [32, 32]), [32, 32], offsets=[0, 0], location=asc2.TileLocation.L0B)
    half = asc2.copy(left, [16, 32], offsets=[16, 0], location=asc2.TileLocation.L0A)
    asc2.store(half @ right, asc2.tensor(z_ptr, [16, 32]), offsets=[0, 0])


p, q = np.random.rand(32, 32).astype(np.float16), np.eye(32, dtype=np.float16)
assert (run(product_from_l1, p, q, shape=(16, 32)) == p[16:]).all()
""",
}
