"""Functions of libdevice that are written in the language."""

from tilesmith.triton.package._jit import jit
from tilesmith.triton.package.language import _operations as tl
from tilesmith.triton.package.language._types import dtype

int32, float32 = dtype("int32"), dtype("float32")


@jit
def isnan(x):
    """Whether each element is NaN."""
    return x != x


@jit
def isinf(x):
    """Whether each element is infinite."""
    return tl.abs(x) == float("inf")


@jit
def trunc(x):
    """The whole part of each element."""
    return tl.where(x < 0, tl.ceil(x), tl.floor(x))


@jit
def rint(x):
    """The nearest whole number, ties to even."""
    low = tl.floor(x)
    rest = x - low
    odd = low - 2 * tl.floor(low * 0.5)
    return tl.where((rest > 0.5) | ((rest == 0.5) & (odd != 0)), low + 1, low)


nearbyint = rint


@jit
def log10(x):
    """The logarithm to base 10 of each element."""
    return tl.log(x) * 0.43429448190325182


@jit
def fast_expf(x):
    """e to the power of each element."""
    return tl.exp(x)


@jit
def fast_dividef(x, y):
    """The quotient."""
    return x / y


@jit
def round(x):
    """The nearest whole number, ties away from 0."""
    size = tl.abs(x)
    low = tl.floor(size)
    near = tl.where(size - low >= 0.5, low + 1, low)
    return tl.where(x < 0, -near, near)


@jit
def float_as_int(x):
    """The bits of float32 numbers as integers."""
    return tl.cast(x, int32, bitcast=True)


@jit
def signbit(x):
    """Whether the sign of each float32 is set, that of -0.0 included."""
    return tl.cast(x, int32, bitcast=True) < 0


@jit
def copysign(x, y):
    """Each element of x with the sign of y, in float32."""
    sign = tl.cast(tl.cast(y, float32), int32, bitcast=True) & -2147483648
    size = tl.cast(tl.cast(x, float32), int32, bitcast=True) & 2147483647
    return tl.cast(size | sign, float32, bitcast=True)


@jit
def fmod(x, y):
    """What is left of a division, with the sign of x."""
    return x % y


@jit
def div_rz(x, y):
    """The quotient of float32 numbers, rounded towards 0."""
    q = x / y
    # What a product of halves leaves over: exact, as long as nothing of it is too small.
    k = q * 4097.0
    qh = k - (k - q)
    ql = q - qh
    k = y * 4097.0
    yh = k - (k - y)
    yl = y - yh
    p = q * y
    rest = (x - p) - (((qh * yh - p) + qh * yl + ql * yh) + ql * yl)
    beyond = ((rest < 0) & (x > 0)) | ((rest > 0) & (x < 0))
    down = tl.cast(tl.cast(q, int32, bitcast=True) - 1, float32, bitcast=True)
    return tl.where(beyond & (q != 0), down, q)


@jit
def ldexp(x, n):
    """x times 2 to the power of n."""
    half = n // 2
    return x * tl.exp2(tl.cast(half, float32)) * tl.exp2(tl.cast(n - half, float32))


@jit
def ilogb(x):
    """The exponent of float32 numbers; subnormal ones count as -127."""
    return ((tl.cast(x, int32, bitcast=True) >> 23) & 255) - 127


@jit
def hypot(x, y):
    """sqrt(x * x + y * y) without overflow on the way."""
    a, b = tl.abs(x), tl.abs(y)
    high = tl.maximum(a, b)
    low = tl.minimum(a, b)
    ratio = tl.where(high == 0, 0.0, low / tl.where(high == 0, 1.0, high))
    return high * tl.sqrt(1.0 + ratio * ratio)


