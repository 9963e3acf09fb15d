"""Stands for the vendor's `torch_npu` where that is not installed: the device is the model's (`tilesmith.npu`).

It has the names programs need around their kernels; any other name is an error that says so.
"""

import sys

import tilesmith.npu
import torch
from tilesmith.npu.formats import Format, get_npu_format, npu_format_cast, npu_format_cast_

npu = torch.get_device_module("npu")
sys.modules["torch_npu.npu"] = npu

__version__ = f"{tilesmith.npu.TORCH}+tilesmith"
__all__ = ["Format", "get_npu_format", "npu", "npu_format_cast", "npu_format_cast_"]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"torch_npu has no '{name}' here: this is the stand-in of tilesmith.npu, which has {', '.join(__all__)} and torch.npu"
    )
