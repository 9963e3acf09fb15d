# Made by tools/stubs.py. Signatures and texts are in asc2/_*.py.

"""The tile language: kernels on tiles of tensors.

A `Tensor` describes an array in global memory, a `Tile` is an immutable value of static shape on the chip. Load tiles,
compute with operators and the functions here, store the results:

    @asc2.jit
    def scale(x_ptr, y_ptr, size, factor, tile: asc.ConstExpr[int]):
        x, y = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
        for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x, 0, [tile]), asc2.block_num()):
            asc2.store(asc2.load(x, [tile], tile_id=[i]) * factor, y, tile_id=[i])

    scale[8](x, y, x.size, 0.5, tile=1024)
"""

import enum
from contextlib import AbstractContextManager
from typing import Iterable, Iterator, Union, overload

from asc.language.core.dtype import DataType, int32
from asc.language.core.ir_value import GlobalAddress, PlainValue
from asc.runtime.jit import jit as jit
from asc.runtime.tuning.config import Config as Config
from asc.runtime.tuning.autotune import autotune as autotune
from asc.runtime.placeholder import placeholder as placeholder
from asc.runtime.placeholder import placeholder_like as placeholder_like

__version__: str

__all__ = [
    "Config", "Tensor", "Tile", "TileLocation", "abs", "add", "arange", "argmax", "argmin", "atomic_add", "atomic_max",
    "atomic_min", "autotune", "block_idx", "block_num", "breakpoint", "broadcast_to", "ceil", "concat", "copy", "cos",
    "cosh", "cumsum", "device_assert", "device_print", "div", "equal", "erf", "exp", "exp2", "expand_dims", "expm1",
    "floor", "fmod", "full", "full_like", "gather", "gelu", "greater", "greater_equal", "jit", "left_shift", "less",
    "less_equal", "load", "load_rows", "log", "log1p", "log2", "mask", "matmul", "matmul_acc", "maximum", "minimum", "mul",
    "negative", "not_equal", "num_tiles", "placeholder", "placeholder_like", "pow", "range", "ravel", "reciprocal",
    "reduce_max", "reduce_min", "reduce_prod", "reduce_sum", "relu", "remainder", "reshape", "right_shift", "rms_norm",
    "rsqrt", "scatter", "sigmoid", "silu", "sin", "sinh", "softmax", "softplus", "sort", "sqrt", "squeeze", "store",
    "store_rows", "sub", "tan", "tanh", "tensor", "topk", "transpose", "where", "zeros", "zeros_acc", "zeros_like",
]


RuntimeInt = Union[int, PlainValue]
Scalar = Union[bool, int, float, PlainValue]
Operand = Union["Tile", Scalar]


class TileLocation(enum.Enum):
    """The memory a tile lives in: UB for vector work, L1 and L0A/L0B/L0C for matrix products."""

    L0A = 23
    L0B = 24
    L0C = 25
    UB = 26
    L1 = 27
    FIX = 28


class TensorShape:
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


class Tensor:
    """A row-major array in global memory: made by `asc2.tensor`, read by `asc2.load`, written by `asc2.store`."""

    @property
    def dtype(self) -> DataType:
        """Type of the elements."""

    @property
    def shape(self) -> TensorShape:
        """The dimensions: ints where known while compiling, else runtime values. Has `is_static()`, `is_dynamic_dim(i)`."""