@jit
def atan(x):
    """The angle whose tangent is each element."""
    size = tl.abs(tl.cast(x, float32))
    far = size > 2.414213562373095
    middle = (size > 0.4142135623730950) & (size <= 2.414213562373095)
    t = tl.where(far, -1.0 / tl.where(far, size, 1.0), tl.where(middle, (size - 1.0) / (size + 1.0), size))
    z = t * t
    p = ((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z - 3.33329491539e-1
    angle = p * z * t + t + tl.where(far, 1.5707963267948966, tl.where(middle, 0.7853981633974483, 0.0))
    return tl.cast(tl.where(x < 0, -angle, angle), x.dtype)


@jit
def atan2(y, x):
    """The angle of the point (x, y), from -pi to pi."""
    a = atan(y / tl.where(x == 0, 1.0, x))
    turned = tl.where(y < 0, a - 3.141592653589793, a + 3.141592653589793)
    upright = tl.where(y > 0, 1.5707963267948966, tl.where(y < 0, -1.5707963267948966, 0.0))
    return tl.where(x > 0, a, tl.where(x < 0, turned, upright))


@jit
def asin(x):
    """The angle whose sine is each element."""
    return 2.0 * atan(x / (1.0 + tl.sqrt((1.0 - x) * (1.0 + x))))


@jit
def acos(x):
    """The angle whose cosine is each element."""
    return 2.0 * atan2(tl.sqrt(1.0 - x), tl.sqrt(1.0 + x))


@jit
def asinh(x):
    """The inverse of sinh."""
    size = tl.abs(x)
    squared = size * size
    result = tl.log1p(size + squared / (1.0 + tl.sqrt(squared + 1.0)))
    return tl.where(x < 0, -result, result)


@jit
def acosh(x):
    """The inverse of cosh."""
    t = x - 1.0
    return tl.log1p(t + tl.sqrt(t * (x + 1.0)))


@jit
def atanh(x):
    """The inverse of tanh."""
    return 0.5 * (tl.log1p(x) - tl.log1p(-x))


@jit
def erfinv(x):
    """The inverse of erf."""
    w = -tl.log1p(-x * x)
    a = w - 2.5
    p = 2.81022636e-08
    p = 3.43273939e-07 + p * a
    p = -3.5233877e-06 + p * a
    p = -4.39150654e-06 + p * a
    p = 0.00021858087 + p * a
    p = -0.00125372503 + p * a
    p = -0.00417768164 + p * a
    p = 0.246640727 + p * a
    p = 1.50140941 + p * a
    b = tl.sqrt(w) - 3.0
    q = -0.000200214257
    q = 0.000100950558 + q * b
    q = 0.00134934322 + q * b
    q = -0.00367342844 + q * b
    q = 0.00573950773 + q * b
    q = -0.0076224613 + q * b
    q = 0.00943887047 + q * b
    q = 1.00167406 + q * b
    q = 2.83297682 + q * b
    result = tl.where(w < 5.0, p, q) * x
    return tl.where(tl.abs(x) == 1.0, x * float("inf"), result)


@jit
def cyl_bessel_i0(x):
    """The modified Bessel function of the first kind, of order 0."""
    size = tl.abs(x)
    t = size / 3.75
    t = t * t
    near = 1.0 + t * (3.5156229 + t * (3.0899424 + t * (1.2067492 + t * (0.2659732 + t * (0.0360768 + t * 0.0045813)))))
    u = 3.75 / tl.where(size < 3.75, 3.75, size)
    p = 0.39894228 + u * (
        0.01328592
        + u
        * (
            0.00225319
            + u * (-0.00157565 + u * (0.00916281 + u * (-0.02057706 + u * (0.02635537 + u * (-0.01647633 + u * 0.00392377)))))
        )
    )
    far = tl.exp(size) * tl.rsqrt(tl.where(size < 3.75, 3.75, size)) * p
    return tl.where(size < 3.75, near, far)


@jit
def isfinited(x):
    """Whether each element is neither NaN nor infinite."""
    return tl.abs(x) < float("inf")


finitef = isfinited


@jit
def nextafter(x, y):
    """The float32 number after x on the way to y."""
    bits = tl.cast(x, int32, bitcast=True)
    away = (y > x) == (x > 0)
    near = tl.cast(tl.where(away, bits + 1, bits - 1), float32, bitcast=True)
    tiny = tl.cast(tl.where(y > 0, 1, -2147483647), float32, bitcast=True)
    moved = tl.where(x == 0, tiny, near)
    return tl.where((x != x) | (y != y), x + y, tl.where(x == y, y, moved))


@jit
def log_gamma_of_positive(x):
    """The logarithm of gamma for x >= 0.5: as a series of Lanczos; its error near the zeros at 1 and 2 is absolute."""
    z = x - 1.0
    a = 0.99999999999980993 + 676.5203681218851 / (z + 1.0) - 1259.1392167224028 / (z + 2.0)
    a = a + 771.32342877765313 / (z + 3.0) - 176.61502916214059 / (z + 4.0) + 12.507343278686905 / (z + 5.0)
    a = a - 0.13857109526572012 / (z + 6.0) + 9.9843695780195716e-6 / (z + 7.0) + 1.5056327351493116e-7 / (z + 8.0)
    t = z + 7.5
    return 0.91893853320467274 + (z + 0.5) * tl.log(t) - t + tl.log(a)


@jit
def sine_of_pi_times(x):
    """sin(pi * x), with the whole part of x taken away first."""
    whole = tl.floor(x)
    rest = x - whole
    odd = whole - 2.0 * tl.floor(whole * 0.5)
    size = tl.sin(3.141592653589793 * tl.where(rest > 0.5, 1.0 - rest, rest))
    return tl.where(odd != 0, -size, size)


@jit
def lgamma(x):
    """The logarithm of the size of gamma(x)."""
    mirrored = x < 0.5
    positive = log_gamma_of_positive(tl.where(mirrored, 1.0 - x, x))
    sine = tl.abs(sine_of_pi_times(x))
    other = 1.1447298858494002 - tl.log(sine) - positive
    result = tl.where(mirrored, other, positive)
    pole = (x <= 0) & (tl.floor(x) == x)
    return tl.where(pole | (tl.abs(x) == float("inf")), float("inf"), result)


@jit
def gamma(x):
    """The gamma function: (x - 1)! for whole numbers."""
    mirrored = x < 0.5
    positive = tl.exp(log_gamma_of_positive(tl.where(mirrored, 1.0 - x, x)))
    sine = sine_of_pi_times(x)
    result = tl.where(mirrored, 3.141592653589793 / (sine * positive), positive)
    pole = (x < 0) & (tl.floor(x) == x)
    return tl.where(pole | (x == -float("inf")), float("nan"), tl.where(x == 0, 1.0 / x, result))


tgamma = gamma
