"""What the kernels of this folder share: platforms, test inputs, the result check and the command line.

To use a kernel copy its `@asc2.jit` function and its launch function; from here it needs `first_tile` at most.
"""

import argparse
import math
import sys

import numpy as np

import asc
import asc2
from asc.runtime import config
from asc.runtime.profile import is_watched
from gate import compare

PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]
DTYPES = ["float16", "float32"]
STREAM = 16 * 1024  # bytes of a tile that memory brings at its full rate; larger ones make the first and the last one longer
ON_CHIP = 184 * 1024  # bytes of UB that tiles may have on any platform; the rest is for small buffers
# Cores are started one after another, which takes the 910B 9 us. Bytes that the first one loads before the last one begins.
HEAD_START = 224 * 1024

verdicts: list = []  # of the running test, for the command line to print


def use(platform, backend="Model"):
    config.set_platform(config.Backend(backend), config.Platform(platform))


def vector_cores():
    """Vector cores of the current platform: the number of blocks that run at once."""
    return config.core_count("vector")


def cube_cores():
    return config.core_count("cube")


def round_up(value, multiple):
    return -(-value // multiple) * multiple


def memory_decides():
    """Whether vector functions do the arithmetic, which then takes less time than the memory. Elsewhere each instruction takes a
    while to begin, and long tiles have fewer of them."""
    return config.platform_to_arch(config.current_platform()) == config.CompilationArch.C310


def tile_elements(array, bytes_each):
    """Elements of a tile of a kernel that needs `bytes_each` on chip for each: rings of two for what comes and what goes, and what
    lies in between. As many as fit (or as memory needs), and as many for every core."""
    share = asc.ceildiv(math.prod(array.shape), vector_cores())
    most = min(ON_CHIP // bytes_each, STREAM // array.itemsize if memory_decides() else ON_CHIP)
    return max(64, round_up(asc.ceildiv(share, asc.ceildiv(share, most)), 64))


def tile_rows(array, tile_cols, bytes_each, kept=0):
    """The same in rows, with `kept` bytes a column for what stays in memory."""
    most = (ON_CHIP - kept * tile_cols) // (bytes_each * tile_cols)
    if memory_decides():
        most = min(most, STREAM // (array.itemsize * tile_cols))
    return max(1, min(most, asc.ceildiv(array.shape[0], vector_cores())))


@asc2.jit
def first_tile(tiles, lead, block):
    """Where the tiles of a block begin. The first block takes `lead` tiles more than the last, as it begins earlier, and the others
    as many as lie between: so all end at the same time. That it is not negative spares loads a test of their beginning."""
    blocks = asc2.block_num()
    even = tiles // blocks * block + min(tiles % blocks, block)
    return max(even + lead * block * (blocks - block) // (2 * blocks), 0)


def lead(tiles, tile_bytes):
    """How many tiles more the first block of a kernel that memory decides takes than the last, for `first_tile`."""
    if memory_decides():
        return 0  # all cores of the 950 have begun after 2.5 us
    return min(HEAD_START // tile_bytes, tiles // vector_cores())


def sample(shape, dtype, low=-4.0, high=4.0, seed=0):
    """Reproducible test data, uniform between low and high."""
    return np.random.default_rng(seed).uniform(low, high, shape).astype(dtype)


def check(actual, expected):
    """Passes iff `actual` is as near to `expected` (computed in float64) as its dtype allows."""
    with np.errstate(over="ignore"):
        verdict = compare(actual, expected.astype(actual.dtype))
    verdicts.append(verdict)
    assert verdict.passed, str(verdict)


def cases(shapes, dtypes=DTYPES):
    """Marks a test(platform, dtype, shape) to be run by pytest for every combination. Plain calls work as before."""

    def mark(test):
        test.dtypes, test.shapes = dtypes, shapes
        try:
            import pytest
        except ImportError:
            return test
        name = lambda shape: "x".join(map(str, shape))
        test = pytest.mark.parametrize("shape", shapes, ids=name)(test)
        test = pytest.mark.parametrize("dtype", dtypes)(test)
        return pytest.mark.parametrize("platform", PLATFORMS)(test)

    return mark


# Around a tile of 4096 elements, around 48 and 72 such tiles, one element, a prime number of them.
FLAT_SHAPES = [(1,), (17,), (4095,), (4096,), (4097,), (10007,), (48 * 4096,), (72 * 4096 + 1,), (3, 50), (61, 127)]
# Rows that need no tail, column tails, row tails, single rows and columns.
ROW_SHAPES = [(1, 1), (1, 7), (5, 1), (3, 50), (16, 64), (31, 127), (7, 1000), (200, 33), (2, 4095), (97, 4096)]


def parse_shape(text):
    return tuple(int(n) for n in text.replace(",", "x").split("x") if n)


def main(*tests, shape):
    """Command line of a kernel: run its test once on the model, print the check and a short profile."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-r", "--backend", default="Model", choices=["Model", "NPU"])
    parser.add_argument("-v", "--platform", default="Ascend910B1", help="such as " + ", ".join(PLATFORMS))
    parser.add_argument("--dtype", choices=tests[0].dtypes, default=tests[0].dtypes[0])
    parser.add_argument("--shape", type=parse_shape, default=shape, help="such as 1024x4096")
    args = parser.parse_args()

    failed = False
    for test in tests:
        verdicts.clear()
        use(args.platform, args.backend)
        with asc.profile() as profile:
            try:
                test(args.platform, args.dtype, args.shape)
            except AssertionError:
                failed = True
        name = test.__name__.removeprefix("test_")
        for verdict in verdicts:
            print(f"{name}  {args.dtype}  {'x'.join(map(str, args.shape))}  on {config.current_platform().value}  {verdict}")
        if not is_watched():  # `tilesmith prof` prints the profile of all launches
            print(profile)
    sys.exit(1 if failed else 0)
