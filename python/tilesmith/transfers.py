"""What moving bytes takes on a platform: copies from and to the host, on the device, and fills. Times are those of the model."""

from __future__ import annotations

from tilesmith.extension import _tilesmith

# What a copy is called in a profile.
TO_DEVICE, TO_HOST, ON_DEVICE, FILL = "to device", "to host", "on device", "fill"
BURST = 32  # bytes: a shorter piece of memory takes as long


def microseconds(kind: str, size: int, pieces: int = 1, platform: str = "") -> float:
    """The model's time for moving bytes that lie in so many pieces. Copies on the device and fills are launches that HBM bounds."""
    facts = _tilesmith.describe_platform(platform or _tilesmith.current_platform())
    if kind in (TO_DEVICE, TO_HOST):
        rate = facts["host_mbps"]
        return facts["host_copy_ns"] / 1000 + (size / rate if rate else 0)
    size = max(size, pieces * BURST)
    moved = size / facts["hbm_write_mbps"] + (size / facts["hbm_mbps"] if kind == ON_DEVICE else 0)
    return facts["launch_ns"][1] / 1000 + moved
