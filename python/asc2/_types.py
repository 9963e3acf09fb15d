"""Types of the tile language."""

from __future__ import annotations

import enum

from asc.language.core.ir_value import _KernelValue


class TileLocation(enum.Enum):
    """The memory a tile lives in: UB for vector work, L1 and L0A/L0B/L0C for matrix products."""

    L0A = 23
    L0B = 24
    L0C = 25
    UB = 26
    L1 = 27
    FIX = 28


class TensorShape(_KernelValue):
    """The dimensions of a tensor, like a tuple: ints where known while compiling, else runtime values."""

    def __len__(self) -> int:
        """The number of dimensions."""

    def __getitem__(self, axis: int) -> RuntimeInt:
        """The dimension of an axis; negative axes count from the end."""

    def __iter__(self) -> Iterator[RuntimeInt]:
        """The dimensions in order."""

    def is_static(self) -> bool:
        """Whether all dimensions are known while compiling."""

    def is_dynamic_dim(self, axis: int) -> bool:
        """Whether a dimension is known only when the kernel runs."""


class Tensor(_KernelValue):
    """A row-major array in global memory: made by `asc2.tensor`, read by `asc2.load`, written by `asc2.store`."""

    __tilesmith_name__ = "asc2.Tensor"

    @property
    def dtype(self) -> DataType:
        """Type of the elements."""

    @property
    def shape(self) -> TensorShape:
        """The dimensions: ints where known while compiling, else runtime values. Has `is_static()`, `is_dynamic_dim(i)`."""


class Tile(_KernelValue):
    """A value of static shape on the chip. Operators and functions make new tiles; numbers may stand on either side."""

    __tilesmith_name__ = "asc2.Tile"
    __hash__ = None

    @property
    def dtype(self) -> DataType:
        """Type of the elements."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The dimensions, a tuple of ints."""

    @property
    def size(self) -> int:
        """The number of elements."""

    @property
    def T(self) -> Tile:
        """The tile with its axes reversed."""

    def to(self, dtype: DataType) -> Tile:
        """The tile with its elements converted: float to int truncates, everything else rounds to nearest even."""

    def __neg__(self) -> Tile:
        """The negative; also `asc2.negative`."""

    def __pos__(self) -> Tile:
        """The tile itself."""

    def __and__(self, other: Tile) -> Tile:
        """Where both masks are true."""

    def __or__(self, other: Tile) -> Tile:
        """Where one of two masks is true."""

    def __xor__(self, other: Tile) -> Tile:
        """Where exactly one of two masks is true."""

    def __invert__(self) -> Tile:
        """Where the mask is false."""


# Which function an operator of tiles is. Their methods are declared with the functions.
OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "//": "div",
    "%": "fmod",
    "**": "pow",
    "<<": "left_shift",
    ">>": "right_shift",
    "@": "matmul",
    "==": "equal",
    "!=": "not_equal",
    ">": "greater",
    ">=": "greater_equal",
    "<": "less",
    "<=": "less_equal",
}
