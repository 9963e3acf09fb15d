"""The operations on tensors. Made by tools/pypto_operations.py from include/tilesmith/Frontend/PyptoOperations.def."""

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
    "sign",
    "signbit",
    "isnan",
    "isfinite",
    "lrelu",
    "asin",
    "acos",
    "atan",
    "asinh",
    "acosh",
    "atanh",
    "cbrt",
    "bitwise_not",
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
    "hypot",
    "atan2",
    "floor_div",
    "ceil_div",
    "expand_exp_dif",
    "copysign",
    "prelu",
    "axpy_",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "bitwise_left_shift",
    "bitwise_right_shift",
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
    "atomic_add",
    "pad",
    "tril",
    "triu",
    "fillpad",
    "one_hot",
    "gather",
    "index_select",
    "gathermask",
    "scatter",
    "scatter_",
    "scatter_update",
    "index_put_",
    "index_add",
    "index_add_ub",
    "index_add__ub",
    "index_add_",
    "sum",
    "amax",
    "amin",
    "prod",
    "argmax",
    "argmin",
    "var",
    "cumsum",
    "cumprod",
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
def sign(input):
    """-1, 0 or 1; NaN of a NaN."""


@operation
def signbit(input):
    """Whether the sign of each element is set."""


@operation
def isnan(input):
    """Whether each element is a NaN."""


@operation
def isfinite(input):
    """Whether each element is neither infinite nor a NaN."""


@operation
def lrelu(other, negative_slope=0.01):
    """Each element, times the slope where it is negative."""


@operation
def asin(input):
    """The arcsine of each element; NaN beyond -1 to 1."""


@operation
def acos(input):
    """The arccosine of each element; NaN beyond -1 to 1."""


@operation
def atan(input):
    """The arctangent of each element."""


@operation
def asinh(input):
    """The inverse hyperbolic sine of each element."""


@operation
def acosh(input):
    """The inverse hyperbolic cosine of each element; NaN below 1."""


@operation
def atanh(input):
    """The inverse hyperbolic tangent of each element; NaN beyond -1 to 1."""


@operation
def cbrt(input):
    """The cube root of each element."""


@operation
def bitwise_not(input):
    """Each bit turned over."""


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
def hypot(input, other):
    """sqrt(x * x + y * y), without overflow between."""


@operation
def atan2(y, x):
    """The angle of the point (x, y), from -pi to pi."""


@operation
def floor_div(input, other):
    """The quotient rounded down."""


@operation
def ceil_div(input, other):
    """The quotient rounded up."""


@operation
def expand_exp_dif(input, other):
    """exp(x - y), computed in FP32 and rounded once."""


@operation
def copysign(input, other):
    """The size of one element with the sign of the other."""


@operation
def prelu(self, weight):
    """Each element, times its channel's weight where it is negative; channels are the second axis."""


@operation
def axpy_(y, x, alpha=1.0):
    """y + alpha * x, in place."""


@operation
def bitwise_and(input, other):
    """Bits that both have."""


@operation
def bitwise_or(input, other):
    """Bits that one of them has."""


@operation
def bitwise_xor(input, other):
    """Bits that one of them has, and not both."""


@operation
def bitwise_left_shift(input, other):
    """Each element shifted to the left."""


@operation
def bitwise_right_shift(input, other):
    """Each element shifted to the right."""


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
def atomic_add(src, offsets, dst):
    """Adds the valid part of a tensor to what another one has from `offsets` on; in any order."""


@operation
def pad(x, padding, mode=None, value=None):
    """The tensor with columns and rows of `value` behind it: padding is (0, right) or (0, right, 0, bottom)."""


@operation
def tril(input, diagonal=0):
    """The lower triangle of the last two axes, 0 above the diagonal."""


@operation
def triu(input, diagonal=0):
    """The upper triangle of the last two axes, 0 below the diagonal."""


@operation
def fillpad(x, mode=None, value=None):
    """The tensor with `value` in everything beyond its valid extent."""


@operation
def one_hot(input, num_classes):
    """A new last axis with 1 at the element's number and 0 elsewhere; INT64."""


@operation
def gather(input, dim, index):
    """For each element of the index, the element that stands there along an axis."""


@operation
def index_select(input, dim, index):
    """Parts of a tensor along an axis, by their numbers."""


@operation
def gathermask(self, pattern_mode):
    """Of each row every second element (1: from the first on, 2: from the second), every fourth (3 to 6: from the first to the fourth) or all (7)."""


@operation
def scatter(input, dim, index, src, *, reduce=None):
    """The tensor with elements of `src`, or a number, where the index says along an axis."""


@operation
def scatter_(input, dim, index, src, *, reduce=None):
    """`scatter` into the tensor itself."""


@operation
def scatter_update(input, dim, index, src):
    """Writes rows of a cache [n, d] or [blocks, size, 1, d] by their numbers, in place; dim is -2."""


@operation
def index_put_(input, indices, values, accumulate=False):
    """Writes parts of a tensor by the numbers of its first axes, in place."""


@operation
def index_add(input, dim, index, source, *, alpha=None):
    """The tensor with parts of `source` times `alpha` added along an axis, by their numbers."""


@operation
def index_add_ub(input, dim, index, source, *, alpha=None):
    """`index_add`."""


@operation
def index_add__ub(input, dim, index, source, *, alpha=None):
    """`index_add_`."""


@operation
def index_add_(input, dim, index, source, *, alpha=None):
    """`index_add` into the tensor itself."""


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
    """The sums of all beginnings of an axis; of integers in INT64."""


@operation
def cumprod(input, dim):
    """The products of all beginnings of an axis; of integers in INT64."""


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
