"""Registers the device with torch, once in a process.

Torch has one place for a device that is not its own (PrivateUse1). Its interface for devices written in Python is used, not a C++
library linked against libtorch: that needs no compiler and no headers of torch where Tilesmith is built or installed, is not tied
to the binary interface of one build of torch, and costs a launch nothing, because launches do not go through torch's dispatcher.
The price is some 20 microseconds for each operator of torch, and that what torch offers to C++ alone is put into place here.
"""

from __future__ import annotations

import sys

import torch
from torch.utils import backend_registration

from . import api, autocast, fallback, memory, operators, overridden, types

_registered = False


class _Hooks(torch._C._acc.PrivateUse1Hooks):
    def is_available(self):
        return True

    def is_built(self):
        return True

    def has_primary_context(self, device_index):
        return True


class _Guard(torch._C._acc.DeviceGuard):
    def type_(self):
        return torch._C._autograd.DeviceType.PrivateUse1


_hooks, _guard = _Hooks(), _Guard()  # torch does not keep them alive


def register() -> None:
    """Makes `npu` a device of torch."""
    global _registered
    if _registered:
        return
    taken = torch._C._get_privateuse1_backend_name()
    if taken != "privateuseone":
        raise ImportError(f"torch has room for one more device, and another package has registered '{taken}' there")
    backend_registration._setup_privateuseone_for_python_backend("npu", api, _hooks, _guard)
    backend_registration.generate_methods_for_privateuse1_backend(
        for_tensor=False, for_module=False, for_packed_sequence=False, for_storage=True
    )
    fallback.register()
    overridden.register()
    autocast.register()
    _install_storage()
    _install_dlpack()
    _install_printing()
    _install_pinning()
    _install_accelerator()
    types.install()
    sys.modules["torch.npu"] = api
    _registered = True


def _install_storage():
    """Torch asks an allocator for storages, which a device written in Python does not have: it would end the process."""
    plain = torch.UntypedStorage.__new__

    def new(cls, *args, device=None, **kwargs):
        if device is None or torch.device(device).type != "npu":
            if device is not None:
                kwargs["device"] = device
            return plain(cls, *args, **kwargs)
        size = args[0] if args else kwargs.get("size", 0)
        index = memory.device_index(device)
        if isinstance(size, int):
            return memory.allocate(size, index).untyped_storage()
        given = torch.tensor(list(size), dtype=torch.uint8, device="cpu")
        return given.to(torch.device("npu", index)).untyped_storage()

    torch.UntypedStorage.__new__ = new

    def resize(self, size, plain=torch.UntypedStorage.resize_):
        if self.device.type == "npu" and size > self.nbytes():
            raise NotImplementedError("a storage of an npu cannot grow; resize the tensor, or make another one")
        return self if self.device.type == "npu" else plain(self, size)

    torch.UntypedStorage.resize_ = resize


def _install_dlpack():
    """Torch looks for the name this place had before it was given one."""
    plain = torch.Tensor.__dlpack_device__

    def dlpack_device(self):
        if self.device.type == "npu":
            return torch.utils.dlpack.DLDeviceType.kDLExtDev, self.device.index
        return plain(self)

    torch.Tensor.__dlpack_device__ = dlpack_device


def _install_printing():
    """Printing computes; as on the chip it does so with a copy on the host."""
    from torch import _tensor_str
    from torch._subclasses.fake_tensor import FakeTensor

    plain = _tensor_str._tensor_str

    def tensor_str(self, indent):
        return plain(self.cpu() if self.device.type == "npu" and not isinstance(self, FakeTensor) else self, indent)

    _tensor_str._tensor_str = tensor_str


def _install_pinning():
    """The host's memory of the model needs no pinning: a tensor that is to be pinned is taken as it is."""
    torch.Tensor.pin_memory = lambda self, device=None: self


def _install_accelerator():
    """The functions of torch.accelerator that ask C++ for more than a device written in Python can say."""
    accelerator = torch.accelerator
    same = ("device_count", "synchronize", "current_stream", "set_stream", "empty_cache", "memory_stats", "memory_allocated")
    same += ("max_memory_allocated", "memory_reserved", "max_memory_reserved", "reset_peak_memory_stats")
    for name in same:
        setattr(accelerator, name, getattr(api, name))
    accelerator.set_device_index = api.set_device
    accelerator.current_device_index = api.current_device


_ = operators  # registers its operators when it is imported
