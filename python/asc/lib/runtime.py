"""Devices and streams as programs ask for them. The model runs one launch at a time, in order."""

import enum

from tilesmith.extension import _tilesmith


class CoreType(enum.Enum):
    """The kinds of cores of a device."""

    AiCore = "AiCore"
    VectorCore = "VectorCore"
    CubeCore = "CubeCore"
    AiCpu = "AiCpu"


def current_stream() -> None:
    """The stream of launches that name none."""
    return None


def synchronize() -> None:
    """Returns at once: a launch has ended when its call returns."""


def get_soc_version() -> str:
    """The name of the platform launches run on."""
    return _tilesmith.current_platform()
