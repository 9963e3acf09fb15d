"""The instructions of the chip as Python functions: declarations only, until kernels can be written with them."""

from asc.language.basic.instructions import *  # noqa: F401,F403
from asc.language.basic.instructions import __all__ as _instructions
from asc.language.basic.types import *  # noqa: F401,F403
from asc.language.basic.types import __all__ as _types

__all__ = [*_instructions, *_types]
