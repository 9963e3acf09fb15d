"""Instructions of the chip and what surrounds them, as functions of kernels."""

from asc.language.basic.functions import *  # noqa: F401,F403
from asc.language.basic.functions import __all__ as _functions
from asc.language.basic.instructions import *  # noqa: F401,F403
from asc.language.basic.instructions import __all__ as _instructions
from asc.language.basic.types import *  # noqa: F401,F403
from asc.language.basic.types import __all__ as _types
from asc.language.core.tensor import GlobalTensor, LocalTensor

__all__ = ["GlobalTensor", "LocalTensor", *_functions, *_instructions, *_types]
