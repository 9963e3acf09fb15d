# Made by tools/stubs.py. Signatures and texts are in asc/language/core/ir_value.py.

from __future__ import annotations

from typing import Union

from asc.language.core.dtype import DataType


RuntimeInt = Union[int, "PlainValue"]
Scalar = Union[bool, int, float, "PlainValue"]


class _KernelValue:
    """What exists in kernels only."""


class PlainValue(_KernelValue):
    """A runtime number: a scalar argument, `asc2.block_idx()`, a full reduction, a loop variable.

    Operators take numbers on either side; the scalar's type decides (the left one's, if both are). Integer `/` and `//`
    both truncate, `%` is the remainder of that division.
    """

    @property
    def dtype(self) -> DataType:
        """The element type."""

    def cast(self, dtype: DataType) -> PlainValue:
        """The number as another type: to integers by truncation, else rounded to nearest."""

    def ceildiv(self, x: RuntimeInt) -> PlainValue:
        """(self + x - 1) // x"""

    def __add__(self, other: Scalar) -> PlainValue:
        """self + other"""

    def __radd__(self, other: Scalar) -> PlainValue:
        """other + self"""

    def __sub__(self, other: Scalar) -> PlainValue:
        """self - other"""

    def __rsub__(self, other: Scalar) -> PlainValue:
        """other - self"""

    def __mul__(self, other: Scalar) -> PlainValue:
        """self * other"""

    def __rmul__(self, other: Scalar) -> PlainValue:
        """other * self"""

    def __truediv__(self, other: Scalar) -> PlainValue:
        """self / other"""

    def __rtruediv__(self, other: Scalar) -> PlainValue:
        """other / self"""

    def __floordiv__(self, other: Scalar) -> PlainValue:
        """self // other"""

    def __rfloordiv__(self, other: Scalar) -> PlainValue:
        """other // self"""

    def __mod__(self, other: Scalar) -> PlainValue:
        """self % other"""

    def __rmod__(self, other: Scalar) -> PlainValue:
        """other % self"""

    def __lshift__(self, other: Scalar) -> PlainValue:
        """self << other"""

    def __rlshift__(self, other: Scalar) -> PlainValue:
        """other << self"""

    def __rshift__(self, other: Scalar) -> PlainValue:
        """self >> other"""

    def __rrshift__(self, other: Scalar) -> PlainValue:
        """other >> self"""

    def __and__(self, other: Scalar) -> PlainValue:
        """self & other"""

    def __rand__(self, other: Scalar) -> PlainValue:
        """other & self"""

    def __or__(self, other: Scalar) -> PlainValue:
        """self | other"""

    def __ror__(self, other: Scalar) -> PlainValue:
        """other | self"""

    def __xor__(self, other: Scalar) -> PlainValue:
        """self ^ other"""

    def __rxor__(self, other: Scalar) -> PlainValue:
        """other ^ self"""

    def __eq__(self, other: Scalar) -> PlainValue:  # type: ignore[override]
        """self == other, as int1"""

    def __ne__(self, other: Scalar) -> PlainValue:  # type: ignore[override]
        """self != other, as int1"""

    def __lt__(self, other: Scalar) -> PlainValue:
        """self < other, as int1"""

    def __le__(self, other: Scalar) -> PlainValue:
        """self <= other, as int1"""

    def __gt__(self, other: Scalar) -> PlainValue:
        """self > other, as int1"""

    def __ge__(self, other: Scalar) -> PlainValue:
        """self >= other, as int1"""

    def __neg__(self) -> PlainValue:
        """-self"""

    def __pos__(self) -> PlainValue:
        """self"""

    def __bool__(self) -> bool:
        """In conditions: whether it is not 0, when the kernel runs."""

    def __index__(self) -> int:
        """In ranges and offsets: the number, when the kernel runs."""


class GlobalAddress(_KernelValue):
    """An array argument of a kernel: an address in global memory. `address + n` moves it by n elements."""

    @property
    def dtype(self) -> DataType:
        """Type of the elements."""

    def __add__(self, elements: RuntimeInt) -> GlobalAddress:
        """The address this many elements further on."""
