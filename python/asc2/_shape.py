"""Shapes, creation, reductions and matrix products."""

from __future__ import annotations

from asc._builtin import builtin
from asc.language.core.dtype import int32

from asc2._types import TileLocation

OVER_ALL_OR_SOME = ("(input: Tile) -> PlainValue", "(input: Tile, dim: int, *dims: int, keep_dims: bool = False) -> Tile")


@builtin("asc2.broadcast_to", method="broadcast_to")
def broadcast_to(input: Tile, *shape: int | Iterable[int]) -> Tile:
    """Repeats dimensions of size 1, aligned from the right."""


@builtin("asc2.reshape", method="reshape")
def reshape(input: Tile, *shape: int | Iterable[int]) -> Tile:
    """The same elements in another shape."""


@builtin("asc2.ravel", method="ravel")
def ravel(input: Tile) -> Tile:
    """The elements as one dimension."""


@builtin("asc2.expand_dims", method="expand_dims")
def expand_dims(input: Tile, *axis: int) -> Tile:
    """Inserts dimensions of size 1."""


@builtin("asc2.squeeze", method="squeeze")
def squeeze(input: Tile, *axis: int) -> Tile:
    """Drops the given dimensions of size 1, or all of them."""


@builtin("asc2.full")
def full(
    shape: Iterable[int], value: Scalar, dtype: DataType | None = None, location: TileLocation | None = TileLocation.UB
) -> Tile:
    """A tile of one value: int32 or float32 by the value's type, unless a dtype is given."""


@builtin("asc2.full_like")
def full_like(input: Tile, value: Scalar, location: TileLocation | None = TileLocation.UB) -> Tile:
    """A tile of one value, with shape and dtype of another tile."""


@builtin("asc2.zeros")
def zeros(shape: Iterable[int], dtype: DataType | None = int32, location: TileLocation | None = TileLocation.UB) -> Tile:
    """A tile of zeros, int32 unless a dtype is given."""


@builtin("asc2.zeros_like")
def zeros_like(input: Tile, location: TileLocation | None = TileLocation.UB) -> Tile:
    """A tile of zeros, with shape and dtype of another tile."""


@builtin("asc2.concat")
def concat(*tiles: Tile) -> Tile:
    """Tiles joined along the first dimension."""


@builtin("asc2.reduce_sum", forms=OVER_ALL_OR_SOME, method="sum")
def reduce_sum(input: Tile, *dims: int, keep_dims: bool = False) -> Tile | PlainValue:
    """The sum over the given dimensions, as a tile; over all elements without dimensions, as a runtime number."""


@builtin("asc2.reduce_max", forms=OVER_ALL_OR_SOME, method="max")
def reduce_max(input: Tile, *dims: int, keep_dims: bool = False) -> Tile | PlainValue:
    """The maximum over the given dimensions, as a tile; over all elements without dimensions, as a runtime number."""


@builtin("asc2.reduce_min", forms=OVER_ALL_OR_SOME, method="min")
def reduce_min(input: Tile, *dims: int, keep_dims: bool = False) -> Tile | PlainValue:
    """The minimum over the given dimensions, as a tile; over all elements without dimensions, as a runtime number."""


@builtin("asc2.reduce_prod", method="prod")
def reduce_prod(input: Tile, *dims: int, keep_dims: bool = False) -> Tile:
    """The product over the given dimensions, as a tile."""


@builtin("asc2.zeros_acc")
def zeros_acc(shape: Iterable[int], dtype: DataType) -> Tile:
    """An accumulator for `matmul_acc`: zeros in L0C, float32, or int32 for products of int8."""


@builtin("asc2.matmul")
def matmul(input: Tile, other: Tile, acc: Tile | None = None) -> Tile:
    """The matrix product, float32 in L0C, of int8 int32; also `@`. With dimensions before the last two it is a product for each,
    written out, and these dimensions are broadcast as in NumPy.
    """


@builtin("asc2.matmul_acc")
def matmul_acc(input: Tile, other: Tile, acc: Tile) -> None:
    """Adds the matrix product to an accumulator made by `zeros_acc`."""
