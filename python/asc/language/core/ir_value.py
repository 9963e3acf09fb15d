"""Values a kernel has when it runs. These classes exist for `isinstance` in kernels and for annotations."""

from __future__ import annotations


class _KernelValue:
    """What exists in kernels only."""

    def __init__(self, *args, **kwargs):
        raise RuntimeError(f"{type(self).__name__} is a value inside a kernel and cannot be made on the host")


class KernelObject:
    """An object of a kernel: it is made in the kernel, and known to the compiler by its class."""

    def __init__(self, *args, **kwargs):
        name = type(self).__name__
        raise RuntimeError(f"asc.{name} works inside a kernel only: make it in a function decorated with @asc.jit")


class PlainValue(_KernelValue):
    """A runtime number: a scalar argument, `asc2.block_idx()`, a full reduction, a loop variable.

    Operators take numbers on either side; the scalar's type decides (the left one's, if both are). Integer `/` and `//`
    both truncate, `%` is the remainder of that division.
    """

    __tilesmith_name__ = "asc.PlainValue"

    @property
    def dtype(self) -> DataType:
        """The element type."""

    def cast(self, dtype: DataType) -> PlainValue:
        """The number as another type: to integers by truncation, else rounded to nearest."""

    def ceildiv(self, x: RuntimeInt) -> PlainValue:
        """(self + x - 1) // x"""


class GlobalAddress(_KernelValue):
    """An array argument of a kernel: an address in global memory. `address + n` moves it by n elements."""

    __tilesmith_name__ = "asc.GlobalAddress"

    @property
    def dtype(self) -> DataType:
        """Type of the elements."""

    def __add__(self, elements: RuntimeInt) -> GlobalAddress:
        """The address this many elements further on."""


# Operators of runtime numbers; those that compare give int1.
OPERATORS = ("+", "-", "*", "/", "//", "%", "<<", ">>", "&", "|", "^")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
