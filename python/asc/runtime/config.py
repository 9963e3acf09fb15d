"""Platforms and backends, and which of them launches use."""

from __future__ import annotations

import enum

import _tilesmith


class Backend(enum.Enum):
    """Where kernels run: on the model, or on a device (which this build has not)."""

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


class Platform(enum.Enum):
    """The parts that have a model."""

    Ascend910B1 = "Ascend910B1"
    Ascend910B2 = "Ascend910B2"
    Ascend910B2C = "Ascend910B2C"
    Ascend910B3 = "Ascend910B3"
    Ascend910B4 = "Ascend910B4"
    Ascend910B4_1 = "Ascend910B4-1"
    Ascend910_9362 = "Ascend910_9362"
    Ascend910_9372 = "Ascend910_9372"
    Ascend910_9381 = "Ascend910_9381"
    Ascend910_9382 = "Ascend910_9382"
    Ascend910_9391 = "Ascend910_9391"
    Ascend910_9392 = "Ascend910_9392"
    Ascend910_9579 = "Ascend910_9579"
    Ascend910_9589 = "Ascend910_9589"
    Ascend910_9599 = "Ascend910_9599"
    Ascend950PR_950z = "Ascend950PR_950z"
    Ascend950PR_9579 = "Ascend950PR_9579"
    Ascend950PR_957b = "Ascend950PR_957b"
    Ascend950PR_957c = "Ascend950PR_957c"
    Ascend950PR_957d = "Ascend950PR_957d"
    Ascend950PR_9589 = "Ascend950PR_9589"
    Ascend950PR_958b = "Ascend950PR_958b"
    Ascend950PR_9599 = "Ascend950PR_9599"


_pinned: Platform | None = None  # a platform the command line keeps whatever the script asks for


def _platform(soc_version: Platform | str) -> Platform:
    if isinstance(soc_version, Platform):
        return soc_version
    try:
        return Platform(soc_version)
    except ValueError:
        known = ", ".join(p.value for p in Platform)
        raise ValueError(f"no platform is called '{soc_version}'; known are {known}") from None


def platform_to_arch(platform: Platform | str) -> CompilationArch:
    """The architecture of a platform, given as a Platform or by name."""
    name = platform.value if isinstance(platform, Platform) else str(platform)
    if name.startswith(("Ascend910B", "Ascend910_93")):
        return CompilationArch.C220
    if name.startswith(("Ascend910_95", "Ascend950PR_95")):
        return CompilationArch.C310
    raise ValueError(f"no architecture is known for platform '{name}'")


def set_platform(backend: Backend | str, soc_version: Platform | str | None = None, device_id: int | None = None,
                 check: bool = True) -> None:
    """Chooses where the launches from now on run. The model of Ascend910B1 is the default.

    With Backend.NPU launches are compiled and run by an installed CANN on device `device_id`; a launch says so where none is
    found. The model has one device of each kind, so `device_id` is only checked then.
    """
    try:
        backend = Backend(backend)
    except ValueError:
        raise ValueError(f"no backend is called '{backend}'; known are Model and NPU") from None
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


def core_count(kind: str) -> int:
    """How many cores of a kind ("vector" or "cube") the current platform has: blocks beyond that run in waves."""
    if kind not in ("vector", "cube"):
        raise ValueError(f"a core is 'vector' or 'cube', not {kind!r}")
    return _tilesmith.describe_platform(_tilesmith.current_platform())[f"{kind}_cores"]
