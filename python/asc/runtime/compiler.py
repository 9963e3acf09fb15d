"""Options of compiling and launching, checked. What each does is in asc.runtime.options and docs/options.md."""

from __future__ import annotations

from . import options as _table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Options:
    """Keyword options with defaults; equal when all values are."""

    defaults: dict[str, Any] = {}

    def __init__(self, **values: Any) -> None:
        unknown = values.keys() - self.defaults.keys()
        if unknown:
            raise RuntimeError(f"unknown {type(self).__name__}: {', '.join(sorted(unknown))}")
        self.__dict__.update(self.defaults)
        self.__dict__.update(values)

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


class CodegenOptions(_Options):
    """Options of the front end."""

    defaults = {name: default for name, default, _ in _table.CODEGEN}


class CompileOptions(_Options):
    """Options of the compiler."""

    defaults = {name: default for name, default, _ in _table.COMPILE}


class LaunchOptions(_Options):
    """Options of a launch. They cannot be changed once made."""

    defaults = {name: default for name, default, _ in _table.LAUNCH}

    def __setattr__(self, name, value):
        raise AttributeError(f"cannot assign to '{name}': launch options are frozen")

    def __hash__(self):
        return hash(tuple(self.__dict__.values()))


OPTION_NAMES = frozenset(CodegenOptions.defaults) | frozenset(CompileOptions.defaults) | frozenset(LaunchOptions.defaults)

# True and False, and None where the compiler may decide.
_SWITCHES = {name for kind in (CodegenOptions, CompileOptions) for name, default in kind.defaults.items()
             if isinstance(default, bool)} | {"vf_fusion", "reuse_ub", "reuse_ub_in_out", "insert_sync", "static_alloc"}


def _refuse(what, value):
    raise RuntimeError(f"Please check input compile option: {what}, not {value!r}")


def _kernel_type(value):
    from .config import KernelType

    try:
        return KernelType(value)
    except ValueError:
        _refuse(f"kernel_type is one of {', '.join(kind.name for kind in KernelType)}", value)


def check_options(options: dict[str, Any]) -> dict[str, Any]:
    """The options, with values as the compiler takes them. RuntimeError for what no kernel can be compiled with."""
    unknown = options.keys() - OPTION_NAMES
    if unknown:
        raise RuntimeError(f"unknown option: {', '.join(sorted(unknown))}")
    for name, value in options.items():
        if name in _SWITCHES and not (value is None or isinstance(value, (bool, int)) or type(value).__name__ in ("bool_", "bool")):
            _refuse(f"{name} is True or False", value)
    names = options.get("custom_builtins", {})
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names):
        _refuse("custom_builtins is a dict of names", names)
    level = options.get("opt_level", 3)
    if isinstance(level, bool) or not isinstance(level, int) or level not in (1, 2, 3):
        _refuse("opt_level is 1, 2 or 3", level)
    index = options.get("without_sync")
    if index is not None and (isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < 1 << 31):
        _refuse("without_sync is the number of a synchronisation", index)
    if options.get("kernel_type") is not None:
        options = options | {"kernel_type": _kernel_type(options["kernel_type"])}
    return options


def options_key(options: dict[str, Any]) -> str:
    """Text of the options that may change code."""
    return repr(sorted((name, value) for name, value in options.items() if name not in _table.NOT_IN_KEY))


class Compiler:
    """Holds checked options, as programs that drive the compiler themselves expect."""

    def __init__(self, options: CompileOptions | None = None) -> None:
        self.options = CompileOptions() if options is None else options
        check_options(vars(self.options))
