"""Element-wise functions. One operand of a binary function may be a number; it takes the tile's dtype."""

from asc._builtin import builtin


@builtin("asc2.add")
def add(input, other):
    """Sum; also `+`."""


@builtin("asc2.sub")
def sub(input, other):
    """Difference; also `-`."""


@builtin("asc2.mul")
def mul(input, other):
    """Product; also `*`."""


@builtin("asc2.div")
def div(input, other):
    """Quotient; of integers, truncated; also `/`."""


@builtin("asc2.maximum")
def maximum(input, other):
    """The larger one of two elements."""


@builtin("asc2.minimum")
def minimum(input, other):
    """The smaller one of two elements."""


@builtin("asc2.left_shift")
def left_shift(input, other):
    """Bits of an integer tile moved left by a number >= 0; also `<<`."""


@builtin("asc2.right_shift")
def right_shift(input, other):
    """Bits of an integer tile moved right by a number >= 0, with its sign; also `>>`."""


@builtin("asc2.equal")
def equal(input, other):
    """Where elements are equal, as a mask; also `==`."""


@builtin("asc2.not_equal")
def not_equal(input, other):
    """Where elements differ, as a mask; also `!=`."""


@builtin("asc2.greater")
def greater(input, other):
    """Where input > other, as a mask; also `>`."""


@builtin("asc2.greater_equal")
def greater_equal(input, other):
    """Where input >= other, as a mask; also `>=`."""


@builtin("asc2.less")
def less(input, other):
    """Where input < other, as a mask; also `<`."""


@builtin("asc2.less_equal")
def less_equal(input, other):
    """Where input <= other, as a mask; also `<=`."""


@builtin("asc2.abs")
def abs(input):
    """Absolute value."""


@builtin("asc2.ceil")
def ceil(input):
    """Rounds up to a whole number."""


@builtin("asc2.cos")
def cos(input):
    """Cosine."""


@builtin("asc2.cosh")
def cosh(input):
    """Hyperbolic cosine."""


@builtin("asc2.exp2")
def exp2(input):
    """2 to the power of each element."""


@builtin("asc2.floor")
def floor(input):
    """Rounds down to a whole number."""


@builtin("asc2.log")
def log(input):
    """Natural logarithm."""


@builtin("asc2.log2")
def log2(input):
    """Logarithm to base 2."""


@builtin("asc2.negative")
def negative(input):
    """The negative; also `-tile`."""


@builtin("asc2.relu")
def relu(input):
    """max(x, 0), for any numeric dtype."""


@builtin("asc2.rsqrt")
def rsqrt(input):
    """1 / sqrt(x)."""


@builtin("asc2.sin")
def sin(input):
    """Sine."""


@builtin("asc2.sinh")
def sinh(input):
    """Hyperbolic sine."""


@builtin("asc2.tan")
def tan(input):
    """Tangent."""


@builtin("asc2.tanh")
def tanh(input):
    """Hyperbolic tangent."""


@builtin("asc2.erf")
def erf(input):
    """The error function; of a number, a runtime number."""


@builtin("asc2.exp")
def exp(input):
    """e to the power of each element; of a number, a runtime number."""


@builtin("asc2.sqrt")
def sqrt(input):
    """Square root; of a number, a runtime number."""


@builtin("asc2.softmax")
def softmax(input):
    """Softmax along the last dimension of a float32 or float16 tile."""


@builtin("asc2.rms_norm")
def rms_norm(input, gamma, epsilon):
    """input * gamma / sqrt(mean(input * input) + epsilon) along the last dimension."""


@builtin("asc2.where")
def where(mask, src0, src1):
    """src0 where the mask (a comparison's result) is true, src1 elsewhere; both may be numbers."""
