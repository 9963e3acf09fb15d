"""Functions of the language that are written in it."""

from tilesmith.triton.package._jit import jit
from tilesmith.triton.package.language import _operations as tl
from tilesmith.triton.package.language._types import constexpr, dtype

__all__ = [
    "cdiv",
    "clamp",
    "cumprod",
    "dot_scaled",
    "fma",
    "histogram",
    "pair_uniform_to_normal",
    "philox",
    "philox_impl",
    "rand",
    "rand4x",
    "randint",
    "randint4x",
    "randn",
    "randn4x",
    "reduce_or",
    "sigmoid",
    "softmax",
    "swizzle2d",
    "topk",
    "uint_to_uniform_float",
    "xor_sum",
]

uint32, int32, float32, int64 = dtype("uint32"), dtype("int32"), dtype("float32"), dtype("int64")
uint8, bfloat16, float16 = dtype("uint8"), dtype("bfloat16"), dtype("float16")


@jit
def cdiv(x, div):
    """The quotient rounded up."""
    return (x + div - 1) // div


@jit
def sigmoid(x):
    """1 / (1 + exp(-x)) of each element."""
    return 1 / (1 + tl.exp(-x))


@jit
def clamp(x, min, max, propagate_nan: constexpr = None):
    """Each element, but not below min nor above max."""
    return tl.minimum(tl.maximum(x, min, propagate_nan), max, propagate_nan)


@jit
def fma(x, y, z):
    """x * y + z of each element."""
    return x * y + z


@jit
def softmax(x, dim: constexpr = None, keep_dims: constexpr = False, ieee_rounding: constexpr = False):
    """exp(x - max(x)) / sum(exp(x - max(x))) along an axis; the first one without it."""
    axis: constexpr = 0 if dim is None else dim
    z = x - tl.max(x, axis, keep_dims=True)
    num = tl.exp(z)
    return tl.fdiv(num, tl.sum(num, axis, keep_dims=True))


@jit
def swizzle2d(i, j, size_i, size_j, size_g):
    """The indices of a row-major matrix as those of one whose rows go together in groups of size_g."""
    ij = i * size_j + j
    size_gj = size_g * size_j
    group_id = ij // size_gj
    off_i = group_id * size_g
    size_g = tl.minimum(size_i - off_i, size_g)
    ij = ij % size_gj
    new_i = off_i + ij % size_g
    new_j = ij // size_g
    return new_i, new_j


@jit
def philox_impl(c0, c1, c2, c3, k0, k1, n_rounds: constexpr = 10):
    """The rounds of philox, from four counters and two keys."""
    for _ in tl.static_range(n_rounds):
        b, a = c0, c2
        c0 = tl.umulhi(a, 0xCD9E8D57) ^ c1 ^ k0
        c2 = tl.umulhi(b, 0xD2511F53) ^ c3 ^ k1
        c1 = a * 0xCD9E8D57
        c3 = b * 0xD2511F53
        k0 = k0 + 0x9E3779B9
        k1 = k1 + 0xBB67AE85
    return c0, c1, c2, c3


@jit
def philox(seed, c0, c1, c2, c3, n_rounds: constexpr = 10):
    """Four tiles of random 32-bit numbers, one for each of four counters."""
    c0 = tl.cast(c0, uint32)
    c1 = tl.cast(c1, uint32)
    c2 = tl.cast(c2, uint32)
    c3 = tl.cast(c3, uint32)
    k0 = tl.cast(seed, uint32)
    k1 = tl.cast(tl.cast(seed, int64) >> 32, uint32)
    return philox_impl(c0, c1, c2, c3, k0, k1, n_rounds)


@jit
def randint4x(seed, offset, n_rounds: constexpr = 10):
    """Four tiles of random uint32 numbers, one of each for each offset."""
    zero = offset * 0
    return philox(seed, offset, zero, zero, zero, n_rounds)


@jit
def randint(seed, offset, n_rounds: constexpr = 10):
    """Random uint32 numbers, one for each offset."""
    c0, c1, c2, c3 = randint4x(seed, offset, n_rounds)
    return c0


@jit
def uint_to_uniform_float(x):
    """Random integers as float32 numbers from 0 up to 1."""
    x = tl.cast(x, int32)
    x = tl.where(x < 0, -x - 1, x)
    return tl.cast(x, float32) * 4.6566127342e-10


@jit
def rand(seed, offset, n_rounds: constexpr = 10):
    """Random float32 numbers from 0 up to 1, one for each offset."""
    return uint_to_uniform_float(randint(seed, offset, n_rounds))


@jit
def rand4x(seed, offset, n_rounds: constexpr = 10):
    """Four tiles of random float32 numbers from 0 up to 1, one of each for each offset."""
    c0, c1, c2, c3 = randint4x(seed, offset, n_rounds)
    return uint_to_uniform_float(c0), uint_to_uniform_float(c1), uint_to_uniform_float(c2), uint_to_uniform_float(c3)


@jit
def pair_uniform_to_normal(u1, u2):
    """Two normal numbers of two uniform ones."""
    u1 = tl.maximum(1.0e-7, u1)
    th = 6.283185307179586 * u2
    r = tl.sqrt(-2.0 * tl.log(u1))
    return r * tl.cos(th), r * tl.sin(th)


