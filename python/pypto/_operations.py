"""The operations on tensors. Made by tools/pypto.py from include/tilesmith/Frontend/PyptoOperations.def."""

from pypto._declared import operation

__all__ = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "abs",
    "neg",
    "relu",
    "sigmoid",
    "tanh",
    "sinh",
    "cosh",
    "sin",
    "cos",
    "tan",
    "erf",
    "erfc",
    "ceil",
    "floor",
    "trunc",
    "round",
    "logical_not",
    "add",
    "sub",
    "mul",
    "div",
    "maximum",
    "minimum",
    "pow",
    "remainder",
    "fmod",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "greater",
    "logical_and",
    "where",
    "clip",
    "cast",
    "view",
    "assemble",
    "move",
    "reshape",
    "unsqueeze",
    "transpose",
    "permute",
    "clone",
    "expand_clone",
    "full",
    "zeros",
    "arange",
    "concat",
    "ones",
    "sum",
    "amax",
    "amin",
    "prod",
    "argmax",
    "argmin",
    "var",
    "cumsum",
    "topk",
    "argsort",
    "softmax",
    "rms_norm",
    "matmul",
]


@operation
def exp(input, precision_type=None):
    """e to the power of each element."""


@operation
def exp2(input):
    """2 to the power of each element; of integers in FP32."""


@operation
def expm1(input):
    """exp(x) - 1, exact near 0; of integers in FP32."""


@operation
def log(input, precision_type=None):
    """The natural logarithm of each element."""


@operation
def log2(input, precision_type=None):
    """The logarithm to base 2 of each element."""


@operation
def log10(input, precision_type=None):
    """The logarithm to base 10 of each element."""


@operation
def log1p(input):
    """log(1 + x), exact near 0."""


@operation
def sqrt(input, precision_type=None):
    """The square root of each element."""


@operation
def rsqrt(input, precision_type=None):
    """1 / sqrt(x) of each element."""


@operation
def reciprocal(input, precision_type=None):
    """1 / x of each element."""


@operation
def abs(input):
    """The absolute value of each element."""


@operation
def neg(input):
    """The negative of each element."""


@operation
def relu(input):
    """The larger of each element and 0."""


@operation
def sigmoid(input):
    """1 / (1 + exp(-x)), computed in FP32 and rounded once."""


@operation
def tanh(input):
    """The hyperbolic tangent of each element."""


@operation
def sinh(input):
    """The hyperbolic sine of each element."""


@operation
def cosh(input):
    """The hyperbolic cosine of each element."""


@operation
def sin(input):
    """The sine of each element."""


@operation
def cos(input):
    """The cosine of each element."""


@operation
def tan(input):
    """The tangent of each element."""


@operation
def erf(input):
    """The error function of each element."""


@operation
def erfc(input):
    """1 - erf(x) of each element."""


@operation
def ceil(input):
    """The smallest whole number not below each element."""


@operation
def floor(input):
    """The largest whole number not above each element."""


@operation
def trunc(input):
    """The whole part of each element."""


@operation
def round(input, decimals=0):
    """The nearest number with so many decimals, ties to even."""


@operation
def logical_not(input):
    """Whether each element is 0."""


@operation
def add(input, other):
    """The sum of two tensors, or of a tensor and a number; integers wrap."""


@operation
def sub(input, other):
    """The difference of two tensors, or of a tensor and a number; integers wrap."""


@operation
def mul(input, other):
    """The product of two tensors, or of a tensor and a number; integers wrap."""


@operation
def div(input, other, precision_type=None):
    """The quotient; of integers in FP32."""


@operation
def maximum(input, other):
    """The larger of two elements, or of an element and a number."""


@operation
def minimum(input, other):
    """The smaller of two elements, or of an element and a number."""


@operation
def pow(input, other, precision_type=None):
    """Each element to a power."""


@operation
def remainder(input, other):
    """The remainder of the quotient rounded down; it has the sign of the divisor."""


@operation
def fmod(input, other):
    """The remainder of the truncated quotient; it has the sign of the dividend."""


@operation
def eq(input, other):
    """Whether two elements are equal."""


