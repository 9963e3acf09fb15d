"""The arguments of a C++ kernel's launch: checked against its parameters, laid out in shared memory, read back."""

import os
from math import prod
from typing import NamedTuple

import _tilesmith
import numpy as np

_PAGE = os.sysconf("SC_PAGE_SIZE")


class _OnDevice(NamedTuple):
    """A tensor of tilesmith.npu: its bytes are in a segment of the device, which the worker maps."""

    name: str  # of the parameter
    dtype: str
    shape: tuple
    segment: int
    file: int  # the segment
    where: int  # an address in it

    @property
    def size(self):
        return prod(self.shape)


def _as_array(value):
    """A numpy view of an array argument, with the name of its dtype; None if it is no array."""
    if isinstance(value, np.ndarray):
        return value, value.dtype.name
    if _is_tensor(value):
        import torch

        if value.dim() == 0:
            return None
        tensor = value.detach()
        name = str(tensor.dtype).rpartition(".")[2]
        # numpy has no bfloat16: the same bytes as 16-bit integers.
        return (tensor.view(torch.int16) if tensor.dtype is torch.bfloat16 else tensor).numpy(), name
    return None


def _is_tensor(value):
    return type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "numpy")


def _bytes_of(value):
    """The bytes of a struct: one of the host, or anything that holds bytes; None if it is neither."""
    if callable(getattr(value, "pack", None)):
        return value.pack()
    try:
        return bytes(memoryview(value))
    except TypeError:
        return None


