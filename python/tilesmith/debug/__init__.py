"""The debugger of kernels (docs/debug.md): stops at lines of a block, shows names, steps, watches memory."""

from tilesmith.debug.session import Debugger, Quit

__all__ = ["Debugger", "Quit"]