class Tile:
    """A value of static shape on the chip. Operators and functions make new tiles; numbers may stand on either side."""

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

    def abs(self) -> Tile:
        """Absolute value."""

    def ceil(self) -> Tile:
        """Rounds up to a whole number."""

    def cos(self) -> Tile:
        """Cosine, for |input| < 65536; NaN beyond."""

    def cosh(self) -> Tile:
        """Hyperbolic cosine."""

    def exp2(self) -> Tile:
        """2 to the power of each element."""

    def floor(self) -> Tile:
        """Rounds down to a whole number."""

    def log(self) -> Tile:
        """Natural logarithm."""

    def log2(self) -> Tile:
        """Logarithm to base 2."""

    def log1p(self) -> Tile:
        """log(1 + x), also near 0."""

    def expm1(self) -> Tile:
        """exp(x) - 1, also near 0."""

    def gelu(self) -> Tile:
        """x * (1 + erf(x / sqrt(2))) / 2."""

    def sigmoid(self) -> Tile:
        """1 / (1 + exp(-x))."""

    def silu(self) -> Tile:
        """x / (1 + exp(-x))."""

    def softplus(self) -> Tile:
        """log(1 + exp(x)), for any x."""

    def reciprocal(self) -> Tile:
        """1 / x by the instruction for it. On a 910B it takes a quarter of the time of a quotient, and the chip computes it about as
        exactly as half precision needs; write `1.0 / x` for the quotient.
        """

    def relu(self) -> Tile:
        """max(x, 0), for any numeric dtype."""

    def rsqrt(self) -> Tile:
        """1 / sqrt(x)."""

    def sin(self) -> Tile:
        """Sine, for |input| < 65536; NaN beyond."""

    def sinh(self) -> Tile:
        """Hyperbolic sine."""

    def tan(self) -> Tile:
        """Tangent, for |input| < 65536; NaN beyond."""

    def tanh(self) -> Tile:
        """Hyperbolic tangent."""

    def erf(self) -> Tile:
        """The error function; of a number, a runtime number."""

    def exp(self) -> Tile:
        """e to the power of each element; of a number, a runtime number."""

    def sqrt(self) -> Tile:
        """Square root; of a number, a runtime number."""

    def softmax(self) -> Tile:
        """Softmax along the last dimension of a float32 or float16 tile."""

    def broadcast_to(self, *shape: int | Iterable[int]) -> Tile:
        """Repeats dimensions of size 1, aligned from the right."""

    def reshape(self, *shape: int | Iterable[int]) -> Tile:
        """The same elements in another shape."""

    def ravel(self) -> Tile:
        """The elements as one dimension."""

    def expand_dims(self, *axis: int) -> Tile:
        """Inserts dimensions of size 1."""

    def squeeze(self, *axis: int) -> Tile:
        """Drops the given dimensions of size 1, or all of them."""

    @overload
    def sum(self) -> PlainValue: ...
    @overload
    def sum(self, dim: int, *dims: int, keep_dims: bool = False) -> Tile:
        """The sum over the given dimensions, as a tile; over all elements without dimensions, as a runtime number."""

    @overload
    def max(self) -> PlainValue: ...
    @overload
    def max(self, dim: int, *dims: int, keep_dims: bool = False) -> Tile:
        """The maximum over the given dimensions, as a tile; over all elements without dimensions, as a runtime number."""

    @overload
    def min(self) -> PlainValue: ...
    @overload
    def min(self, dim: int, *dims: int, keep_dims: bool = False) -> Tile:
        """The minimum over the given dimensions, as a tile; over all elements without dimensions, as a runtime number."""

    def prod(self, *dims: int, keep_dims: bool=False) -> Tile:
        """The product over the given dimensions, as a tile."""

    def transpose(self, *axes: int) -> Tile:
        """The tile with its axes in this order, or reversed. `x.T` is the reversed one."""

    @overload
    def argmax(self) -> PlainValue: ...
    @overload
    def argmax(self, dim: int, *, keep_dims: bool = False) -> Tile:
        """Where the largest element along a dimension stands, as a tile of int32; without one its row-major position in the tile, as a
        runtime number. The first of equal elements counts, and a NaN is larger than all numbers.
        """

    @overload
    def argmin(self) -> PlainValue: ...
    @overload
    def argmin(self, dim: int, *, keep_dims: bool = False) -> Tile:
        """Where the smallest element along a dimension stands, as `argmax` says it. A NaN is smaller than all numbers."""

    def cumsum(self, dim: int=-1) -> Tile:
        """Element i along the dimension is the sum of the elements 0 to i. Integers wrap; halves are added in float32."""

    def sort(self, descending: bool=False) -> tuple[Tile, Tile]:
        """Each row in order, and where its elements stood (int32). Equal elements keep their order; a NaN stands first. Floats and
        integers of at most 16 bits.
        """

    def topk(self, k: int, largest: bool=True) -> tuple[Tile, Tile]:
        """The k largest (or smallest) elements of each row in order, and where they stood: the beginning of what `sort` gives."""

    def gather(self, index: Tile, dim: int | None=None) -> Tile:
        """The elements at the positions `index` along a dimension: `result[i, j] = input[i, index[i, j]]` for dim=1. Without one positions
        count row-major in the whole tile. A position outside gives 0.
        """

    def scatter(self, index: Tile, source: Tile, dim: int | None=None) -> Tile:
        """The tile with the elements of `source` put at the positions `index`, which mean what they do for `gather`. Positions
        outside are skipped; of equal ones the last counts.
        """

    def __add__(self, other: Operand) -> Tile:
        """Sum."""

    def __radd__(self, other: Scalar) -> Tile:
        """Sum."""

    def __sub__(self, other: Operand) -> Tile:
        """Difference."""

    def __rsub__(self, other: Scalar) -> Tile:
        """Difference."""

    def __mul__(self, other: Operand) -> Tile:
        """Product."""

    def __rmul__(self, other: Scalar) -> Tile:
        """Product."""

    def __truediv__(self, other: Operand) -> Tile:
        """Quotient."""

    def __rtruediv__(self, other: Scalar) -> Tile:
        """Quotient."""

    def __floordiv__(self, other: Operand) -> Tile:
        """Quotient."""

    def __rfloordiv__(self, other: Scalar) -> Tile:
        """Quotient."""

    def __mod__(self, other: Operand) -> Tile:
        """The remainder of the truncated quotient, with the sign of input, as in C."""

    def __rmod__(self, other: Scalar) -> Tile:
        """The remainder of the truncated quotient, with the sign of input, as in C."""

    def __pow__(self, other: Operand) -> Tile:
        """input to the power of other."""

    def __rpow__(self, other: Scalar) -> Tile:
        """input to the power of other."""

    def __lshift__(self, other: Operand) -> Tile:
        """Bits of an integer tile moved left by a number >= 0."""

    def __rshift__(self, other: Operand) -> Tile:
        """Bits of an integer tile moved right by a number >= 0, with its sign."""

    def __matmul__(self, other: Tile) -> Tile:
        """The matrix product, float32 in L0C, of int8 int32."""

    def __eq__(self, other: Operand) -> Tile:  # type: ignore[override]
        """Where elements are equal, as a mask."""

    def __ne__(self, other: Operand) -> Tile:  # type: ignore[override]
        """Where elements differ, as a mask."""

    def __gt__(self, other: Operand) -> Tile:
        """Where input > other, as a mask."""

    def __ge__(self, other: Operand) -> Tile:
        """Where input >= other, as a mask."""

    def __lt__(self, other: Operand) -> Tile:
        """Where input < other, as a mask."""

    def __le__(self, other: Operand) -> Tile:
        """Where input <= other, as a mask."""


