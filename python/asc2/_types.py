"""Types of the tile language."""

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


class Tensor(_KernelValue):
    """A row-major array in global memory: made by `asc2.tensor`, read by `asc2.load`, written by `asc2.store`."""

    __tilesmith_name__ = "asc2.Tensor"

    @property
    def dtype(self):
        """Type of the elements."""

    @property
    def shape(self):
        """The dimensions: ints where known while compiling, else runtime values. Has `is_static()`, `is_dynamic_dim(i)`."""


class Tile(_KernelValue):
    """A value of static shape on the chip. Operators and functions make new tiles; numbers may stand on either side."""

    __tilesmith_name__ = "asc2.Tile"
    __hash__ = None

    @property
    def dtype(self):
        """Type of the elements."""

    @property
    def shape(self):
        """The dimensions, a tuple of ints."""

    @property
    def size(self):
        """The number of elements."""

    def to(self, dtype):
        """The tile with its elements converted: float to int truncates, everything else rounds to nearest even."""


def _add_methods():
    from asc2 import _elementwise, _shape

    reductions = {"sum": _shape.reduce_sum, "max": _shape.reduce_max, "min": _shape.reduce_min, "prod": _shape.reduce_prod}
    unary = ("sin cos tan sinh cosh tanh exp log log2 floor ceil abs erf exp2 sqrt rsqrt relu softmax").split()
    shapes = "broadcast_to reshape ravel expand_dims squeeze".split()
    for name, function in (reductions | {n: getattr(_elementwise, n) for n in unary} | {n: getattr(_shape, n) for n in shapes}).items():
        setattr(Tile, name, function.__wrapped__)


_add_methods()
