"""kernel[core_num]: an independent callable, implemented in the extension."""

from _tilesmith import Launcher

from .compiler import LaunchOptions

__all__ = ["Launcher", "LaunchOptions"]
