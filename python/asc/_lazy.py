"""Modules of a package as its attributes, imported on first use: `import asc` is enough for `asc.runtime.config`."""


def submodules(package):
    """`__getattr__` and `__dir__` of a package that has its modules as attributes."""

    def __getattr__(name):
        from importlib import import_module
        from importlib.util import find_spec

        if name.startswith("_") or find_spec(f"{package}.{name}") is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return import_module(f"{package}.{name}")  # which sets the attribute

    def __dir__():
        import sys
        from pkgutil import iter_modules

        module = sys.modules[package]
        return sorted({*vars(module), *(found.name for found in iter_modules(module.__path__))})

    return __getattr__, __dir__
