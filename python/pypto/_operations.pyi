# Made by tools/pypto_operations.py from include/tilesmith/Frontend/PyptoOperations.def.

from typing import Any

from pypto._types import Tensor

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

def exp(input: Any, precision_type: Any=None) -> Tensor:
    """e to the power of each element."""

def exp2(input: Any) -> Tensor:
    """2 to the power of each element; of integers in FP32."""

def expm1(input: Any) -> Tensor:
    """exp(x) - 1, exact near 0; of integers in FP32."""

def log(input: Any, precision_type: Any=None) -> Tensor:
    """The natural logarithm of each element."""

def log2(input: Any, precision_type: Any=None) -> Tensor:
    """The logarithm to base 2 of each element."""

def log10(input: Any, precision_type: Any=None) -> Tensor:
    """The logarithm to base 10 of each element."""

def log1p(input: Any) -> Tensor:
    """log(1 + x), exact near 0."""

def sqrt(input: Any, precision_type: Any=None) -> Tensor:
    """The square root of each element."""

def rsqrt(input: Any, precision_type: Any=None) -> Tensor:
    """1 / sqrt(x) of each element."""

def reciprocal(input: Any, precision_type: Any=None) -> Tensor:
    """1 / x of each element."""

def abs(input: Any) -> Tensor:
    """The absolute value of each element."""

def neg(input: Any) -> Tensor:
    """The negative of each element."""

def relu(input: Any) -> Tensor:
    """The larger of each element and 0."""

def sigmoid(input: Any) -> Tensor:
    """1 / (1 + exp(-x)), computed in FP32 and rounded once."""

def tanh(input: Any) -> Tensor:
    """The hyperbolic tangent of each element."""

def sinh(input: Any) -> Tensor:
    """The hyperbolic sine of each element."""

def cosh(input: Any) -> Tensor:
    """The hyperbolic cosine of each element."""

def sin(input: Any) -> Tensor:
    """The sine of each element."""

def cos(input: Any) -> Tensor:
    """The cosine of each element."""

def tan(input: Any) -> Tensor:
    """The tangent of each element."""

def erf(input: Any) -> Tensor:
    """The error function of each element."""

def erfc(input: Any) -> Tensor:
    """1 - erf(x) of each element."""

def ceil(input: Any) -> Tensor:
    """The smallest whole number not below each element."""

def floor(input: Any) -> Tensor:
    """The largest whole number not above each element."""

def trunc(input: Any) -> Tensor:
    """The whole part of each element."""

def round(input: Any, decimals: Any=0) -> Tensor:
    """The nearest number with so many decimals, ties to even."""

def logical_not(input: Any) -> Tensor:
    """Whether each element is 0."""

def sign(input: Any) -> Tensor:
    """-1, 0 or 1; NaN of a NaN."""

def signbit(input: Any) -> Tensor:
    """Whether the sign of each element is set."""

def isnan(input: Any) -> Tensor:
    """Whether each element is a NaN."""

def isfinite(input: Any) -> Tensor:
    """Whether each element is neither infinite nor a NaN."""

def lrelu(other: Any, negative_slope: Any=0.01) -> Tensor:
    """Each element, times the slope where it is negative."""

def asin(input: Any) -> Tensor:
    """The arcsine of each element; NaN beyond -1 to 1."""

def acos(input: Any) -> Tensor:
    """The arccosine of each element; NaN beyond -1 to 1."""

def atan(input: Any) -> Tensor:
    """The arctangent of each element."""

def asinh(input: Any) -> Tensor:
    """The inverse hyperbolic sine of each element."""

def acosh(input: Any) -> Tensor:
    """The inverse hyperbolic cosine of each element; NaN below 1."""

def atanh(input: Any) -> Tensor:
    """The inverse hyperbolic tangent of each element; NaN beyond -1 to 1."""

def cbrt(input: Any) -> Tensor:
    """The cube root of each element."""

def bitwise_not(input: Any) -> Tensor:
    """Each bit turned over."""

def add(input: Any, other: Any) -> Tensor:
    """The sum of two tensors, or of a tensor and a number; integers wrap."""

def sub(input: Any, other: Any) -> Tensor:
    """The difference of two tensors, or of a tensor and a number; integers wrap."""

def mul(input: Any, other: Any) -> Tensor:
    """The product of two tensors, or of a tensor and a number; integers wrap."""

def div(input: Any, other: Any, precision_type: Any=None) -> Tensor:
    """The quotient; of integers in FP32."""

def maximum(input: Any, other: Any) -> Tensor:
    """The larger of two elements, or of an element and a number."""

def minimum(input: Any, other: Any) -> Tensor:
    """The smaller of two elements, or of an element and a number."""

def pow(input: Any, other: Any, precision_type: Any=None) -> Tensor:
    """Each element to a power."""

def remainder(input: Any, other: Any) -> Tensor:
    """The remainder of the quotient rounded down; it has the sign of the divisor."""

