"""Global memory, places, and the block."""

from asc._builtin import builtin


@builtin("asc2.tensor")
def tensor(base, shape):
    """Describes the row-major array at a pointer argument of the kernel. Dimensions may be runtime values."""


@builtin("asc2.load")
def load(tensor, shape=None, *, tile_id=None, offsets=None, location=None, pad_value=0):
    """The tile of this shape at `offsets`, or at `tile_id` times the shape. Elements outside the tensor become `pad_value`.
    Without a shape: the one element at `offsets`, as a runtime number.
    """


@builtin("asc2.store")
def store(value, tensor, *, tile_id=None, offsets=None):
    """Writes a tile; elements outside the tensor are dropped. A number or a tile of one element is written at `offsets`."""


@builtin("asc2.copy")
def copy(tile, shape=None, *, offsets=None, location=None):
    """The part of a tile at `offsets`, in another place if `location` says so."""


@builtin("asc2.atomic_add")
def atomic_add(tile, tensor, offsets):
    """Adds the tile to the tensor, atomically across blocks."""


@builtin("asc2.atomic_max")
def atomic_max(tile, tensor, offsets):
    """Leaves the larger one of tile and tensor in the tensor, atomically across blocks."""


@builtin("asc2.atomic_min")
def atomic_min(tile, tensor, offsets):
    """Leaves the smaller one of tile and tensor in the tensor, atomically across blocks."""


@builtin("asc2.num_tiles")
def num_tiles(tensor, axis, shape):
    """How many tiles of this shape cover the tensor along an axis."""


@builtin("asc2.block_idx")
def block_idx():
    """Index of this block, from 0."""


@builtin("asc2.block_num")
def block_num():
    """Number of blocks of the launch."""


@builtin("asc2.range")
def range(*bounds, unroll_factor=1, parallel=False):
    """`range([start,] stop [, step])`: a loop that runs on the chip. `unroll_factor` repeats the body, `parallel` promises that
    no iteration reads what another one wrote. Inside a kernel the bare name `range` is this one.
    """


@builtin("asc2.mask")
def mask(*, count=None, bits=None, other=None):
    """Limits element-wise operations to some lanes."""
