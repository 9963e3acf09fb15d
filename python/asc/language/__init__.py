"""The names a kernel uses from `asc`."""

from asc.language.core import *  # noqa: F403
from asc.language.core import __all__ as _core

__all__ = list(_core)


def __getattr__(name):
    if name == "jit":
        from asc.runtime.jit import jit

        return jit
    raise AttributeError(f"module 'asc.language' has no attribute {name!r}")
