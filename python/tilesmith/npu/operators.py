"""The operators of torch that the device has: what memory alone needs."""

from __future__ import annotations

import functools

import torch

from . import copies, fallback, graphs, memory, remote
from .memory import LOOKS, aten, host_view

library = torch.library.Library("aten", "IMPL")
_NO_ELEMENTS = (torch.quint8, torch.qint8, torch.qint32, torch.quint4x2, torch.quint2x4)


def on_device(name):
    """Registers a function as an operator of the device."""

    def register(function):
        library.impl(name, function, "PrivateUse1")
        return function

    return register


def _check(dtype, layout, pin_memory):
    if layout not in (None, torch.strided):
        raise NotImplementedError(f"tensors of layout {layout} cannot be on an npu; it has strided ones")
    if pin_memory:
        raise RuntimeError("only tensors of the host can be pinned")
    dtype = dtype or torch.get_default_dtype()
    if dtype in _NO_ELEMENTS:
        raise NotImplementedError(f"tensors of dtype {dtype} cannot be on an npu")
    return dtype


def contiguous_strides(size):
    """Of a tensor whose last dimension has neighbours."""
    strides, step = [], 1
    for length in reversed(size):
        strides.append(step)
        step *= max(length, 1)
    return strides[::-1]


def strides_for(size, memory_format):
    """Strides of a new tensor of this memory format."""
    last = {torch.channels_last: (4, (1, 3, 2, 0)), torch.channels_last_3d: (5, (1, 4, 3, 2, 0))}.get(memory_format)
    if last is None:
        return contiguous_strides(size)
    if len(size) != last[0]:
        raise RuntimeError(f"required rank {last[0]} tensor to use {str(memory_format).rpartition('.')[2]} format")
    strides, step = [0] * len(size), 1
    for axis in last[1]:
        strides[axis] = step
        step *= max(size[axis], 1)
    return strides


