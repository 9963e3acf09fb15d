"""Platforms and backends, and which of them launches use."""

from __future__ import annotations

import enum
import os
import re
from typing import TYPE_CHECKING, Any

import _tilesmith


class Backend(enum.Enum):
    """Where kernels run: on the model, or on a device, by an installed CANN."""

    Model = "Model"
    NPU = "NPU"


class CompilationArch(enum.Enum):
    """The two architectures: C220 of the 910B parts, C310 of the 950 parts."""

    C220 = "c220"
    C310 = "c310"

    def __str__(self) -> str:
        return self.value


class KernelType(enum.IntEnum):
    """Which cores a kernel runs on: vector cores (AIV), cube cores (AIC), or both in a ratio."""

    AIV_ONLY = 0
    AIC_ONLY = 1
    MIX_AIV_HARD_SYNC = 2
    MIX_AIC_HARD_SYNC = 3
    MIX_AIV_1_0 = 4
    MIX_AIC_1_0 = 5
    MIX_AIC_1_1 = 6
    MIX_AIC_1_2 = 7


def _member(name: str) -> str:
    return re.sub(r"\W", "_", name)


if TYPE_CHECKING:

    class _PlatformType(enum.EnumMeta):
        def __getattr__(cls, name: str) -> Platform: ...  # the parts are files, which no type checker reads

    class Platform(enum.Enum, metaclass=_PlatformType):
        """The parts that have a model."""
else:
    Platform = enum.Enum("Platform", [(_member(name), name) for name in _tilesmith.platforms()], module=__name__)
    Platform.__doc__ = "The parts that have a model."


def add_platform(path: str | os.PathLike[str]) -> None:
    """Adds a platform of your own: a platform file, or a folder of them (docs/platforms.md).

    A file that was read before is read again, and a part of a known name takes that name over. Processes started from now on know
    the part, too. Raises ValueError with the place if something is wrong with a file; nothing is added then.
    """
    path = os.path.abspath(path)
    _tilesmith.add_platforms(path)
    _core_counts.clear()
    known = os.environ.get("TILESMITH_PLATFORM_PATH", "")
    if path not in known.split(os.pathsep):
        os.environ["TILESMITH_PLATFORM_PATH"] = f"{known}{os.pathsep}{path}" if known else path
    for name in _tilesmith.platforms():
        if name not in Platform._value2member_map_:
            # As enum.Flag makes members it was not declared with.
            part = object.__new__(Platform)
            part._name_, part._value_ = _member(name), name
            setattr(Platform, part._name_, part)
            Platform._member_names_.append(part._name_)
            Platform._member_map_[part._name_] = Platform._value2member_map_[name] = part


_pinned: Platform | None = None  # a platform the command line keeps whatever the script asks for


def _platform(soc_version: Platform | str) -> Platform:
    if isinstance(soc_version, Platform):
        return soc_version
    try:
        return Platform(soc_version)
    except ValueError:
        names = [p.value for p in Platform]
        close = _tilesmith.closest(str(soc_version), names)
        question = f"did you mean '{close}'? " if close else ""
        raise ValueError(f"no platform is called '{soc_version}'; {question}known are {', '.join(names)}") from None


def platform_to_arch(platform: Platform | str) -> CompilationArch:
    """The architecture of a platform, given as a Platform or by name."""
    name = platform.value if isinstance(platform, Platform) else str(platform)
    if name not in _tilesmith.platforms():
        raise ValueError(f"no architecture is known for platform '{name}'")
    return CompilationArch(_tilesmith.describe_platform(name)["arch"])


def set_platform(
    backend: Backend | str, soc_version: Platform | str | None = None, device_id: int | None = None, check: bool = True
) -> None:
    """Chooses where the launches from now on run. The model of Ascend910B1 is the default.

    With Backend.NPU launches are compiled and run by an installed CANN on device `device_id`; a launch says so where none is
    found. The model has one device of each kind, so `device_id` is only checked then.
    """
    try:
        backend = Backend(backend)
    except ValueError:
        text = f"no backend is called '{backend}'; known are Model and NPU"
        if soc_version is None and backend in [p.value for p in Platform]:
            text += f'\nhelp: the platform comes second: set_platform("Model", "{backend}")'
        raise ValueError(text) from None
    if device_id is not None and (isinstance(device_id, bool) or not isinstance(device_id, int) or device_id < 0):
        raise ValueError(f"device_id is a number from 0, not {device_id!r}")
    wanted = Platform.Ascend910B1 if soc_version is None else _platform(soc_version)
    if _pinned is None:
        _tilesmith.set_platform(wanted.value)
    emitter = _tilesmith.get_settings()["emitter"]
    if emitter is not None and getattr(emitter, "__module__", None) != f"{__package__}.npu":
        return  # launches are being captured, whatever they would run on
    if backend is Backend.NPU:
        from . import npu

        npu.device_id = device_id or 0
        _tilesmith.set_settings(emitter=npu.launch)
    elif emitter is not None:
        _tilesmith.set_settings(emitter=None)


def current_platform() -> Platform:
    """The platform launches run on now."""
    return Platform(_tilesmith.current_platform())


_core_counts: dict[tuple[str, str], int] = {}  # of a platform, by kind


def core_count(kind: str) -> int:
    """How many cores of a kind ("vector" or "cube") the current platform has: blocks beyond that run in waves."""
    if kind not in ("vector", "cube"):
        raise ValueError(f"a core is 'vector' or 'cube', not {kind!r}")
    name = _tilesmith.current_platform()
    if (count := _core_counts.get((name, kind))) is None:
        count = _core_counts[name, kind] = _tilesmith.describe_platform(name)[f"{kind}_cores"]
    return count


def platform_facts() -> dict[str, Any]:
    """What a launch may choose its tiles by: cores, clock, sizes of memories and rates of the current platform."""
    return _tilesmith.describe_platform(_tilesmith.current_platform())