def abs(input: Tile) -> Tile:
    """Absolute value."""


def add(input: Operand, other: Operand) -> Tile:
    """Sum; also `+`."""


def arange(start: int | float, stop: int | float | None=None, step: int | float=1, dtype: DataType | None=None) -> Tile:
    """`arange([start,] stop [, step])`: the numbers from start (0) up to stop, as Python's range; int32, or float32 if one of
    them is a float. All three are known while compiling: count from 0 and add what is not.
    """


@overload
def argmax(input: Tile) -> PlainValue: ...
@overload
def argmax(input: Tile, dim: int, *, keep_dims: bool = False) -> Tile:
    """Where the largest element along a dimension stands, as a tile of int32; without one its row-major position in the tile, as a
    runtime number. The first of equal elements counts, and a NaN is larger than all numbers.
    """


@overload
def argmin(input: Tile) -> PlainValue: ...
@overload
def argmin(input: Tile, dim: int, *, keep_dims: bool = False) -> Tile:
    """Where the smallest element along a dimension stands, as `argmax` says it. A NaN is smaller than all numbers."""


def atomic_add(tile: Tile, tensor: Tensor, offsets: Iterable[RuntimeInt]) -> None:
    """Adds the tile to the tensor, atomically across blocks."""


def atomic_max(tile: Tile, tensor: Tensor, offsets: Iterable[RuntimeInt]) -> None:
    """Leaves the larger one of tile and tensor in the tensor, atomically across blocks."""


def atomic_min(tile: Tile, tensor: Tensor, offsets: Iterable[RuntimeInt]) -> None:
    """Leaves the smaller one of tile and tensor in the tensor, atomically across blocks."""


def block_idx() -> PlainValue:
    """Index of this block, from 0."""


def block_num() -> PlainValue:
    """Number of blocks of the launch."""


