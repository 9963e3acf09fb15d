"""Element-wise functions. One operand of a binary function may be a number; it takes the tile's dtype."""

from __future__ import annotations

from asc._builtin import builtin

TILE_OR_SCALAR = ("(input: Tile) -> Tile", "(input: Scalar) -> PlainValue")


@builtin("asc2.add")
def add(input: Operand, other: Operand) -> Tile:
    """Sum; also `+`."""


@builtin("asc2.sub")
def sub(input: Operand, other: Operand) -> Tile:
    """Difference; also `-`."""


@builtin("asc2.mul")
def mul(input: Operand, other: Operand) -> Tile:
    """Product; also `*`."""


@builtin("asc2.div")
def div(input: Operand, other: Operand) -> Tile:
    """Quotient; of integers, truncated; also `/`."""


@builtin("asc2.maximum")
def maximum(input: Operand, other: Operand) -> Tile:
    """The larger one of two elements."""


@builtin("asc2.minimum")
def minimum(input: Operand, other: Operand) -> Tile:
    """The smaller one of two elements."""


@builtin("asc2.left_shift")
def left_shift(input: Operand, other: Operand) -> Tile:
    """Bits of an integer tile moved left by a number >= 0; also `<<`."""


@builtin("asc2.right_shift")
def right_shift(input: Operand, other: Operand) -> Tile:
    """Bits of an integer tile moved right by a number >= 0, with its sign; also `>>`."""


@builtin("asc2.equal")
def equal(input: Operand, other: Operand) -> Tile:
    """Where elements are equal, as a mask; also `==`."""


@builtin("asc2.not_equal")
def not_equal(input: Operand, other: Operand) -> Tile:
    """Where elements differ, as a mask; also `!=`."""


@builtin("asc2.greater")
def greater(input: Operand, other: Operand) -> Tile:
    """Where input > other, as a mask; also `>`."""


@builtin("asc2.greater_equal")
def greater_equal(input: Operand, other: Operand) -> Tile:
    """Where input >= other, as a mask; also `>=`."""


@builtin("asc2.less")
def less(input: Operand, other: Operand) -> Tile:
    """Where input < other, as a mask; also `<`."""


@builtin("asc2.less_equal")
def less_equal(input: Operand, other: Operand) -> Tile:
    """Where input <= other, as a mask; also `<=`."""


@builtin("asc2.abs")
def abs(input: Tile) -> Tile:
    """Absolute value."""


@builtin("asc2.ceil")
def ceil(input: Tile) -> Tile:
    """Rounds up to a whole number."""


@builtin("asc2.cos")
def cos(input: Tile) -> Tile:
    """Cosine, for |input| < 65536; NaN beyond."""


@builtin("asc2.cosh")
def cosh(input: Tile) -> Tile:
    """Hyperbolic cosine."""


@builtin("asc2.exp2")
def exp2(input: Tile) -> Tile:
    """2 to the power of each element."""


@builtin("asc2.floor")
def floor(input: Tile) -> Tile:
    """Rounds down to a whole number."""


@builtin("asc2.log")
def log(input: Tile) -> Tile:
    """Natural logarithm."""


@builtin("asc2.log2")
def log2(input: Tile) -> Tile:
    """Logarithm to base 2."""


@builtin("asc2.negative")
def negative(input: Tile) -> Tile:
    """The negative; also `-tile`."""


@builtin("asc2.relu")
def relu(input: Tile) -> Tile:
    """max(x, 0), for any numeric dtype."""


@builtin("asc2.rsqrt")
def rsqrt(input: Tile) -> Tile:
    """1 / sqrt(x)."""


@builtin("asc2.sin")
def sin(input: Tile) -> Tile:
    """Sine, for |input| < 65536; NaN beyond."""


@builtin("asc2.sinh")
def sinh(input: Tile) -> Tile:
    """Hyperbolic sine."""


@builtin("asc2.tan")
def tan(input: Tile) -> Tile:
    """Tangent, for |input| < 65536; NaN beyond."""


@builtin("asc2.tanh")
def tanh(input: Tile) -> Tile:
    """Hyperbolic tangent."""


@builtin("asc2.erf", forms=TILE_OR_SCALAR)
def erf(input: Operand) -> Tile | PlainValue:
    """The error function; of a number, a runtime number."""


@builtin("asc2.exp", forms=TILE_OR_SCALAR)
def exp(input: Operand) -> Tile | PlainValue:
    """e to the power of each element; of a number, a runtime number."""


@builtin("asc2.sqrt", forms=TILE_OR_SCALAR)
def sqrt(input: Operand) -> Tile | PlainValue:
    """Square root; of a number, a runtime number."""


@builtin("asc2.softmax")
def softmax(input: Tile) -> Tile:
    """Softmax along the last dimension of a float32 or float16 tile."""


@builtin("asc2.rms_norm")
def rms_norm(input: Tile, gamma: Tile, epsilon: Scalar) -> Tile:
    """input * gamma / sqrt(mean(input * input) + epsilon) along the last dimension."""


@builtin("asc2.where")
def where(mask: Tile, src0: Operand, src1: Operand) -> Tile:
    """src0 where the mask (a comparison's result) is true, src1 elsewhere; both may be numbers."""
