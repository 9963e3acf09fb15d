"""Element-wise functions. One operand of a binary function may be a number; it takes the tile's dtype.

A declaration is the whole function for the front end: its decorator names the operation of tile IR, which is the function's own
name unless it says otherwise (include/tilesmith/Dialect/Tile/TileEnums.td).
"""

from __future__ import annotations

from asc._builtin import Builtin, builtin

TILE_OR_SCALAR = ("(input: Tile) -> Tile", "(input: Scalar) -> PlainValue")


def unary(operation="", method=True):
    """Of one tile; also a method of tiles. An `Operand` may be a number, too."""

    def declare(function):
        forms = TILE_OR_SCALAR if function.__annotations__["input"] == "Operand" else ()
        return Builtin(f"asc2.{function.__name__}", function, False, forms, method=function.__name__ if method else "")

    return declare


def binary(operation=""):
    """Of two tiles, or a tile and a number."""
    return lambda function: Builtin(f"asc2.{function.__name__}", function, False, ())


comparison = binary


@binary()
def add(input: Operand, other: Operand) -> Tile:
    """Sum; also `+`."""


@binary()
def sub(input: Operand, other: Operand) -> Tile:
    """Difference; also `-`."""


@binary()
def mul(input: Operand, other: Operand) -> Tile:
    """Product; also `*`."""


@binary()
def div(input: Operand, other: Operand) -> Tile:
    """Quotient; of integers, truncated; also `/`."""


@binary("pow")
def pow(input: Operand, other: Operand) -> Tile:
    """input to the power of other; also `**`. Integers wrap, and to a negative power become 0 (1 and -1 aside)."""


@binary("rem")
def fmod(input: Operand, other: Operand) -> Tile:
    """The remainder of the truncated quotient, with the sign of input, as in C; also `%`. Of floats exact for quotients below
    2**22, NaN beyond. Of integers by zero it is input.
    """


@binary("mod")
def remainder(input: Operand, other: Operand) -> Tile:
    """The remainder of the quotient rounded down, with the sign of other, as Python's `%` of host numbers."""


@binary("max")
def maximum(input: Operand, other: Operand) -> Tile:
    """The larger one of two elements."""


@binary("min")
def minimum(input: Operand, other: Operand) -> Tile:
    """The smaller one of two elements."""


@binary("shl")
def left_shift(input: Operand, other: Operand) -> Tile:
    """Bits of an integer tile moved left by a number >= 0; also `<<`."""


@binary("shr")
def right_shift(input: Operand, other: Operand) -> Tile:
    """Bits of an integer tile moved right by a number >= 0, with its sign; also `>>`."""


@comparison("eq")
def equal(input: Operand, other: Operand) -> Tile:
    """Where elements are equal, as a mask; also `==`."""


@comparison("ne")
def not_equal(input: Operand, other: Operand) -> Tile:
    """Where elements differ, as a mask; also `!=`."""


@comparison("gt")
def greater(input: Operand, other: Operand) -> Tile:
    """Where input > other, as a mask; also `>`."""


@comparison("ge")
def greater_equal(input: Operand, other: Operand) -> Tile:
    """Where input >= other, as a mask; also `>=`."""


@comparison("lt")
def less(input: Operand, other: Operand) -> Tile:
    """Where input < other, as a mask; also `<`."""


@comparison("le")
def less_equal(input: Operand, other: Operand) -> Tile:
    """Where input <= other, as a mask; also `<=`."""


@unary()
def abs(input: Tile) -> Tile:
    """Absolute value."""


@unary()
def ceil(input: Tile) -> Tile:
    """Rounds up to a whole number."""


@unary()
def cos(input: Tile) -> Tile:
    """Cosine, for |input| < 65536; NaN beyond."""


@unary()
def cosh(input: Tile) -> Tile:
    """Hyperbolic cosine."""


@unary()
def exp2(input: Tile) -> Tile:
    """2 to the power of each element."""


@unary()
def floor(input: Tile) -> Tile:
    """Rounds down to a whole number."""


@unary()
def log(input: Tile) -> Tile:
    """Natural logarithm."""


@unary()
def log2(input: Tile) -> Tile:
    """Logarithm to base 2."""


@unary()
def log1p(input: Tile) -> Tile:
    """log(1 + x), also near 0."""


@unary()
def expm1(input: Tile) -> Tile:
    """exp(x) - 1, also near 0."""


@unary()
def gelu(input: Tile) -> Tile:
    """x * (1 + erf(x / sqrt(2))) / 2."""


@unary()
def sigmoid(input: Tile) -> Tile:
    """1 / (1 + exp(-x))."""


@unary()
def silu(input: Tile) -> Tile:
    """x / (1 + exp(-x))."""


@unary()
def softplus(input: Tile) -> Tile:
    """log(1 + exp(x)), for any x."""


@unary("neg", method=False)
def negative(input: Tile) -> Tile:
    """The negative; also `-tile`."""


@unary()
def reciprocal(input: Tile) -> Tile:
    """1 / x by the instruction for it. On a 910B it takes a quarter of the time of a quotient, and the chip computes it about as
    exactly as half precision needs; write `1.0 / x` for the quotient."""


@unary()
def relu(input: Tile) -> Tile:
    """max(x, 0), for any numeric dtype."""


@unary()
def rsqrt(input: Tile) -> Tile:
    """1 / sqrt(x)."""


@unary()
def sin(input: Tile) -> Tile:
    """Sine, for |input| < 65536; NaN beyond."""


@unary()
def sinh(input: Tile) -> Tile:
    """Hyperbolic sine."""


@unary()
def tan(input: Tile) -> Tile:
    """Tangent, for |input| < 65536; NaN beyond."""


@unary()
def tanh(input: Tile) -> Tile:
    """Hyperbolic tangent."""


@unary()
def erf(input: Operand) -> Tile | PlainValue:
    """The error function; of a number, a runtime number."""


@unary()
def exp(input: Operand) -> Tile | PlainValue:
    """e to the power of each element; of a number, a runtime number."""


@unary()
def sqrt(input: Operand) -> Tile | PlainValue:
    """Square root; of a number, a runtime number."""


@builtin("asc2.softmax", method="softmax")
def softmax(input: Tile) -> Tile:
    """Softmax along the last dimension of a float32 or float16 tile."""


@builtin("asc2.rms_norm")
def rms_norm(input: Tile, gamma: Tile, epsilon: Scalar) -> Tile:
    """input * gamma / sqrt(mean(input * input) + epsilon) along the last dimension."""


@builtin("asc2.where")
def where(mask: Tile, src0: Operand, src1: Operand) -> Tile:
    """src0 where the mask (a comparison's result) is true, src1 elsewhere; both may be numbers."""