@operation
def ne(input, other):
    """Whether two elements differ; true beside a NaN."""


@operation
def lt(input, other):
    """Whether each element is below the other."""


@operation
def le(input, other):
    """Whether each element is not above the other."""


@operation
def gt(input, other):
    """Whether each element is above the other."""


@operation
def ge(input, other):
    """Whether each element is not below the other."""


@operation
def greater(input, other):
    """Whether each element is above the other; `gt`."""


@operation
def logical_and(input, other):
    """Whether both elements differ from 0."""


@operation
def where(condition, input, other):
    """Elements of `input` where the condition holds, else of `other`; both may be numbers."""


@operation
def clip(input, min=None, max=None):
    """Each element, but not below `min` and not above `max`."""


@operation
def cast(input, dtype, mode=None, satmode=None):
    """Elements converted to another type: floats to integers truncated, else rounded to nearest even."""


@operation
def view(input, shape=None, offsets=None, *, valid_shape=None, dtype=None):
    """The part of a tensor that begins at `offsets`; `valid_shape` says how much of it counts."""


@operation
def assemble(src, offsets, dst, parallel=False):
    """Writes the valid part of a tensor into another one, from `offsets` on."""


@operation
def move(dst, src):
    """Writes the valid part of a tensor into this one, from its beginning; `dst[:] = src`."""


@operation
def reshape(input, shape, *, valid_shape=None, inplace=False):
    """The same elements in another shape; one size may be -1."""


@operation
def unsqueeze(input, dim):
    """A new axis of size 1."""


@operation
def transpose(input, dim0, dim1):
    """Two axes change places."""


@operation
def permute(input, dims):
    """Axis i of the result is axis `dims[i]`."""


@operation
def clone(input):
    """A copy."""


@operation
def expand_clone(input, shape, *, valid_shape=None):
    """Axes of size 1 repeated."""


@operation
def full(size, fill_value, dtype, *, valid_shape=None):
    """A tensor whose elements are all one number."""


@operation
def zeros(*size, dtype=None):
    """A tensor of zeros; FP32 unless `dtype` is given, by keyword."""


@operation
def arange(start, end=None, step=1):
    """start, start + step, ... up to `end`; with one argument from 0. FP32 if any argument is a float, else INT32."""


@operation
def concat(tensors, dim=0):
    """Tensors joined along an axis."""


@operation
def ones(*size, dtype=None):
    """A tensor of ones; FP32 unless `dtype` is given, by keyword."""


@operation
def sum(input, dim, keepdim=False):
    """The sum along an axis, accumulated in FP32 in one order, whatever the tiles are."""


@operation
def amax(input, dim, keepdim=False):
    """The largest element along an axis."""


@operation
def amin(input, dim, keepdim=False):
    """The smallest element along an axis."""


@operation
def prod(input, dim, keepdim=False):
    """The product along an axis."""


@operation
def argmax(input, dim=-1, keepdim=False):
    """Where the largest element of an axis stands, the first of equal ones; INT32."""


@operation
def argmin(input, dim=-1, keepdim=False):
    """Where the smallest element of an axis stands, the first of equal ones; INT32."""


@operation
def var(input, dim=None, correction=1, keepdim=False):
    """The variance along axes, divided by their number less `correction`."""


@operation
def cumsum(input, dim):
    """The sums of all beginnings of an axis."""


@operation
def topk(input, k, dim=None, largest=True, algo=None):
    """The k largest elements of each row in descending order, FP32, and where they stood, INT32."""


@operation
def argsort(input, dim=None, descending=False):
    """The order of the elements of each row, INT32."""


@operation
def softmax(input, dim):
    """exp(x - max) / sum(exp(x - max)) along an axis, computed in FP32 and rounded once."""


@operation
def rms_norm(input, gamma=None, epsilon=1e-6):
    """x / sqrt(mean(x * x) + epsilon) * gamma along the last axis, computed in FP32 and rounded once."""


@operation
def matmul(input, mat2, out_dtype, *, a_trans=False, b_trans=False, c_matrix_nz=False, extend_params=None):
    """The product of two matrices, or of stacks of them; accumulated in FP32, of INT8 in INT32."""
