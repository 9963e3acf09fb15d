# Made by tools/stubs.py. Signatures and texts are in asc/language/core/ops.py.

from typing import Iterator, Union, overload

from asc.language.core.dtype import DataType
from asc.language.core.ir_value import PlainValue


RuntimeInt = Union[int, PlainValue]
Scalar = Union[bool, int, float, PlainValue]


@overload
def ceildiv(x: int, y: int) -> int: ...
@overload
def ceildiv(x: PlainValue, y: RuntimeInt) -> PlainValue: ...
@overload
def ceildiv(x: int, y: PlainValue) -> PlainValue:
    """x / y rounded up: (x + y - 1) // y. For Python ints, and for runtime values inside a kernel."""


def number(value: Scalar, dtype: DataType) -> PlainValue:
    """A runtime number of this dtype: `asc.number(1, asc.int64)`."""


def get_block_idx() -> PlainValue:
    """Index of this block, from 0."""


def get_block_num() -> PlainValue:
    """Number of blocks of the launch."""


def range(*bounds: RuntimeInt) -> Iterator[PlainValue]:
    """`range([start,] stop [, step])`: a loop that runs on the chip."""


def static_range(*bounds: int) -> Iterator[int]:
    """`static_range([start,] stop [, step])`: a loop unrolled while compiling; its variable is a Python int."""


def device_print(fmt, *values):
    """The same as `asc2.device_print`."""


def array(dtype, len_or_values, fill_value=0):
    """A small array of runtime numbers: a length and what to fill it with, or the values. Indices may be runtime numbers; items
    can be assigned outside of runtime loops and branches.
    """


def inline(code, args=None, before_function=False):
    """C++ for the chip's compiler, `$0` standing for the first of `args`. Kernels of instructions compile with a warning; running it is a
    finding.
    """


def static_assert(test: bool, message: str | None=None) -> None:
    """Checked while compiling; a false test is an error with the message."""