@on_device("empty.memory_format")
def _empty(size, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    dtype = _check(dtype, layout, pin_memory)
    return memory.empty(size, strides_for(size, memory_format), dtype, memory.device_index(device))


@on_device("empty_strided")
def _empty_strided(size, stride, *, dtype=None, layout=None, device=None, pin_memory=None):
    return memory.empty(size, stride, _check(dtype, layout, pin_memory), memory.device_index(device))


@on_device("as_strided")
def _as_strided(self, size, stride, storage_offset=None):
    return aten.as_strided.default.redispatch(LOOKS, self, size, stride, storage_offset)


@on_device("view")
def _view(self, size):
    return aten.view.default.redispatch(LOOKS, self, size)


@on_device("_reshape_alias")
def _reshape_alias(self, size, stride):
    return aten.as_strided.default.redispatch(LOOKS, self, size, stride, self.storage_offset())


@on_device("unfold")
def _unfold(self, dimension, size, step):
    return aten.unfold.default.redispatch(LOOKS, self, dimension, size, step)


@on_device("set_.source_Storage")
def _set_storage(self, source):
    size = source.nbytes() // self.dtype.itemsize
    return memory.look_again(self, source, 0, [size], [1])


@on_device("set_.source_Storage_storage_offset")
def _set_storage_offset(self, source, storage_offset, size, stride=()):
    stride = stride or contiguous_strides(size)
    needed = (storage_offset + memory.extent(size, stride)) * self.dtype.itemsize if 0 not in size else 0
    if needed > source.nbytes():
        raise RuntimeError(f"setStorage: sizes {list(size)} need {needed} bytes; the storage has {source.nbytes()}")
    return memory.look_again(self, source, storage_offset, size, stride)


@on_device("set_.source_Tensor")
def _set_tensor(self, source):
    return memory.look_again(self, source.untyped_storage(), source.storage_offset(), source.size(), source.stride())


@on_device("set_")
def _set_nothing(self):
    nothing = memory.allocate(0, self.device.index)
    return memory.look_again(self, nothing.untyped_storage(), 0, [0], [1])


def resize(self, size, memory_format=None):
    """Gives a tensor another size. One that needs more memory moves, without the views of it."""
    if memory_format in (None, torch.preserve_format) and tuple(size) == tuple(self.size()):
        return self
    stride = strides_for(size, memory_format)
    storage, offset = self.untyped_storage(), self.storage_offset()
    needed = (offset + memory.extent(size, stride)) * self.dtype.itemsize
    if needed > storage.nbytes():
        moved = memory.allocate(needed, self.device.index)
        old = memory.empty([0], [1], torch.uint8, self.device.index)
        memory.look_again(old, storage, 0, [storage.nbytes()], [1])
        host_view(moved)[: storage.nbytes()].copy_(host_view(old))
        storage = moved.untyped_storage()
    return memory.look_again(self, storage, offset, size, stride)


@on_device("resize_")
def _resize(self, size, *, memory_format=None):
    return resize(self, size, memory_format)


@on_device("_copy_from")
def _copy_from(self, dst, non_blocking=False):
    graphs.recorded(lambda: copies.copy(dst, self))
    return dst


@on_device("_copy_from_and_resize")
def _copy_from_and_resize(self, dst):
    if self.size() != dst.size():
        dst.resize_(self.size())
    return _copy_from(self, dst)


# Views that conjugate or negate when they are read: torch would read them by copying, which is what these do.
for _key in ("Conjugate", "Negative"):
    for _name in ("_copy_from", "_copy_from_and_resize"):
        library.impl(_name, torch.library.fallthrough_kernel, _key)


@on_device("cat")
def _cat(tensors, dim=0):
    kept = [each for each in tensors if each.dim() != 1 or each.numel()]  # torch lets empty ones of any rank be
    shown = kept or list(tensors)
    first = shown[0]
    dim = dim if dim >= 0 else dim + first.dim()
    others = {tuple(length for axis, length in enumerate(each.shape) if axis != dim) for each in shown}
    devices = {each.device for each in tensors if each.dim()}
    if not 0 <= dim < first.dim() or len(others) > 1 or len({each.dim() for each in shown}) > 1 or len(devices) > 1:
        return fallback.on_host(aten.cat.default, tensors, dim)  # which says what is wrong
    dtype = functools.reduce(torch.promote_types, (each.dtype for each in tensors))
    size = list(first.shape)
    size[dim] = sum(each.shape[dim] for each in shown)
    result = memory.empty(size, contiguous_strides(size), dtype, first.device.index)
    begin = 0
    for each in kept:
        result.narrow(dim, begin, each.shape[dim]).copy_(each)
        begin += each.shape[dim]
    return result


@on_device("cat.out")
def _cat_out(tensors, dim=0, *, out):
    joined = _cat(tensors, dim)
    return (out if out.shape == joined.shape else out.resize_(joined.shape)).copy_(joined)


@on_device("_local_scalar_dense")
def _item(self):
    if remote.active:
        return remote.item(self)
    copies.note(copies.TO_HOST, self.dtype.itemsize, self.device.index)
    return aten._local_scalar_dense.default(host_view(self))


def _filled(tensor, value):
    memory.about_to_write(tensor)
    if remote.active:
        remote.fill(tensor, value)
        return
    aten.fill_.Scalar(host_view(tensor), value)
    copies.note(copies.FILL, tensor.nbytes, tensor.device.index)


@on_device("fill_.Scalar")
def _fill(self, value):
    graphs.recorded(lambda: _filled(self, value))
    return self


@on_device("fill_.Tensor")
def _fill_tensor(self, value):
    return _fill(self, value.item())


@on_device("zero_")
def _zero(self):
    graphs.recorded(lambda: _filled(self, 0))
    return self


@on_device("record_stream")
def _record_stream(self, stream):
    """Memory is never used again before the work on it has ended, because a launch has ended when its call returns."""


@on_device("is_pinned")
def _is_pinned(self, device=None):
    return False


@on_device("_pin_memory")
def _pin_memory(self, device=None):
    raise RuntimeError(f"cannot pin '{self.type()}': only tensors of the host can be pinned")
