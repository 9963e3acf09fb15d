"""Launches of the expert kernels: the same arguments as the launch functions of the library, the tiling a host would choose.

`import launch` needs this folder and `kernels/` on the path; tests and bench/experts.py use it.
"""

import functools
from pathlib import Path

import golden

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
