"""Positions of elements: counting, other orders of axes, where an element stands, sorting, elements and rows by number."""

from __future__ import annotations

from asc._builtin import builtin

OF_ALL_OR_ALONG = ("(input: Tile) -> PlainValue", "(input: Tile, dim: int, *, keep_dims: bool = False) -> Tile")


@builtin("asc2.arange")
def arange(start: int | float, stop: int | float | None = None, step: int | float = 1, dtype: DataType | None = None) -> Tile:
    """`arange([start,] stop [, step])`: the numbers from start (0) up to stop, as Python's range; int32, or float32 if one of
    them is a float. All three are known while compiling: count from 0 and add what is not.
    """


@builtin("asc2.transpose", method="transpose")
def transpose(input: Tile, *axes: int) -> Tile:
    """The tile with its axes in this order, or reversed. `x.T` is the reversed one."""


@builtin("asc2.argmax", forms=OF_ALL_OR_ALONG, method="argmax")
def argmax(input: Tile, dim: int | None = None, *, keep_dims: bool = False) -> Tile | PlainValue:
    """Where the largest element along a dimension stands, as a tile of int32; without one its row-major position in the tile, as a
    runtime number. The first of equal elements counts, and a NaN is larger than all numbers.
    """


@builtin("asc2.argmin", forms=OF_ALL_OR_ALONG, method="argmin")
def argmin(input: Tile, dim: int | None = None, *, keep_dims: bool = False) -> Tile | PlainValue:
    """Where the smallest element along a dimension stands, as `argmax` says it. A NaN is smaller than all numbers."""


@builtin("asc2.cumsum", method="cumsum")
def cumsum(input: Tile, dim: int = -1) -> Tile:
    """Element i along the dimension is the sum of the elements 0 to i. Integers wrap; halves are added in float32."""


@builtin("asc2.sort", method="sort")
def sort(input: Tile, descending: bool = False) -> tuple[Tile, Tile]:
    """Each row in order, and where its elements stood (int32). Equal elements keep their order; a NaN stands first. Floats and
    integers of at most 16 bits.
    """


@builtin("asc2.topk", method="topk")
def topk(input: Tile, k: int, largest: bool = True) -> tuple[Tile, Tile]:
    """The k largest (or smallest) elements of each row in order, and where they stood: the beginning of what `sort` gives."""


@builtin("asc2.gather", method="gather")
def gather(input: Tile, index: Tile, dim: int | None = None) -> Tile:
    """The elements at the positions `index` along a dimension: `result[i, j] = input[i, index[i, j]]` for dim=1. Without one positions
    count row-major in the whole tile. A position outside gives 0.
    """


@builtin("asc2.scatter", method="scatter")
def scatter(input: Tile, index: Tile, source: Tile, dim: int | None = None) -> Tile:
    """The tile with the elements of `source` put at the positions `index`, which mean what they do for `gather`. Positions
    outside are skipped; of equal ones the last counts.
    """


@builtin("asc2.load_rows")
def load_rows(tensor: Tensor, rows: Tile, columns: int, *, offset: RuntimeInt = 0, pad_value: Scalar = 0) -> Tile:
    """Row i of the tile is the row `rows[i]` of a tensor of two dimensions: so many columns, from `offset` on. Rows and columns
    outside the tensor become `pad_value`.
    """


@builtin("asc2.store_rows")
def store_rows(value: Tile, tensor: Tensor, rows: Tile, *, offset: RuntimeInt = 0) -> None:
    """Row i of the tile becomes the row `rows[i]` of the tensor, from column `offset` on, one after the other. What lies outside is
    dropped.
    """
