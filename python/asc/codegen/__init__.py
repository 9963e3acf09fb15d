"""Compiling kernels: the errors it reports."""

from asc._lazy import submodules

__getattr__, __dir__ = submodules(__name__)
