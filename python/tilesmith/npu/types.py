"""torch.Generator, torch.Stream and torch.Event for the device: torch makes them in C++, which a device written in Python cannot add to."""

from __future__ import annotations

import torch

from . import memory
from .streams import Event, Stream


def _kind_of(plain, on_device, own):
    """A type that stands for torch's: called with the device npu it gives `on_device`, else what torch gives."""

    class Kind(type):
        def __instancecheck__(cls, instance):
            return isinstance(instance, (plain, own))

        def __subclasscheck__(cls, other):
            return issubclass(other, (plain, own))

        def __call__(cls, *args, **kwargs):
            named = kwargs.get("device", args[0] if args else None)
            if isinstance(named, int) and not isinstance(named, bool):  # a number is one of the accelerator
                named = torch.device("npu", named)
            if isinstance(named, (str, torch.device)) and torch.device(named).type == "npu":
                given = dict(kwargs, device=memory.device_index(named))
                return on_device(*args[1:], **given)
            return plain(*args, **kwargs)

        def __getattr__(cls, name):
            return getattr(plain, name)

    return Kind(plain.__name__, (), {"__doc__": plain.__doc__, "__module__": "torch"})


def _generator(device):
    return torch._C.Generator()


def _stream(device, priority=0, **kwargs):
    return Stream(device, priority)


def _event(device, enable_timing=False, blocking=False, interprocess=False):
    return Event(enable_timing, blocking, interprocess)


def install() -> None:
    """Puts them into torch."""
    kinds = {"Generator": (_generator, torch._C.Generator), "Stream": (_stream, Stream), "Event": (_event, Event)}
    for name, (on_device, own) in kinds.items():
        setattr(torch, name, _kind_of(getattr(torch, name), on_device, own))