def breakpoint() -> None:
    """Stops here in the debugger (docs/debug.md), in every block that comes by: under `tilesmith debug`, or where there is a
    terminal to ask. Otherwise a launch warns once and continues. It takes no time and does not appear in Ascend C.
    """


def broadcast_to(input: Tile, *shape: int | Iterable[int]) -> Tile:
    """Repeats dimensions of size 1, aligned from the right."""


def ceil(input: Tile) -> Tile:
    """Rounds up to a whole number."""


def concat(*tiles: Tile) -> Tile:
    """Tiles joined along the first dimension."""


def copy(tile: Tile, shape: Iterable[int] | None=None, *, offsets: Iterable[RuntimeInt] | None=None, location: TileLocation | None=TileLocation.UB) -> Tile:
    """The part of a tile at `offsets`, in another place if `location` says so."""


def cos(input: Tile) -> Tile:
    """Cosine, for |input| < 65536; NaN beyond."""


def cosh(input: Tile) -> Tile:
    """Hyperbolic cosine."""


def cumsum(input: Tile, dim: int=-1) -> Tile:
    """Element i along the dimension is the sum of the elements 0 to i. Integers wrap; halves are added in float32."""


def device_assert(condition: Scalar, message: str | None=None, *values: Operand) -> None:
    """Ends the block, and fails the launch with the message and this line, where a number is not true when the kernel runs. The
    values are printed before. Nothing is left of a condition that is known to hold while compiling.
    """


def device_print(fmt: str | Operand, *values: Operand) -> None:
    """Prints a line for each block: `fmt` with `{}` or `{:format}` fields for the values, or the values after it. Tiles print
    as NumPy prints them. Lines appear on `sys.stdout` after the launch, in the order of the blocks.
    """


def div(input: Operand, other: Operand) -> Tile:
    """Quotient; of integers, truncated; also `/`."""


def equal(input: Operand, other: Operand) -> Tile:
    """Where elements are equal, as a mask; also `==`."""


@overload
def erf(input: Tile) -> Tile: ...
@overload
def erf(input: Scalar) -> PlainValue:
    """The error function; of a number, a runtime number."""


@overload
def exp(input: Tile) -> Tile: ...
@overload
def exp(input: Scalar) -> PlainValue:
    """e to the power of each element; of a number, a runtime number."""


def exp2(input: Tile) -> Tile:
    """2 to the power of each element."""


def expand_dims(input: Tile, *axis: int) -> Tile:
    """Inserts dimensions of size 1."""


def expm1(input: Tile) -> Tile:
    """exp(x) - 1, also near 0."""


def floor(input: Tile) -> Tile:
    """Rounds down to a whole number."""


def fmod(input: Operand, other: Operand) -> Tile:
    """The remainder of the truncated quotient, with the sign of input, as in C; also `%`. Of floats exact for quotients below
    2**22, NaN beyond. Of integers by zero it is input.
    """


def full(shape: Iterable[int], value: Scalar, dtype: DataType | None=None, location: TileLocation | None=TileLocation.UB) -> Tile:
    """A tile of one value: int32 or float32 by the value's type, unless a dtype is given."""


def full_like(input: Tile, value: Scalar, location: TileLocation | None=TileLocation.UB) -> Tile:
    """A tile of one value, with shape and dtype of another tile."""


def gather(input: Tile, index: Tile, dim: int | None=None) -> Tile:
    """The elements at the positions `index` along a dimension: `result[i, j] = input[i, index[i, j]]` for dim=1. Without one positions
    count row-major in the whole tile. A position outside gives 0.
    """


def gelu(input: Tile) -> Tile:
    """x * (1 + erf(x / sqrt(2))) / 2."""


def greater(input: Operand, other: Operand) -> Tile:
    """Where input > other, as a mask; also `>`."""


def greater_equal(input: Operand, other: Operand) -> Tile:
    """Where input >= other, as a mask; also `>=`."""


def left_shift(input: Operand, other: Operand) -> Tile:
    """Bits of an integer tile moved left by a number >= 0; also `<<`."""


def less(input: Operand, other: Operand) -> Tile:
    """Where input < other, as a mask; also `<`."""


def less_equal(input: Operand, other: Operand) -> Tile:
    """Where input <= other, as a mask; also `<=`."""


