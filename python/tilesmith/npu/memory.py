"""Memory of the device: tensors in it, and the same bytes as the host sees them."""

from __future__ import annotations

import contextlib

import torch

from tilesmith.extension import _tilesmith

aten = torch.ops.aten
DEVICES = 8  # as a server has them; each has a memory of its own
HOST = torch.device("cpu")
# Kernels that only say how bytes are looked at do not care where these are: those of the host serve here.
LOOKS = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)

_current = 0


def current_device() -> int:
    """The number of the device that is meant where none is named."""
    return _current


def set_current(index: int) -> None:
    """Makes a device the current one."""
    global _current
    _current = index


def device_index(device) -> int:
    """The number of a device given as torch.device, "npu:1", a number or None."""
    if device is None:
        return _current
    if isinstance(device, str):
        device = torch.device(device)
    if isinstance(device, torch.device):
        if device.type != "npu":
            raise ValueError(f"Expected an npu device, but got: {device}")
        index = _current if device.index is None else device.index
    else:
        index = int(device)
    if not 0 <= index < DEVICES:
        raise RuntimeError(f"there is no device npu:{index}; this model has npu:0 to npu:{DEVICES - 1}")
    return index


def _size(count):
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.2f} {unit}" if unit != "bytes" else f"{count} bytes"
        count /= 1024


def allocate(size: int, index: int) -> torch.Tensor:
    """New bytes of a device."""
    capsule = _tilesmith.heap_allocate(size, index)
    if capsule is None:
        now = _tilesmith.heap_statistics(index)
        raise torch.OutOfMemoryError(
            f"NPU out of memory. Tried to allocate {_size(size)}. Device {index} has a total capacity of {_size(now['capacity'])}, of "
            f"which {_size(now['allocated'])} are allocated and {_size(now['reserved'] - now['allocated'])} reserved but free."
        )
    return torch._C._from_dlpack(capsule)


def extent(size, stride) -> int:
    """How many elements lie from the first to the last one."""
    if 0 in size:
        return 0
    return 1 + sum((length - 1) * step for length, step in zip(size, stride))


def empty(size, stride, dtype: torch.dtype, index: int) -> torch.Tensor:
    """A new tensor of a device."""
    raw = allocate(extent(size, stride) * dtype.itemsize, index)
    if dtype is not torch.uint8:
        raw = aten.view.dtype.redispatch(LOOKS, raw, dtype)
    return aten.as_strided.default.redispatch(LOOKS, raw, size, stride, 0)


def host_view(tensor: torch.Tensor, raw: bool = False) -> torch.Tensor:
    """The same elements as a tensor of the host. It is valid as long as the tensor is.

    Of a tensor in another layout than rows it is a copy as rows, unless its bytes are wanted as they are (`raw`).
    """
    if remote.active:
        remote.refuse("a tensor is read")
    if not raw and formats.is_fractal(tensor):
        return formats.host_rows(tensor)
    storage = tensor.untyped_storage()
    seen_bytes = torch._C._from_dlpack(_tilesmith.host_bytes(storage.data_ptr(), storage.nbytes()))
    seen = aten.empty.memory_format([0], dtype=tensor.dtype, device=HOST)
    return aten.set_.source_Storage_storage_offset(
        seen, seen_bytes.untyped_storage(), tensor.storage_offset(), tensor.size(), tensor.stride()
    )


def look_again(tensor: torch.Tensor, storage, offset, size, stride) -> torch.Tensor:
    """Makes a tensor of the device show other bytes."""
    return aten.set_.source_Storage_storage_offset.redispatch(LOOKS, tensor, storage, offset, size, stride)


def about_to_write(tensor: torch.Tensor) -> None:
    """Refuses what cannot be written element by element, and tells a graph that is being recorded."""
    if graphs.graph.active is not None:
        graphs.graph.active.writes(tensor)
    if formats.is_fractal(tensor):
        raise RuntimeError("a tensor in FRACTAL_NZ cannot be written by torch; cast it to ND with torch_npu.npu_format_cast(t, 2)")


@contextlib.contextmanager
def _poisoned():
    try:
        yield
    finally:
        _tilesmith.heap_poison(False)


def poison(on: bool = True) -> contextlib.AbstractContextManager[None]:
    """Fills new memory with NaN (-1 in tensors of integers) from now on, so that reading it before writing shows.

    Without it new memory has the bytes its last owner left, as on the chip. As a context manager it ends with the block.
    """
    _tilesmith.heap_poison(bool(on))
    return _poisoned()


from . import formats, graphs, remote  # noqa: E402  they need what is above
