"""Small tools shared by programs and packages."""

from asc._lazy import submodules

__getattr__, __dir__ = submodules(__name__)