@overload
def load(tensor: Tensor, shape: Iterable[int], *, tile_id: Iterable[RuntimeInt] | None = None, offsets: Iterable[RuntimeInt] | None = None, location: TileLocation | None = TileLocation.UB, pad_value: Scalar = 0) -> Tile: ...
@overload
def load(tensor: Tensor, *, offsets: Iterable[RuntimeInt]) -> PlainValue:
    """The tile of this shape at `offsets`, or at `tile_id` times the shape. Elements outside the tensor become `pad_value`.
    Without a shape: the one element at `offsets`, as a runtime number.
    """


def load_rows(tensor: Tensor, rows: Tile, columns: int, *, offset: RuntimeInt=0, pad_value: Scalar=0) -> Tile:
    """Row i of the tile is the row `rows[i]` of a tensor of two dimensions: so many columns, from `offset` on. Rows and columns
    outside the tensor become `pad_value`.
    """


def log(input: Tile) -> Tile:
    """Natural logarithm."""


def log1p(input: Tile) -> Tile:
    """log(1 + x), also near 0."""


def log2(input: Tile) -> Tile:
    """Logarithm to base 2."""


def mask(*, count: RuntimeInt | None=None, bits: Iterable[int] | None=None, other: Scalar | None=None) -> AbstractContextManager[None]:
    """`with asc2.mask(count=n):` element-wise operations compute only the first n elements of a tile, in row-major order, or
    those whose bit is set in `bits` (two ints: high and low 64 of 128 bits); the others become `other` (0). Stores and
    atomics write the chosen elements only. Nested masks choose what all of them choose.
    """


def matmul(input: Tile, other: Tile, acc: Tile | None=None) -> Tile:
    """The matrix product, float32 in L0C, of int8 int32; also `@`. With dimensions before the last two it is a product for each,
    written out, and these dimensions are broadcast as in NumPy.
    """


def matmul_acc(input: Tile, other: Tile, acc: Tile) -> None:
    """Adds the matrix product to an accumulator made by `zeros_acc`."""


def maximum(input: Operand, other: Operand) -> Tile:
    """The larger one of two elements."""


def minimum(input: Operand, other: Operand) -> Tile:
    """The smaller one of two elements."""


def mul(input: Operand, other: Operand) -> Tile:
    """Product; also `*`."""


def negative(input: Tile) -> Tile:
    """The negative; also `-tile`."""


def not_equal(input: Operand, other: Operand) -> Tile:
    """Where elements differ, as a mask; also `!=`."""


def num_tiles(tensor: Tensor, axis: int, shape: Iterable[int]) -> RuntimeInt:
    """How many tiles of this shape cover the tensor along an axis."""


def pow(input: Operand, other: Operand) -> Tile:
    """input to the power of other; also `**`. Integers wrap, and to a negative power become 0 (1 and -1 aside)."""


def range(*bounds: RuntimeInt, unroll_factor: int=1, parallel: bool=False) -> Iterator[PlainValue]:
    """`range([start,] stop [, step])`: a loop that runs on the chip. `unroll_factor` repeats the body, `parallel` promises that
    no iteration reads what another one wrote. Inside a kernel the bare name `range` is this one.
    """


def ravel(input: Tile) -> Tile:
    """The elements as one dimension."""


def reciprocal(input: Tile) -> Tile:
    """1 / x by the instruction for it. On a 910B it takes a quarter of the time of a quotient, and the chip computes it about as
    exactly as half precision needs; write `1.0 / x` for the quotient.
    """


@overload
def reduce_max(input: Tile) -> PlainValue: ...
@overload
def reduce_max(input: Tile, dim: int, *dims: int, keep_dims: bool = False) -> Tile:
    """The maximum over the given dimensions, as a tile; over all elements without dimensions, as a runtime number."""


@overload
def reduce_min(input: Tile) -> PlainValue: ...
@overload
def reduce_min(input: Tile, dim: int, *dims: int, keep_dims: bool = False) -> Tile:
    """The minimum over the given dimensions, as a tile; over all elements without dimensions, as a runtime number."""


def reduce_prod(input: Tile, *dims: int, keep_dims: bool=False) -> Tile:
    """The product over the given dimensions, as a tile."""


@overload
def reduce_sum(input: Tile) -> PlainValue: ...
@overload
def reduce_sum(input: Tile, dim: int, *dims: int, keep_dims: bool = False) -> Tile:
    """The sum over the given dimensions, as a tile; over all elements without dimensions, as a runtime number."""


