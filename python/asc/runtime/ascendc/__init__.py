"""People's own Ascend C on the model: `asc.load_ascendc("add.cpp")["add_custom"][8](x, y, z)`.

The source is compiled by the host's C++ compiler against our kernel_operator.h and runs in a worker process, in any mode:
`asc.profile()`, `asc.check()` and `asc.launch_mode()` work as for Python kernels.
"""

from .build import Builder
from .errors import AscendCError
from .library import Library, load_ascendc

__all__ = ["AscendCError", "Builder", "Library", "load_ascendc"]
