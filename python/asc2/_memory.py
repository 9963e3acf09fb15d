"""Global memory, places, and the block."""

from __future__ import annotations

from asc._builtin import builtin

from asc2._types import TileLocation


@builtin("asc2.tensor")
def tensor(base: GlobalAddress, shape: Iterable[RuntimeInt], strides: Iterable[RuntimeInt] | None = None) -> Tensor:
    """Describes the array at a pointer argument of the kernel: row-major, or with so many elements between neighbours of each
    dimension. Dimensions and strides may be runtime values; where one stride is the number 1, elements travel in rows of that
    dimension, otherwise one by one.
    """


@builtin(
    "asc2.load",
    forms=(
        "(tensor: Tensor, shape: Iterable[int], *, tile_id: Iterable[RuntimeInt] | None = None, "
        "offsets: Iterable[RuntimeInt] | None = None, location: TileLocation | None = TileLocation.UB, pad_value: Scalar = 0) -> Tile",
        "(tensor: Tensor, *, offsets: Iterable[RuntimeInt]) -> PlainValue",
    ),
)
def load(
    tensor: Tensor,
    shape: Iterable[int] | None = None,
    *,
    tile_id: Iterable[RuntimeInt] | None = None,
    offsets: Iterable[RuntimeInt] | None = None,
    location: TileLocation | None = TileLocation.UB,
    pad_value: Scalar = 0,
) -> Tile | PlainValue:
    """The tile of this shape at `offsets`, or at `tile_id` times the shape. Elements outside the tensor become `pad_value`.
    Without a shape: the one element at `offsets`, as a runtime number.
    """


@builtin("asc2.store")
def store(
    value: Operand, tensor: Tensor, *, tile_id: Iterable[RuntimeInt] | None = None, offsets: Iterable[RuntimeInt] | None = None
) -> None:
    """Writes a tile; elements outside the tensor are dropped. A number or a tile of one element is written at `offsets`."""


@builtin("asc2.copy")
def copy(
    tile: Tile,
    shape: Iterable[int] | None = None,
    *,
    offsets: Iterable[RuntimeInt] | None = None,
    location: TileLocation | None = TileLocation.UB,
) -> Tile:
    """The part of a tile at `offsets`, in another place if `location` says so."""


@builtin("asc2.atomic_add")
def atomic_add(tile: Tile, tensor: Tensor, offsets: Iterable[RuntimeInt]) -> None:
    """Adds the tile to the tensor, atomically across blocks."""


@builtin("asc2.atomic_max")
def atomic_max(tile: Tile, tensor: Tensor, offsets: Iterable[RuntimeInt]) -> None:
    """Leaves the larger one of tile and tensor in the tensor, atomically across blocks."""


@builtin("asc2.atomic_min")
def atomic_min(tile: Tile, tensor: Tensor, offsets: Iterable[RuntimeInt]) -> None:
    """Leaves the smaller one of tile and tensor in the tensor, atomically across blocks."""


@builtin("asc2.num_tiles")
def num_tiles(tensor: Tensor, axis: int, shape: Iterable[int]) -> RuntimeInt:
    """How many tiles of this shape cover the tensor along an axis."""


@builtin("asc2.block_idx")
def block_idx() -> PlainValue:
    """Index of this block, from 0."""


@builtin("asc2.block_num")
def block_num() -> PlainValue:
    """Number of blocks of the launch."""


@builtin("asc2.range")
def range(*bounds: RuntimeInt, unroll_factor: int = 1, parallel: bool = False) -> Iterator[PlainValue]:
    """`range([start,] stop [, step])`: a loop that runs on the chip. `unroll_factor` repeats the body, `parallel` promises that
    no iteration reads what another one wrote. Inside a kernel the bare name `range` is this one.
    """


@builtin("asc2.mask")
def mask(
    *, count: RuntimeInt | None = None, bits: Iterable[int] | None = None, other: Scalar | None = None
) -> AbstractContextManager[None]:
    """`with asc2.mask(count=n):` element-wise operations compute only the first n elements of a tile, in row-major order, or
    those whose bit is set in `bits` (two ints: high and low 64 of 128 bits); the others become `other` (0). Stores and
    atomics write the chosen elements only. Nested masks choose what all of them choose.
    """


@builtin("asc2.breakpoint")
def breakpoint() -> None:
    """Stops here in the debugger (docs/debug.md), in every block that comes by: under `tilesmith debug`, or where there is a
    terminal to ask. Otherwise a launch warns once and continues. It takes no time and does not appear in Ascend C.
    """


@builtin("asc2.device_print")
def device_print(fmt: str | Operand, *values: Operand) -> None:
    """Prints a line for each block: `fmt` with `{}` or `{:format}` fields for the values, or the values after it. Tiles print
    as NumPy prints them. Lines appear on `sys.stdout` after the launch, in the order of the blocks.
    """


@builtin("asc2.device_assert")
def device_assert(condition: Scalar, message: str | None = None, *values: Operand) -> None:
    """Ends the block, and fails the launch with the message and this line, where a number is not true when the kernel runs. The
    values are printed before. Nothing is left of a condition that is known to hold while compiling.
    """
