"""The decorators of kernels and of functions they call."""

from pypto._jit import jit

__all__ = ["function", "jit"]


def function(fn):
    """Marks a function kernels call. They call others, too."""
    return fn
