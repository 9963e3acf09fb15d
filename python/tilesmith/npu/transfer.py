"""Programs that say `cuda` and mean the accelerator: torch_npu.contrib.transfer_to_npu."""

from __future__ import annotations

import functools

import torch

from . import api

_CREATORS = (
    *("arange", "as_tensor", "empty", "empty_like", "empty_strided", "eye", "full", "full_like", "linspace", "logspace", "ones"),
    *("ones_like", "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "randperm", "scalar_tensor", "tensor"),
    *("tril_indices", "triu_indices", "zeros", "zeros_like"),
)
_installed = False


def _named(device):
    """A device as the program meant it."""
    if isinstance(device, str) and device.split(":")[0] == "cuda":
        return "npu" + device[4:]
    if isinstance(device, torch.device) and device.type == "cuda":
        return torch.device("npu", device.index) if device.index is not None else torch.device("npu")
    return device


def _translated(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        if "device" in kwargs:
            kwargs["device"] = _named(kwargs["device"])
        return function(*map(_named, args), **kwargs)

    return call


def _replace(owner, name, by):
    setattr(owner, name, getattr(owner, by))


def install() -> None:
    """Replaces the functions that take a device, and torch.cuda."""
    global _installed
    if _installed:
        return
    _installed = True
    for name in _CREATORS:
        setattr(torch, name, _translated(getattr(torch, name)))
    for owner, names in (
        (torch.Tensor, ("to", "new_empty", "new_full", "new_ones", "new_zeros")),
        (torch.nn.Module, ("to", "to_empty")),
    ):
        for name in names:
            setattr(owner, name, _translated(getattr(owner, name)))
    for owner in (torch.Tensor, torch.nn.Module):
        _replace(owner, "cuda", "npu")
    _replace(torch.Tensor, "is_cuda", "is_npu")
    for name in api.__all__:
        setattr(torch.cuda, name, getattr(api, name))
