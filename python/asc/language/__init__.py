"""The names a kernel uses from `asc`."""

from asc._lazy import submodules
from asc.language.core import *  # noqa: F403
from asc.language.core import __all__ as _core

__all__ = list(_core)


_modules, __dir__ = submodules(__name__)


def __getattr__(name):
    if name == "jit":
        from asc.runtime.jit import jit

        return jit
    return _modules(name)
