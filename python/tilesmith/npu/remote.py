"""The device in another process: a judged call, in which no byte of a tensor is ever here.

A tensor of the device is then a place in memory that this process does not have. Views of it are what they are elsewhere; copies and
fills are done where the bytes are; whatever would read them on the host is refused at the user's line. The judge connects a candidate's
process (tilesmith.judge.isolation); it cannot be undone.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
from collections.abc import Iterator
from typing import Any, NoReturn

import torch

from tilesmith.extension import _tilesmith

_CHUNK = 64 << 20  # bytes of one upload

active = False  # whether the device is in another process


class HostReadError(RuntimeError):
    """In a judged call: bytes of the device would be read on the host."""


def connect(connection: int) -> None:
    """The device is at the other end of this socket from now on."""
    global active
    _tilesmith.give_device_away(connection)
    active = True
    from tilesmith.npu_autoload import install

    from . import arrays

    install()
    arrays.install()


def refuse(what: str, help: str = "results are taken from the device; return the tensor as it is") -> NoReturn:
    """Refuses to read, at the line of the user's that asks for it."""
    from .fallback import _users_frame

    frame = _users_frame()
    place = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    raise HostReadError(
        f"{place}: error: {what}: in a judged call the bytes of tensors are on the device, where only kernels read them\nhelp: {help}"
    )


def ask(request: dict[str, Any], data: bytes | memoryview = b"") -> Any:
    """What the process that has the device answers."""
    return json.loads(_tilesmith.ask_device(b"\n".join((json.dumps(request).encode(), bytes(data)))))


def place(tensor: torch.Tensor) -> dict[str, Any]:
    """Where the elements of a tensor are."""
    if tensor.is_conj() or tensor.is_neg():
        refuse("a view that conjugates or negates its elements is read")
    dtype = str(tensor.dtype).removeprefix("torch.")
    return {"at": tensor.data_ptr(), "dtype": dtype, "shape": list(tensor.shape), "stride": list(tensor.stride())}


def tensor_at(address: int, size: int) -> torch.Tensor:
    """Bytes of the device that somebody else keeps, as a tensor."""
    return torch._C._from_dlpack(_tilesmith.heap_bytes(address, size, 0))


def _bytes_of(tensor: torch.Tensor) -> memoryview:
    """Of a contiguous tensor of the host."""
    size = tensor.nbytes
    return memoryview((ctypes.c_uint8 * size).from_address(tensor.data_ptr())).cast("B") if size else memoryview(b"")


def _upload(target: torch.Tensor, source: torch.Tensor) -> None:
    """Elements of the host, of the target's dtype and shape, onto the device."""
    if not target.is_contiguous():
        whole = torch.empty(target.shape, dtype=target.dtype, device=target.device)
        _upload(whole, source)
        copy(target, whole)
        return
    data, begin = _bytes_of(source.contiguous()), target.data_ptr()
    for at in range(0, len(data), _CHUNK):
        ask({"do": "upload", "at": begin + at}, data[at : at + _CHUNK])


def lend(block: int, address: int, size: int) -> None:
    """Memory of the host, for a launch that reads it. The extension calls this."""
    data = memoryview((ctypes.c_uint8 * size).from_address(address)).cast("B")
    for at in range(0, size, _CHUNK):
        ask({"do": "upload", "at": block + at}, data[at : at + _CHUNK])


def own(tensor: torch.Tensor) -> torch.Tensor | None:
    """A copy in the host's memory of what this process has brought to the device itself: seeds it drew, positions, settings."""
    given = ask({"do": "give back", "source": place(tensor)})["bytes"] if tensor.numel() else ""
    if given is None:
        return None
    raw = (
        torch.frombuffer(bytearray.fromhex(given), dtype=torch.uint8) if given else torch.empty(0, dtype=torch.uint8, device="cpu")
    )
    return raw.view(tensor.dtype).view(tensor.shape)


def item(tensor: torch.Tensor) -> Any:
    """The number in a tensor of one element."""
    known = own(tensor)
    if known is None:
        refuse("a number is read from a tensor")
    return known.item()


def copy(target: torch.Tensor, source: torch.Tensor) -> None:
    """What `copies.copy` does."""
    if target.device.type != "npu":
        known = own(source) if source.device.type == "npu" else None
        if known is None:
            refuse("a tensor is copied to the host")
        with torch.no_grad():
            target.copy_(known)
        return
    if not target.numel():
        return
    if source.device.type == "npu":
        ask({"do": "copy", "target": place(target), "source": place(source.expand(target.shape))})
    else:
        with torch.no_grad():
            _upload(target, source.detach().resolve_conj().resolve_neg().to(target.dtype).expand(target.shape))


def fill(tensor: torch.Tensor, value: Any) -> None:
    """Fills a tensor with a number."""
    if tensor.numel():
        value = [value.real, value.imag] if isinstance(value, complex) else value
        # NaN and infinity have no JSON of their own.
        ask({"do": "fill", "target": place(tensor), "value": value.hex() if isinstance(value, float) else value})


def _tensors_in(value: Any, change: Any, seen: dict[int, Any], depth: int = 0) -> Any:
    if isinstance(value, torch.Tensor):
        if id(value) not in seen:
            seen[id(value)] = (value, change(value))
        return seen[id(value)][1]
    if depth < 8 and type(value) in (list, tuple):
        return type(value)(_tensors_in(item, change, seen, depth + 1) for item in value)
    if depth < 8 and type(value) is dict:
        return {key: _tensors_in(item, change, seen, depth + 1) for key, item in value.items()}
    return value


def take_model(model: Any) -> None:
    """Moves what a model's constructor made onto the device: parameters, buffers, and tensors in its attributes."""
    device = torch.device("npu", 0)
    modules = list(model.modules()) if isinstance(model, torch.nn.Module) else [model]
    if isinstance(model, torch.nn.Module):
        model.to(device)
    seen: dict[int, Any] = {}
    for module in modules:
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if name.startswith("_") and isinstance(module, torch.nn.Module) and name in torch.nn.Module().__dict__:
                continue  # torch's own: parameters, buffers, hooks
            changed = _tensors_in(value, lambda tensor: tensor.to(device), seen)
            if changed is not value:
                module.__dict__[name] = changed


@contextlib.contextmanager
def judged_call() -> Iterator[None]:
    """What is allocated inside without a device is the device's."""
    from . import arrays

    with torch.device("npu"), arrays.on_device():
        yield
