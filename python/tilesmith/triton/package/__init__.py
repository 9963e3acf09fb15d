"""Triton on the Machine: what `import triton` gives after `tilesmith.triton.install()`."""

from tilesmith.triton.package import errors, testing
from tilesmith.triton.package._jit import JITFunction, KernelInterface, jit
from tilesmith.triton.package._tuning import Autotuner, Config, autotune, heuristics
from tilesmith.triton.package.errors import CompilationError, OutOfResources, TritonError
from tilesmith.triton.package.language._types import constexpr

__version__ = "3.5.0"
__all__ = [
    "Autotuner",
    "CompilationError",
    "Config",
    "JITFunction",
    "KernelInterface",
    "OutOfResources",
    "TritonError",
    "autotune",
    "cdiv",
    "constexpr",
    "constexpr_function",
    "errors",
    "heuristics",
    "jit",
    "language",
    "must_use_result",
    "next_power_of_2",
    "reinterpret",
    "set_allocator",
    "testing",
]


def cdiv(x, y):
    """The quotient rounded up."""
    return (x + y - 1) // y


def next_power_of_2(n):
    """The smallest power of 2 that is not below n."""
    return 1 << max(n - 1, 0).bit_length() if n > 0 else 0


def constexpr_function(fn):
    """A function of constants, called while compiling."""
    return fn


def must_use_result(fn=None, **_):
    """A hint for readers."""
    return fn if fn is not None else must_use_result


def set_allocator(allocator):
    """Kernels here need no memory beside their arguments."""


def reinterpret(tensor, dtype):
    """The elements of a tensor as another type of as many bytes."""
    import torch

    return tensor.view(getattr(torch, "bool" if dtype.name == "int1" else dtype.name))


def __getattr__(name):
    from importlib import import_module

    from tilesmith.triton import modules

    if f"triton.{name}" in modules.NAMES:
        return import_module(modules.name_of("tilesmith.triton.package", name))
    raise AttributeError(f"module 'triton' has no attribute {name!r}")
