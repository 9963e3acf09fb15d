"""The disk cache of compiled kernels."""

from __future__ import annotations

import _tilesmith


def folder() -> str:
    """Where compiled kernels are kept (PYASC_CACHE_DIR, PYASC_HOME)."""
    return _tilesmith.cache_folder()


def usage() -> tuple[int, int]:
    """(number of kernels, bytes)"""
    return _tilesmith.cache_usage()


def clear() -> tuple[int, int]:
    """Removes all kernels; returns (number, bytes) of what was removed."""
    return _tilesmith.cache_clear()