def fmod(input: Any, other: Any) -> Tensor:
    """The remainder of the truncated quotient; it has the sign of the dividend."""

def eq(input: Any, other: Any) -> Tensor:
    """Whether two elements are equal."""

def ne(input: Any, other: Any) -> Tensor:
    """Whether two elements differ; true beside a NaN."""

def lt(input: Any, other: Any) -> Tensor:
    """Whether each element is below the other."""

def le(input: Any, other: Any) -> Tensor:
    """Whether each element is not above the other."""

def gt(input: Any, other: Any) -> Tensor:
    """Whether each element is above the other."""

def ge(input: Any, other: Any) -> Tensor:
    """Whether each element is not below the other."""

def greater(input: Any, other: Any) -> Tensor:
    """Whether each element is above the other; `gt`."""

def logical_and(input: Any, other: Any) -> Tensor:
    """Whether both elements differ from 0."""

def hypot(input: Any, other: Any) -> Tensor:
    """sqrt(x * x + y * y), without overflow between."""

def atan2(y: Any, x: Any) -> Tensor:
    """The angle of the point (x, y), from -pi to pi."""

def floor_div(input: Any, other: Any) -> Tensor:
    """The quotient rounded down."""

def ceil_div(input: Any, other: Any) -> Tensor:
    """The quotient rounded up."""

def expand_exp_dif(input: Any, other: Any) -> Tensor:
    """exp(x - y), computed in FP32 and rounded once."""

def copysign(input: Any, other: Any) -> Tensor:
    """The size of one element with the sign of the other."""

def prelu(self: Any, weight: Any) -> Tensor:
    """Each element, times its channel's weight where it is negative; channels are the second axis."""

def axpy_(y: Any, x: Any, alpha: Any=1.0) -> Tensor:
    """y + alpha * x, in place."""

def bitwise_and(input: Any, other: Any) -> Tensor:
    """Bits that both have."""

def bitwise_or(input: Any, other: Any) -> Tensor:
    """Bits that one of them has."""

def bitwise_xor(input: Any, other: Any) -> Tensor:
    """Bits that one of them has, and not both."""

def bitwise_left_shift(input: Any, other: Any) -> Tensor:
    """Each element shifted to the left."""

def bitwise_right_shift(input: Any, other: Any) -> Tensor:
    """Each element shifted to the right."""

def where(condition: Any, input: Any, other: Any) -> Tensor:
    """Elements of `input` where the condition holds, else of `other`; both may be numbers."""

def clip(input: Any, min: Any=None, max: Any=None) -> Tensor:
    """Each element, but not below `min` and not above `max`."""

def cast(input: Any, dtype: Any, mode: Any=None, satmode: Any=None) -> Tensor:
    """Elements converted to another type: floats to integers truncated, else rounded to nearest even."""

def view(input: Any, shape: Any=None, offsets: Any=None, *, valid_shape: Any=None, dtype: Any=None) -> Tensor:
    """The part of a tensor that begins at `offsets`; `valid_shape` says how much of it counts."""

def assemble(src: Any, offsets: Any, dst: Any, parallel: Any=False) -> None:
    """Writes the valid part of a tensor into another one, from `offsets` on."""

def move(dst: Any, src: Any) -> None:
    """Writes the valid part of a tensor into this one, from its beginning; `dst[:] = src`."""

def reshape(input: Any, shape: Any, *, valid_shape: Any=None, inplace: Any=False) -> Tensor:
    """The same elements in another shape; one size may be -1."""

def unsqueeze(input: Any, dim: Any) -> Tensor:
    """A new axis of size 1."""

def transpose(input: Any, dim0: Any, dim1: Any) -> Tensor:
    """Two axes change places."""

def permute(input: Any, dims: Any) -> Tensor:
    """Axis i of the result is axis `dims[i]`."""

def clone(input: Any) -> Tensor:
    """A copy."""

def expand_clone(input: Any, shape: Any, *, valid_shape: Any=None) -> Tensor:
    """Axes of size 1 repeated."""

def full(size: Any, fill_value: Any, dtype: Any, *, valid_shape: Any=None) -> Tensor:
    """A tensor whose elements are all one number."""

def zeros(*size: Any, dtype: Any=None) -> Tensor:
    """A tensor of zeros; FP32 unless `dtype` is given, by keyword."""

def arange(start: Any, end: Any=None, step: Any=1) -> Tensor:
    """start, start + step, ... up to `end`; with one argument from 0. FP32 if any argument is a float, else INT32."""

def concat(tensors: Any, dim: Any=0) -> Tensor:
    """Tensors joined along an axis."""

def ones(*size: Any, dtype: Any=None) -> Tensor:
    """A tensor of ones; FP32 unless `dtype` is given, by keyword."""

def atomic_add(src: Any, offsets: Any, dst: Any) -> Tensor:
    """Adds the valid part of a tensor to what another one has from `offsets` on; in any order."""