class Arguments:
    """One launch's arguments; `described` has one entry for each parameter, as the worker wants it.

    Arrays that overlap share their place in the memory, as they do on the host.
    """

    def __init__(self, kernel, parameters, args, keywords):
        self.kernel, self.parameters = kernel, parameters
        self.described, self._arrays = [], []
        self.on_device = []  # tensors whose memory the worker maps
        self._places = []  # (host address, bytes, offset) of the memories so far
        self.bytes = 0
        self.values = self._bind(args, keywords)
        for (name, kind, size), value in zip(parameters, self.values):
            self.described.append(self._pointer(name, value) if kind == "pointer" else self._number(name, kind, size, value))

    def _bind(self, args, keywords):
        names = [name for name, _, _ in self.parameters]
        if len(args) > len(names):
            raise TypeError(f"{self.kernel}() takes {len(names)} arguments but {len(args)} were given")
        values = dict(zip(names, args))
        for name, value in keywords.items():
            if name not in names:
                raise TypeError(f"{self.kernel}() has no parameter '{name}'; it has {', '.join(names)}")
            if name in values:
                raise TypeError(f"{self.kernel}() got multiple values for argument '{name}'")
            values[name] = value
        missing = [name for name in names if name not in values]
        if missing:
            raise TypeError(
                f"{self.kernel}() is missing argument{'s' * (len(missing) > 1)} " + ", ".join(f"'{name}'" for name in missing)
            )
        return [values[name] for name in names]

    def _pointer(self, name, value):
        if value is None:  # a null pointer
            return {"offset": 0, "size": 0}
        if hasattr(value, "__tilesmith_place__"):
            return self._placed_pointer(name, *value.__tilesmith_place__)
        if _is_tensor(value) and getattr(value, "is_npu", False) and value.dim():
            return self._device_pointer(name, value)
        found = _as_array(value)
        if found is None and isinstance(value, (bytes, bytearray, memoryview)):
            found = np.frombuffer(value, dtype=np.uint8), "uint8"  # a tiling struct, packed
        if found is None:
            raise TypeError(
                f"argument '{name}' of {self.kernel}() is a pointer; it takes an array or None, not {type(value).__name__}"
            )
        array, dtype = found
        if not array.flags.c_contiguous:
            raise ValueError(f"argument '{name}' of shape {array.shape} is not contiguous; pass a contiguous copy")
        if array.dtype.hasobject or not array.dtype.isnative:
            raise TypeError(f"argument '{name}' has dtype {array.dtype}, which no kernel can use")
        offset = self._place(array.__array_interface__["data"][0], array.nbytes)
        self._arrays.append((array, offset, name, dtype))
        return {"offset": offset, "size": array.nbytes}

    def _device_pointer(self, name, tensor):
        if not tensor.is_contiguous():
            raise ValueError(f"argument '{name}' of shape {tuple(tensor.shape)} is not contiguous; pass a contiguous copy")
        return self._placed_pointer(
            name, tensor.data_ptr(), tensor.nbytes, str(tensor.dtype).rpartition(".")[2], tuple(tensor.shape)
        )

    def _placed_pointer(self, name, address, size, dtype, shape):
        segment = _tilesmith.heap_segment(address) if size else (0, 0, 0, -1)
        if segment is None:
            raise ValueError(f"argument '{name}' is in the memory of another device, not in the model's")
        number, begin, _, file = segment
        self.on_device.append(_OnDevice(name, dtype, shape, number, file, begin))
        if not size:
            return {"offset": 0, "size": 0}
        return {"segment": number, "offset": address - begin, "size": size}

    def _place(self, begin, size):
        for host, length, offset in self._places:
            if size and length and begin < host + length and host < begin + size:
                if begin < host or begin + size > host + length:
                    raise ValueError(f"arguments of {self.kernel}() overlap in part; pass the whole array first, or copies")
                return offset + begin - host
        offset = self.bytes
        self._places.append((begin, size, offset))
        self.bytes = (offset + size + _PAGE - 1) // _PAGE * _PAGE
        return offset

    def _number(self, name, kind, size, value):
        if kind == "struct":
            data = _bytes_of(value)
            if data is None or len(data) != size:
                raise TypeError(f"argument '{name}' of {self.kernel}() is a struct of {size} bytes; pass its bytes")
            return {"struct": data.hex()}
        if hasattr(value, "item"):
            value = value.item()
        if not isinstance(value, (bool, int, float)):
            raise TypeError(f"argument '{name}' of {self.kernel}() is a scalar; it takes a number, not {type(value).__name__}")
        if kind in ("int", "uint") and value != int(value):
            raise TypeError(f"argument '{name}' of {self.kernel}() is an integer; {value} is none")
        return {"value": int(value) if kind in ("int", "uint") else value}

    def write(self, memory):
        """Copies the arrays into shared memory."""
        for array, offset, _, _ in self._arrays:
            memory[offset : offset + array.nbytes] = array.reshape(-1).view(np.uint8).data

    def read(self, memory):
        """Copies what the kernel left back into the arrays; arrays that cannot be written must not have changed."""
        for array, offset, name, _ in self._arrays:
            after = np.frombuffer(memory, dtype=np.uint8, count=array.nbytes, offset=offset)
            target = array.reshape(-1).view(np.uint8)
            if array.flags.writeable:
                target[:] = after
            elif not np.array_equal(target, after):
                raise ValueError(f"argument '{name}' is read-only, but the kernel '{self.kernel}' writes to it")

    def types(self):
        """(dtype, shape) for each parameter, ("", []) where it is not an array: findings name elements by them."""
        arrays = {name: (dtype, list(array.shape)) for array, _, name, dtype in self._arrays}
        arrays.update({tensor.name: (tensor.dtype, list(tensor.shape)) for tensor in self.on_device})
        return [arrays.get(name, ("", [])) for name, _, _ in self.parameters]

    def facts(self):
        """What `asc.profile()` says about the arguments."""
        sizes = {name: (name, dtype, array.size) for array, _, name, dtype in self._arrays}
        sizes.update({tensor.name: (tensor.name, tensor.dtype, tensor.size) for tensor in self.on_device})
        arrays = [sizes[name] for name, _, _ in self.parameters if name in sizes]
        largest = max(arrays, key=lambda item: item[2], default=("", "", 0))
        return {"arrays": arrays, "elements": largest[2], "dtype": largest[1]}
