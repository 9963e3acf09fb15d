"""Makes programs for the chip run where `torch_npu` is not installed.

`STAND_IN` is a folder at the end of Python's path. It has a `torch_npu`, which is found only where there is no other, and says to
torch what torch_npu says: that there is a device to load when torch is imported. So programs that name the device without
importing anything for it run, too. Nothing here imports torch.
"""

import os
import sys

STAND_IN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "npu", "stand_in")


def install():
    """Puts the folder at the end of the path."""
    if STAND_IN not in sys.path:
        sys.path.append(STAND_IN)


def uninstall():
    """Takes it away again; what has been imported stays."""
    if STAND_IN in sys.path:
        sys.path.remove(STAND_IN)


def load():
    """What torch calls when it is imported. Where the device cannot be had, `import torch_npu` says why, not every import of torch."""
    import importlib.util

    found = importlib.util.find_spec("torch_npu")
    if found is None or found.origin is None or not found.origin.startswith(STAND_IN + os.sep):
        return  # a device of its own
    try:
        import tilesmith.npu  # noqa: F401
    except ImportError:
        pass
