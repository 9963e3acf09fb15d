"""Options of compiling and launching. What each is and does is a row of the extension's table; docs/options.md shows it."""

from __future__ import annotations

import _tilesmith

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _defaults(wanted: str) -> dict[str, Any]:
    return {name: default for group, name, _, default in _tilesmith.options() if group == wanted}


class _Options:
    """Keyword options with defaults; equal when all values are."""

    defaults: dict[str, Any] = {}

    def __init__(self, **values: Any) -> None:
        unknown = values.keys() - self.defaults.keys()
        if unknown:
            text = f"unknown {type(self).__name__}: {', '.join(sorted(unknown))}"
            close = _tilesmith.closest(min(unknown), list(self.defaults))
            raise RuntimeError(f"{text}; did you mean {close}?" if close else text)
        self.__dict__.update(self.defaults)
        self.__dict__.update(values)

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


class CodegenOptions(_Options):
    """Options of the front end."""

    defaults = _defaults("front end")


class CompileOptions(_Options):
    """Options of the compiler."""

    defaults = _defaults("compiling")


class LaunchOptions(_Options):
    """Options of a launch. They cannot be changed once made."""

    defaults = _defaults("launching")

    def __setattr__(self, name, value):
        raise AttributeError(f"cannot assign to '{name}': launch options are frozen")

    def __hash__(self):
        return hash(tuple(self.__dict__.values()))


OPTION_NAMES = frozenset(CodegenOptions.defaults) | frozenset(CompileOptions.defaults) | frozenset(LaunchOptions.defaults)


class Compiler:
    """Holds checked options, as programs that drive the compiler themselves expect."""

    def __init__(self, options: CompileOptions | None = None) -> None:
        self.options = CompileOptions() if options is None else options
        _tilesmith.check_options(vars(self.options))
