"""Random numbers of the devices: one generator each, which is the host's."""

from __future__ import annotations

import torch

_generators: dict[int, torch.Generator] = {}


def of(index: int) -> torch.Generator:
    """The generator of a device. It begins with the seed the host's has."""
    if index not in _generators:
        _generators[index] = torch._C.Generator().manual_seed(torch.initial_seed())
    return _generators[index]
