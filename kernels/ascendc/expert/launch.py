"""Launches of the expert kernels: the same arguments as the launch functions of the library, the tiling a host would choose.

`import launch` needs this folder and `kernels/` on the path; tests and bench/experts.py use it.
"""

import functools
from pathlib import Path

import golden
import numpy as np

import asc
from asc.runtime import config

FOLDER = Path(__file__).resolve().parent
TYPES = {"float16": "half", "float32": "float"}
LINE = 512  # bytes; a core gets at least one


@functools.cache
def library(name):
    return asc.load_ascendc(str(FOLDER / f"{name}.cpp"), timeout=300)


def kernel(file, name, *arrays):
    """The kernel for the dtypes of the arrays."""
    return library(file)["_".join([name, *(TYPES[array.dtype.name] for array in arrays)])]


def flat_blocks(x):
    return min(golden.vector_cores(), -(-x.nbytes // LINE))


def add_launch(x, y, z):
    if x.size:
        kernel("add", "add", x)[flat_blocks(x)](x, y, z, x.size)


def gelu_launch(x, y, approximate="none"):
    if x.size:
        kernel("gelu", "gelu_tanh" if approximate == "tanh" else "gelu_erf", x)[flat_blocks(x)](x, y, x.size)


# Bytes of UB for tiles of rows, and bytes an element takes there (buffers and floats to work on), by kernel, architecture and dtype.
ROW_UB = {"C220": 190 * 1024, "C310": 240 * 1024}
ROW_BYTES = {
    "softmax": {"C220": {"float16": 10, "float32": 18}, "C310": {"float16": 10, "float32": 16}},
    "rms_norm": {"C220": {"float16": 10.5, "float32": 22}, "C310": {"float16": 6, "float32": 16}},
    "layer_norm": {"C220": {"float16": 10.5, "float32": 22}, "C310": {"float16": 6, "float32": 16}},
}
MOST_ROWS = 64  # of a tile: more would make the values of rows, a block for each, larger than rows
TILE_BYTES = 32 * 1024  # where memory decides: more would make the first and the last tile, which nothing hides, longer


def row_tiling(name, x, weights=0):
    """(blocks, elements from row to row in UB, rows of a tile); `weights` rows of floats are in UB besides."""
    rows, columns = x.shape
    arch = config.platform_to_arch(config.current_platform()).name
    pitch = golden.round_up(columns, 256 // x.itemsize)
    fits = (ROW_UB[arch] - weights * pitch * 4) // (ROW_BYTES[name][arch][x.dtype.name] * pitch + 1024)
    fits = int(fits)
    if fits < 1:
        raise ValueError(f"a row of {columns} elements does not fit into UB; {name} of the experts keeps rows whole")
    # The 910B's vector unit decides for halves, and long instructions are what helps it.
    wanted = fits if (arch, x.itemsize) == ("C220", 2) else max(1, TILE_BYTES // (pitch * x.itemsize))
    blocks = min(golden.vector_cores(), rows)
    return blocks, pitch, max(1, min(fits, wanted, MOST_ROWS, -(-rows // blocks)))


def softmax_launch(x, y):
    if x.size:
        blocks, *tiling = row_tiling("softmax", x)
        kernel("softmax", "softmax", x)[blocks](x, y, *x.shape, *tiling)


def rms_norm_launch(x, gamma, y, epsilon=1e-6):
    if x.size:
        blocks, *tiling = row_tiling("rms_norm", x, weights=1)
        kernel("rms_norm", "rms_norm", x)[blocks](x, gamma, y, *x.shape, epsilon, *tiling)


def layer_norm_launch(x, gamma, beta, y, epsilon=1e-5):
    if x.size:
        blocks, *tiling = row_tiling("layer_norm", x, weights=2)
        kernel("layer_norm", "layer_norm", x)[blocks](x, gamma, beta, y, *x.shape, epsilon, *tiling)


def reduce_launch(kind, x, y):
    """kind: "sum" or "max"; y has the dtype of x, the arithmetic is that of floats."""
    rows, columns = x.shape
    if not x.size:
        return
    arch = config.platform_to_arch(config.current_platform()).name
    dense = columns in ((8, 16, 32) if arch == "C220" else (2, 4, 8, 16, 32))
    pitch = columns if dense else golden.round_up(columns, 256 // x.itemsize)
    fits = ROW_UB[arch] // ((3 * x.itemsize + 4 + 2.5) * pitch + 64)
    if fits < 1:
        raise ValueError(f"a row of {columns} elements does not fit into UB; reduce of the experts keeps rows whole")
    most = max(1, int(min(fits, TILE_BYTES // (pitch * x.itemsize), 4000 if dense else 240)))
    blocks = min(golden.vector_cores(), -(-rows // min(most, 16)))
    kernel("reduce", f"reduce_{kind}", x)[blocks](x, y, rows, columns, pitch, min(most, golden.round_up(-(-rows // blocks), 16)))


# Bytes a cycle brings to L1 of each core while all cores load from L2: what decides between high and even results.
LOAD_RATE = 90


def matmul_tiling(m, n):
    """(blocks, results over the height of C, results over the width of a panel) for the current platform."""
    is_950 = config.platform_to_arch(config.current_platform()) == config.CompilationArch.C310
    most_rows, columns, cores = 256 if is_950 else 128, 256, golden.cube_cores()
    wide, fractals = -(-n // columns), -(-m // 16)
    least = -(-m // most_rows)

    def cycles(high):
        """Of the busiest core for each step of 1 in k: products, or loads where these take longer."""
        height = fractals / high
        return -(-high * wide // cores) * max(height, (16 * height + columns) * 2 / LOAD_RATE)

    high = min(range(least, min(fractals, 2 * least) + 1), key=cycles)
    return min(cores, high * wide), high, min(4, wide)


def matmul_launch(a, b, c):
    (m, k), n = a.shape, b.shape[1]
    if not c.size:
        return
    blocks, high, panel = matmul_tiling(m, n)
    kernel("matmul", "matmul", a, c)[blocks](a, b, c, m, n, k, high, panel)


# Queries of a tile and keys of a step, by the size of a head: what fits into UB.
FLASH_TILES = {
    "C220": {64: (256, 512), 128: (256, 512), 256: (128, 384)},
    "C310": {64: (128, 256), 128: (128, 256), 256: (128, 128)},
}


def flash_attention_tiling(heads, queries, keys, size):
    """(blocks, queries of a tile, keys of a step, bytes of the workspace) for the current platform."""
    arch = config.platform_to_arch(config.current_platform()).name
    if size not in FLASH_TILES[arch]:
        raise ValueError(f"heads of {size} elements; flash_attention of the experts takes 64, 128 and 256")
    cores, (most, width) = golden.cube_cores(), FLASH_TILES[arch][size]

    def time(rows):
        """Of the busiest core, in queries; keys and values that come once for each tile count, too."""
        return -(-heads * -(-queries // rows) // cores) * (rows + 64)

    rows = min(range(most, 0, -32), key=time)
    rows, width = min(rows, golden.round_up(queries, 16)), min(width, golden.round_up(keys, 128))
    blocks = min(cores, heads * -(-queries // rows))
    return blocks, rows, width, blocks * 3 * rows * (6 * width + 4 * size) if arch == "C220" else 32


def flash_attention_launch(q, k, v, o, causal=False, scale=None):
    """Arrays [heads of all batches, queries or keys, size] of float16, or of bfloat16 as uint16."""
    (heads, queries, size), keys = q.shape, k.shape[1]
    if not o.size:
        return
    blocks, rows, width, bytes_needed = flash_attention_tiling(heads, queries, keys, size)
    workspace = np.zeros(bytes_needed, np.uint8)
    name = "flash_attention_half" if q.dtype == np.float16 else "flash_attention_bfloat"
    scale = size**-0.5 if scale is None else scale
    library("flash_attention")[name][blocks](q, k, v, o, workspace, heads, queries, keys, size, scale, int(causal), rows, width)
