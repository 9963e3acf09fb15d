"""Host-side libraries programs written for devices import."""

from asc._lazy import submodules

__getattr__, __dir__ = submodules(__name__)
