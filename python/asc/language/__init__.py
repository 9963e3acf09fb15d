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
    if name[0] != "_" and name not in ("adv", "basic", "core", "fwk"):  # functions of kernels are flat here, as in asc
        from importlib import import_module

        for module in ("asc.language.basic", "asc.language.fwk"):
            if name in import_module(module).__all__:
                return getattr(import_module(module), name)
    return _modules(name)
