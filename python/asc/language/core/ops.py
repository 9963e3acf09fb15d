"""Tools of the language that are not about tiles."""

from asc._builtin import builtin


@builtin("asc.ceildiv", on_host=True)
def ceildiv(x, y):
    """x / y rounded up: (x + y - 1) // y. For Python ints, and for runtime values inside a kernel."""
    return (x + y - 1) // y


@builtin("asc.number")
def number(value, dtype):
    """A runtime number of this dtype: `asc.number(1, asc.int64)`."""


@builtin("asc.get_block_idx")
def get_block_idx():
    """Index of this block, from 0."""


@builtin("asc.get_block_num")
def get_block_num():
    """Number of blocks of the launch."""


@builtin("asc.range")
def range(*bounds):
    """`range([start,] stop [, step])`: a loop that runs on the chip."""


@builtin("asc.static_range")
def static_range(*bounds):
    """`static_range([start,] stop [, step])`: a loop unrolled while compiling; its variable is a Python int."""


@builtin("asc.static_assert", on_host=True)
def static_assert(test, message=None):
    """Checked while compiling; a false test is an error with the message."""
    assert test, message
