"""Breakpoints in the source of a kernel, and launches under a debugger."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import _tilesmith

_own: Any = None  # the debugger of scripts that were not started by `tilesmith debug`
_warned = False


@contextlib.contextmanager
def debugging(debugger: Any) -> Iterator[None]:
    """Launches in this context run under the debugger."""
    before = _tilesmith.get_settings()["debugger"]
    _tilesmith.set_settings(debugger=debugger)
    try:
        yield
    finally:
        _tilesmith.set_settings(debugger=before)


def for_breakpoints(kernel: str) -> Any:
    """The debugger for a launch of a kernel with `asc2.breakpoint()`; None: nobody can be asked, and the launch goes on."""
    global _own, _warned
    import sys

    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        if not _warned:
            _warned = True
            import warnings

            warnings.warn(
                f"asc2.breakpoint() in kernel '{kernel}' is passed over: there is no terminal to ask. "
                "`tilesmith debug SCRIPT` takes commands from a pipe, too",
                RuntimeWarning,
                stacklevel=2,
            )
        return None
    if _own is None:
        from tilesmith.debug import Debugger

        _own = Debugger()
        _own.detached = True
    return _own
