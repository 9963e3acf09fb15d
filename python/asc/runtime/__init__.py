"""Compiling, launching and observing kernels."""

import tilesmith.extension  # noqa: F401  says why, where it is missing

from asc._lazy import submodules

__getattr__, __dir__ = submodules(__name__)
