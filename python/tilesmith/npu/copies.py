"""Copies and fills: the bytes, and the model's time for them."""

from __future__ import annotations

import torch

from tilesmith.extension import _tilesmith
from tilesmith.transfers import FILL, ON_DEVICE, TO_DEVICE, TO_HOST, microseconds

from . import clock, memory, remote

__all__ = ["FILL", "ON_DEVICE", "TO_DEVICE", "TO_HOST", "copy", "microseconds", "move", "note"]


def note(kind: str, size: int, index: int) -> None:
    """Tells who profiles, and the clock, of a copy."""
    recorder = _tilesmith.get_settings()["recorder"]
    copied = getattr(recorder, "copied", None)
    if copied is None and not clock.runs():
        return
    took = microseconds(kind, size)
    if copied is not None:
        copied(kind, size, took)
    clock.copied(index, took, kind in (TO_DEVICE, TO_HOST))


def move(target: torch.Tensor, source: torch.Tensor) -> None:
    """Elements of the host that a fallback made, onto the device; nobody's time."""
    if remote.active:
        remote.copy(target, source)
    else:
        memory.host_view(target).copy_(source)


def _as_read(tensor, seen):
    """A view of the host that conjugates and negates as the device's does."""
    if tensor.is_conj():
        seen = seen.conj()
    return seen._neg_view() if tensor.is_neg() else seen


def copy(target: torch.Tensor, source: torch.Tensor) -> None:
    """Copies elements, at least one of the two on the device, with conversion and broadcasting."""
    onto, off = target.device.type == "npu", source.device.type == "npu"
    if onto:
        memory.about_to_write(target)
    if remote.active:
        remote.copy(target, source)
        return
    seen_target = _as_read(target, memory.host_view(target)) if onto else target
    seen_source = _as_read(source, memory.host_view(source)) if off else source
    seen_target.copy_(seen_source)
    if onto and off:
        kind, index, size = ON_DEVICE, target.device.index, target.nbytes
    elif onto:
        kind, index, size = TO_DEVICE, target.device.index, source.nbytes
    else:
        kind, index, size = TO_HOST, source.device.index, source.nbytes
    note(kind, size, index)