def relu(input: Tile) -> Tile:
    """max(x, 0), for any numeric dtype."""


def remainder(input: Operand, other: Operand) -> Tile:
    """The remainder of the quotient rounded down, with the sign of other, as Python's `%` of host numbers."""


def reshape(input: Tile, *shape: int | Iterable[int]) -> Tile:
    """The same elements in another shape."""


def right_shift(input: Operand, other: Operand) -> Tile:
    """Bits of an integer tile moved right by a number >= 0, with its sign; also `>>`."""


def rms_norm(input: Tile, gamma: Tile, epsilon: Scalar) -> Tile:
    """input * gamma / sqrt(mean(input * input) + epsilon) along the last dimension."""


def rsqrt(input: Tile) -> Tile:
    """1 / sqrt(x)."""


def scatter(input: Tile, index: Tile, source: Tile, dim: int | None=None) -> Tile:
    """The tile with the elements of `source` put at the positions `index`, which mean what they do for `gather`. Positions
    outside are skipped; of equal ones the last counts.
    """


def sigmoid(input: Tile) -> Tile:
    """1 / (1 + exp(-x))."""


def silu(input: Tile) -> Tile:
    """x / (1 + exp(-x))."""


def sin(input: Tile) -> Tile:
    """Sine, for |input| < 65536; NaN beyond."""


def sinh(input: Tile) -> Tile:
    """Hyperbolic sine."""


def softmax(input: Tile) -> Tile:
    """Softmax along the last dimension of a float32 or float16 tile."""


def softplus(input: Tile) -> Tile:
    """log(1 + exp(x)), for any x."""


def sort(input: Tile, descending: bool=False) -> tuple[Tile, Tile]:
    """Each row in order, and where its elements stood (int32). Equal elements keep their order; a NaN stands first. Floats and
    integers of at most 16 bits.
    """


@overload
def sqrt(input: Tile) -> Tile: ...
@overload
def sqrt(input: Scalar) -> PlainValue:
    """Square root; of a number, a runtime number."""


def squeeze(input: Tile, *axis: int) -> Tile:
    """Drops the given dimensions of size 1, or all of them."""


def store(value: Operand, tensor: Tensor, *, tile_id: Iterable[RuntimeInt] | None=None, offsets: Iterable[RuntimeInt] | None=None) -> None:
    """Writes a tile; elements outside the tensor are dropped. A number or a tile of one element is written at `offsets`."""


def store_rows(value: Tile, tensor: Tensor, rows: Tile, *, offset: RuntimeInt=0) -> None:
    """Row i of the tile becomes the row `rows[i]` of the tensor, from column `offset` on, one after the other. What lies outside is
    dropped.
    """


def sub(input: Operand, other: Operand) -> Tile:
    """Difference; also `-`."""


def tan(input: Tile) -> Tile:
    """Tangent, for |input| < 65536; NaN beyond."""


def tanh(input: Tile) -> Tile:
    """Hyperbolic tangent."""


def tensor(base: GlobalAddress, shape: Iterable[RuntimeInt], strides: Iterable[RuntimeInt] | None=None) -> Tensor:
    """Describes the array at a pointer argument of the kernel: row-major, or with so many elements between neighbours of each
    dimension. Dimensions and strides may be runtime values; where one stride is the number 1, elements travel in rows of that
    dimension, otherwise one by one.
    """


def topk(input: Tile, k: int, largest: bool=True) -> tuple[Tile, Tile]:
    """The k largest (or smallest) elements of each row in order, and where they stood: the beginning of what `sort` gives."""


def transpose(input: Tile, *axes: int) -> Tile:
    """The tile with its axes in this order, or reversed. `x.T` is the reversed one."""


def where(mask: Tile, src0: Operand, src1: Operand) -> Tile:
    """src0 where the mask (a comparison's result) is true, src1 elsewhere; both may be numbers."""


def zeros(shape: Iterable[int], dtype: DataType | None=int32, location: TileLocation | None=TileLocation.UB) -> Tile:
    """A tile of zeros, int32 unless a dtype is given."""


def zeros_acc(shape: Iterable[int], dtype: DataType) -> Tile:
    """An accumulator for `matmul_acc`: zeros in L0C, float32, or int32 for products of int8."""


def zeros_like(input: Tile, location: TileLocation | None=TileLocation.UB) -> Tile:
    """A tile of zeros, with shape and dtype of another tile."""