@jit
def randn(seed, offset, n_rounds: constexpr = 10):
    """Random normal float32 numbers, one for each offset."""
    c0, c1, c2, c3 = randint4x(seed, offset, n_rounds)
    n1, n2 = pair_uniform_to_normal(uint_to_uniform_float(c0), uint_to_uniform_float(c1))
    return n1


@jit
def randn4x(seed, offset, n_rounds: constexpr = 10):
    """Four tiles of random normal float32 numbers, one of each for each offset."""
    u0, u1, u2, u3 = rand4x(seed, offset, n_rounds)
    n0, n1 = pair_uniform_to_normal(u0, u1)
    n2, n3 = pair_uniform_to_normal(u2, u3)
    return n0, n1, n2, n3


@jit
def xor_sum_of(a, b):
    """What xor_sum combines."""
    return a ^ b


@jit
def product_of(a, b):
    """What cumprod combines."""
    return a * b


@jit
def xor_sum(input, axis: constexpr = None, keep_dims: constexpr = False):
    """The exclusive or along an axis."""
    return tl.reduce(input, axis, xor_sum_of, keep_dims)


@jit
def cumprod(input, axis: constexpr = 0, reverse: constexpr = False):
    """Products of all beginnings of an axis."""
    return tl.associative_scan(input, axis, product_of, reverse)


@jit
def or_of(a, b):
    """What reduce_or combines."""
    return a | b


@jit
def reduce_or(input, axis: constexpr, keep_dims: constexpr = False):
    """The bits that any element along an axis has."""
    return tl.reduce(input, axis, or_of, keep_dims)


@jit
def histogram(input, num_bins: constexpr, mask=None):
    """How often each number from 0 up to num_bins stands in a tile of one dimension; where the mask chooses."""
    at = tl.arange(0, num_bins)
    # All comparisons at once, or one number after the other where that takes too much memory.
    if input.shape[0] * num_bins <= 8192:
        found = tl.expand_dims(input, 0) == tl.expand_dims(at, 1)
        if mask is not None:
            found = found & tl.expand_dims(mask, 0)
        return tl.sum(tl.cast(found, int32), 1)
    else:
        counts = tl.zeros((num_bins,), int32)
        for bin in range(num_bins):
            here = input == bin
            if mask is not None:
                here = here & mask
            counts = tl.where(at == bin, tl.sum(tl.cast(here, int32), 0), counts)
        return counts


@jit
def topk(x, k: constexpr, dim: constexpr = None):
    """The k largest elements along the last axis, the largest first."""
    rank: constexpr = len(x.shape)
    tl.static_assert(dim is None or dim == -1 or dim == rank - 1, "only minor dimension is currently supported")
    tl.static_assert(rank == 1 or rank == 2, "tl.topk takes tensors of one or two dimensions")
    y = tl.sort(x, descending=True)
    if rank == 1:
        return tl.extract_slice(y, (0,), (k,), (1,))
    else:
        return tl.extract_slice(y, (0, 0), (x.shape[0], k), (1, 1))


@jit
def power_of_two(scale):
    """What a scale stands for: 2 to the power of an int8 number, or of a uint8 number less 127."""
    exponent = tl.cast(scale, int32)
    if scale.dtype == uint8:
        exponent = exponent - 127
    return tl.cast((tl.maximum(exponent, -126) + 127) << 23, float32, bitcast=True)


@jit
def scaled(x, scale):
    """A matrix whose rows have one scale for each group of elements."""
    groups: constexpr = scale.shape[1]
    each: constexpr = x.shape[1] // groups
    tl.static_assert(groups * each == x.shape[1], "as many elements as groups of equal size")
    parts = tl.reshape(tl.cast(x, float32), (x.shape[0], groups, each))
    product = parts * tl.expand_dims(power_of_two(scale), 2)
    return tl.cast(tl.reshape(product, x.shape), x.dtype)


@jit
def dot_scaled(lhs, lhs_scale, lhs_format: constexpr, rhs, rhs_scale, rhs_format: constexpr, acc=None, fast_math: constexpr = False,
               lhs_k_pack: constexpr = True, rhs_k_pack: constexpr = True, out_dtype: constexpr = float32):  # fmt: skip
    """The product of two matrices whose elements come in groups along K, each with a power of two for a scale."""
    tl.static_assert(
        lhs_format == "bf16" or lhs_format == "fp16", "lhs_format is bf16 or fp16 here: this chip has no smaller floats"
    )
    tl.static_assert(
        rhs_format == "bf16" or rhs_format == "fp16", "rhs_format is bf16 or fp16 here: this chip has no smaller floats"
    )
    tl.static_assert(lhs_format == rhs_format, "both formats of dot_scaled must be equal")
    a = lhs
    b = rhs
    if lhs_scale is not None:
        a = scaled(lhs, lhs_scale)
    if rhs_scale is not None:
        b = tl.trans(scaled(tl.trans(rhs), rhs_scale))
    return tl.dot(a, b, acc, out_dtype=out_dtype)
