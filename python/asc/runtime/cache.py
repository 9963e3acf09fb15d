"""The disk cache of compiled kernels."""

import _tilesmith


def folder():
    """Where compiled kernels are kept (PYASC_CACHE_DIR, PYASC_HOME)."""
    return _tilesmith.cache_folder()


def usage():
    """(number of kernels, bytes)"""
    return _tilesmith.cache_usage()


def clear():
    """Removes all kernels; returns (number, bytes) of what was removed."""
    return _tilesmith.cache_clear()
