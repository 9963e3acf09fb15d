"""Functions of libdevice that are written in the language."""

from tilesmith.triton.package._jit import jit
from tilesmith.triton.package.language import _operations as tl


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