def pad(x: Any, padding: Any, mode: Any=None, value: Any=None) -> Tensor:
    """The tensor with columns and rows of `value` behind it: padding is (0, right) or (0, right, 0, bottom)."""

def tril(input: Any, diagonal: Any=0) -> Tensor:
    """The lower triangle of the last two axes, 0 above the diagonal."""

def triu(input: Any, diagonal: Any=0) -> Tensor:
    """The upper triangle of the last two axes, 0 below the diagonal."""

def fillpad(x: Any, mode: Any=None, value: Any=None) -> Tensor:
    """The tensor with `value` in everything beyond its valid extent."""

def one_hot(input: Any, num_classes: Any) -> Tensor:
    """A new last axis with 1 at the element's number and 0 elsewhere; INT64."""

def gather(input: Any, dim: Any, index: Any) -> Tensor:
    """For each element of the index, the element that stands there along an axis."""

def index_select(input: Any, dim: Any, index: Any) -> Tensor:
    """Parts of a tensor along an axis, by their numbers."""

def gathermask(self: Any, pattern_mode: Any) -> Tensor:
    """Of each row every second element (1: from the first on, 2: from the second), every fourth (3 to 6: from the first to the fourth) or all (7)."""

def scatter(input: Any, dim: Any, index: Any, src: Any, *, reduce: Any=None) -> Tensor:
    """The tensor with elements of `src`, or a number, where the index says along an axis."""

def scatter_(input: Any, dim: Any, index: Any, src: Any, *, reduce: Any=None) -> Tensor:
    """`scatter` into the tensor itself."""

def scatter_update(input: Any, dim: Any, index: Any, src: Any) -> Tensor:
    """Writes rows of a cache [n, d] or [blocks, size, 1, d] by their numbers, in place; dim is -2."""

def index_put_(input: Any, indices: Any, values: Any, accumulate: Any=False) -> Tensor:
    """Writes parts of a tensor by the numbers of its first axes, in place."""

def index_add(input: Any, dim: Any, index: Any, source: Any, *, alpha: Any=None) -> Tensor:
    """The tensor with parts of `source` times `alpha` added along an axis, by their numbers."""

def index_add_ub(input: Any, dim: Any, index: Any, source: Any, *, alpha: Any=None) -> Tensor:
    """`index_add`."""

def index_add__ub(input: Any, dim: Any, index: Any, source: Any, *, alpha: Any=None) -> Tensor:
    """`index_add_`."""

def index_add_(input: Any, dim: Any, index: Any, source: Any, *, alpha: Any=None) -> Tensor:
    """`index_add` into the tensor itself."""

def sum(input: Any, dim: Any, keepdim: Any=False) -> Tensor:
    """The sum along an axis, accumulated in FP32 in one order, whatever the tiles are."""

def amax(input: Any, dim: Any, keepdim: Any=False) -> Tensor:
    """The largest element along an axis."""

def amin(input: Any, dim: Any, keepdim: Any=False) -> Tensor:
    """The smallest element along an axis."""

def prod(input: Any, dim: Any, keepdim: Any=False) -> Tensor:
    """The product along an axis."""

def argmax(input: Any, dim: Any=-1, keepdim: Any=False) -> Tensor:
    """Where the largest element of an axis stands, the first of equal ones; INT32."""

def argmin(input: Any, dim: Any=-1, keepdim: Any=False) -> Tensor:
    """Where the smallest element of an axis stands, the first of equal ones; INT32."""

def var(input: Any, dim: Any=None, correction: Any=1, keepdim: Any=False) -> Tensor:
    """The variance along axes, divided by their number less `correction`."""

def cumsum(input: Any, dim: Any) -> Tensor:
    """The sums of all beginnings of an axis; of integers in INT64."""

def cumprod(input: Any, dim: Any) -> Tensor:
    """The products of all beginnings of an axis; of integers in INT64."""

def topk(input: Any, k: Any, dim: Any=None, largest: Any=True, algo: Any=None) -> Tensor:
    """The k largest elements of each row in descending order, FP32, and where they stood, INT32."""

def argsort(input: Any, dim: Any=None, descending: Any=False) -> Tensor:
    """The order of the elements of each row, INT32."""

def softmax(input: Any, dim: Any) -> Tensor:
    """exp(x - max) / sum(exp(x - max)) along an axis, computed in FP32 and rounded once."""

def rms_norm(input: Any, gamma: Any=None, epsilon: Any=1e-06) -> Tensor:
    """x / sqrt(mean(x * x) + epsilon) * gamma along the last axis, computed in FP32 and rounded once."""

def matmul(input: Any, mat2: Any, out_dtype: Any, *, a_trans: Any=False, b_trans: Any=False, c_matrix_nz: Any=False, extend_params: Any=None) -> Tensor:
    """The product of two matrices, or of stacks of them; accumulated in FP32, of INT8 in INT32."""
