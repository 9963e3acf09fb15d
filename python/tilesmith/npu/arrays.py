"""NumPy in a judged call: arrays that are tensors of the device by another name.

`x.numpy()` of a tensor, and `np.empty`, `np.zeros`, `np.ones`, `np.full` and their like give a `DeviceArray` there, which kernels take and
`torch.from_numpy` turns back. It can be looked at in other ways, copied and filled; its elements are nowhere on the host.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from . import remote

_on_device = 0  # calls that are going on
_DTYPES = {
    getattr(torch, name): np.dtype(getattr(np, name if name != "bool" else "bool_"))
    for name in (
        *("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"),
        *("complex64", "complex128"),
    )
}


def _torch_dtype(dtype: Any) -> torch.dtype:
    wanted = np.dtype(dtype)
    for known, of_numpy in _DTYPES.items():
        if of_numpy == wanted:
            return known
    raise TypeError(f"an array of dtype {wanted} cannot be on the device")


class DeviceArray:
    """An array of the device."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor

    @property
    def __tilesmith_tensor__(self) -> torch.Tensor:
        return self.tensor

    @property
    def dtype(self) -> np.dtype:
        return _DTYPES[self.tensor.dtype]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.tensor.shape)

    @property
    def strides(self) -> tuple[int, ...]:
        return tuple(stride * self.itemsize for stride in self.tensor.stride())

    ndim = property(lambda self: self.tensor.dim())
    size = property(lambda self: self.tensor.numel())
    itemsize = property(lambda self: self.tensor.itemsize)
    nbytes = property(lambda self: self.tensor.nbytes)
    T = property(lambda self: DeviceArray(self.tensor.permute(*reversed(range(self.tensor.dim())))))

    def __len__(self) -> int:
        return len(self.tensor)

    def __repr__(self) -> str:
        return f"<array of the device, shape {self.shape}, {self.dtype}>"

    def __getitem__(self, index: Any) -> DeviceArray:
        return DeviceArray(self.tensor[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        self.tensor[index] = _tensor(value)

    def reshape(self, *shape: Any, order: str = "C") -> DeviceArray:
        if order != "C":
            remote.refuse(f"reshape in order {order!r} arranges elements")
        return DeviceArray(self.tensor.reshape(*shape))

    def ravel(self) -> DeviceArray:
        return self.reshape(-1)

    def flatten(self) -> DeviceArray:
        return self.ravel().copy()

    def squeeze(self, axis: Any = None) -> DeviceArray:
        return DeviceArray(self.tensor.squeeze() if axis is None else self.tensor.squeeze(axis))

    def transpose(self, *axes: Any) -> DeviceArray:
        axes = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return DeviceArray(self.tensor.permute(*axes)) if axes else self.T

    def view(self, dtype: Any = None) -> DeviceArray:
        return self if dtype is None else DeviceArray(self.tensor.view(_torch_dtype(dtype)))

    def astype(self, dtype: Any, copy: bool = True, **_: Any) -> DeviceArray:
        if np.dtype(dtype) == self.dtype and not copy:
            return self
        return DeviceArray(self.tensor.to(_torch_dtype(dtype), copy=True))

    def copy(self, order: str = "C") -> DeviceArray:
        return DeviceArray(self.tensor.clone(memory_format=torch.contiguous_format))

    def fill(self, value: Any) -> None:
        self.tensor.fill_(value)

    @property
    def flags(self) -> Any:
        return np.empty(0, np.uint8).flags if self.tensor.is_contiguous() else np.empty((2, 2), np.uint8)[:, :1].flags

    def _refused(self, *args: Any, **kwargs: Any) -> Any:
        remote.refuse("an array of the device is computed with, or read")

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        remote.refuse(f"numpy.{getattr(function, '__name__', '?')} reads an array of the device")

    def __array_ufunc__(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        remote.refuse(f"numpy.{getattr(function, '__name__', '?')} computes with an array of the device")

    def __getattr__(self, name: str) -> Any:
        if hasattr(np.ndarray, name) and not name.startswith("__"):
            return self._refused
        raise AttributeError(f"'DeviceArray' object has no attribute '{name}'")

    __array__ = __iter__ = __bool__ = __float__ = __int__ = __index__ = _refused
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __matmul__ = _refused
    __iadd__ = __isub__ = __imul__ = __itruediv__ = __neg__ = __abs__ = __pow__ = __lt__ = __gt__ = _refused


def _tensor(value: Any) -> Any:
    return value.tensor if isinstance(value, DeviceArray) else value


def _made(how: Any, shape: Any, dtype: Any, *more: Any) -> DeviceArray:
    shape = (int(shape),) if hasattr(shape, "__index__") else tuple(int(extent) for extent in shape)
    return DeviceArray(how(shape, *more, dtype=_torch_dtype(dtype), device=torch.device("npu", 0)))


def _like(value: Any) -> bool:
    return isinstance(value, DeviceArray) or isinstance(value, torch.Tensor) and value.device.type == "npu"


def _shape_of(value: Any, shape: Any) -> Any:
    return value.shape if shape is None else shape


def _dtype_of(value: Any, dtype: Any) -> Any:
    if dtype is not None:
        return dtype
    return value.dtype if isinstance(value, (DeviceArray, np.ndarray)) else _DTYPES[value.dtype]


@contextlib.contextmanager
def on_device() -> Iterator[None]:
    """New arrays are the device's inside."""
    global _on_device
    _on_device += 1
    try:
        yield
    finally:
        _on_device -= 1


def install() -> None:
    """Puts them into NumPy and torch. Outside of a call everything is as it was."""

    def replace(owner: Any, name: str, new: Any, when: Any) -> None:
        plain = getattr(owner, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            return new(*args, **kwargs) if when(args) else plain(*args, **kwargs)

        call.__name__, call.__doc__ = name, plain.__doc__
        setattr(owner, name, call)

    def in_call(args: Any) -> bool:
        return _on_device > 0

    def of_device(args: Any) -> bool:
        return bool(args) and _like(args[0])

    def of_array(args: Any) -> bool:
        return bool(args) and isinstance(args[0], DeviceArray)

    replace(np, "empty", lambda shape, dtype=float, *a, **k: _made(torch.empty, shape, dtype), in_call)
    replace(np, "zeros", lambda shape, dtype=float, *a, **k: _made(torch.zeros, shape, dtype), in_call)
    replace(np, "ones", lambda shape, dtype=float, *a, **k: _made(torch.ones, shape, dtype), in_call)

    def full(shape: Any, fill_value: Any, dtype: Any = None, *a: Any, **k: Any) -> DeviceArray:
        return _made(torch.full, shape, np.array(fill_value).dtype if dtype is None else dtype, fill_value)

    replace(np, "full", full, in_call)
    for name in ("empty", "zeros", "ones"):

        def like(
            value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, name: str = name, **k: Any
        ) -> Any:
            return _made(getattr(torch, name), _shape_of(value, shape), _dtype_of(value, dtype))

        replace(np, f"{name}_like", like, in_call)

    def full_like(value: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Any:
        return _made(torch.full, _shape_of(value, shape), _dtype_of(value, dtype), fill_value)

    replace(np, "full_like", full_like, in_call)

    def as_array(value: Any, dtype: Any = None, *a: Any, **k: Any) -> DeviceArray:
        array = value if isinstance(value, DeviceArray) else DeviceArray(value.detach())
        return array if dtype is None or np.dtype(dtype) == array.dtype else array.astype(dtype)

    replace(np, "asarray", as_array, of_device)
    replace(np, "array", lambda value, dtype=None, **k: as_array(value, dtype).copy(), of_device)

    def contiguous(value: Any, dtype: Any = None, **k: Any) -> DeviceArray:
        return DeviceArray(as_array(value, dtype).tensor.contiguous())

    replace(np, "ascontiguousarray", contiguous, of_device)
    replace(torch, "from_numpy", lambda value: value.tensor, of_array)
    replace(torch, "as_tensor", lambda value, dtype=None, **k: value.tensor if dtype is None else value.tensor.to(dtype), of_array)
    replace(torch, "tensor", lambda value, dtype=None, **k: value.tensor.to(dtype or value.tensor.dtype, copy=True), of_array)

    def to(value: Any, *args: Any, **kwargs: Any) -> Any:
        """Where inputs are in the host's memory, moving them there does nothing."""
        args = tuple(None if str(each) == "cpu" else each for each in args)
        kwargs = {name: each for name, each in kwargs.items() if name != "device" or str(each) != "cpu"}
        args = tuple(each for each in args if each is not None)
        return plain_to(value, *args, **kwargs) if args or kwargs else value

    plain_to = torch.Tensor.to
    replace(torch.Tensor, "to", to, lambda args: in_call(args) and of_device(args))
    replace(torch.Tensor, "cpu", lambda value, memory_format=None: value, lambda args: in_call(args) and of_device(args))
    replace(torch.Tensor, "numpy", lambda value, force=False: DeviceArray(value.detach()), of_device)
