"""Tools of the language that are not about tiles."""

from __future__ import annotations

from asc._builtin import builtin


@builtin(
    "asc.ceildiv",
    on_host=True,
    forms=("(x: int, y: int) -> int", "(x: PlainValue, y: RuntimeInt) -> PlainValue", "(x: int, y: PlainValue) -> PlainValue"),
)
def ceildiv(x: RuntimeInt, y: RuntimeInt) -> RuntimeInt:
    """x / y rounded up: (x + y - 1) // y. For Python ints, and for runtime values inside a kernel."""
    return (x + y - 1) // y


@builtin("asc.number")
def number(value: Scalar, dtype: DataType) -> PlainValue:
    """A runtime number of this dtype: `asc.number(1, asc.int64)`."""


@builtin("asc.get_block_idx")
def get_block_idx() -> PlainValue:
    """Index of this block, from 0."""


@builtin("asc.get_block_num")
def get_block_num() -> PlainValue:
    """Number of blocks of the launch."""


@builtin("asc.range")
def range(*bounds: RuntimeInt) -> Iterator[PlainValue]:
    """`range([start,] stop [, step])`: a loop that runs on the chip."""


@builtin("asc.static_range")
def static_range(*bounds: int) -> Iterator[int]:
    """`static_range([start,] stop [, step])`: a loop unrolled while compiling; its variable is a Python int."""


@builtin("asc.device_print")
def device_print(fmt, *values):
    """The same as `asc2.device_print`."""


@builtin("asc.array")
def array(dtype, len_or_values, fill_value=0):
    """A small array of runtime numbers: a length and what to fill it with, or the values. Indices may be runtime numbers; items
    can be assigned outside of runtime loops and branches.
    """


@builtin("asc.inline", on_host=True)
def inline(code, args=None, before_function=False):
    """C++ for the chip's compiler, `$0` standing for the first of `args`. Kernels of instructions compile with a warning; running it is a
    finding.
    """
    raise NotImplementedError("asc.inline is raw C++ for the chip's compiler and cannot be run here")


@builtin("asc.static_assert", on_host=True)
def static_assert(test: bool, message: str | None = None) -> None:
    """Checked while compiling; a false test is an error with the message."""
    assert test, message
