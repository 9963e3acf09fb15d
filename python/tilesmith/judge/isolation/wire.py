"""Values between processes: a description in JSON, and the bytes of tensors in one memory file beside it.

A *bundle* is (description, file). Nothing of a bundle is ever executed or unpickled, and a bundle from another process is
checked before it is used: every tensor lies inside the file, and the file is sealed, so that it can neither change nor shrink
under the reader. Strides and shared storage survive: two arguments that are views of one tensor arrive as such.

    {"values": [value ...], "blobs": [[offset, size] ...]}

    value   {"k": "tensor", "dtype": "float16", "shape", "stride" (elements), "blob": index, "offset": bytes in the blob, ...}
            {"k": "none"} {"k": "bool"|"int"|"float"|"complex"|"str", "v"} {"k": "list"|"tuple"|"set", "v": [value ...]}
            {"k": "dict", "v": [[value, value] ...]} {"k": "dtype"|"device"|"size"|"slice", "v"} {"k": "name", "v": "torch.relu"}
            {"k": "other", "type", "repr"}   a thing that cannot travel

Blobs start on pages, with at least one page of CANARY bytes behind each: a write past the end of a tensor is seen.
"""

import fcntl
import os

from .memory import PAGE, Memory

CANARY = 0xA5
_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SEAL
_DEPTH = 32
_NAMESPACES = ("torch", "builtins", "math", "operator", "functools", "numpy")

# Bytes per element of every dtype that travels; the names are torch's.
SIZES = {
    "bool": 1,
    "uint8": 1,
    "int8": 1,
    "uint16": 2,
    "int16": 2,
    "uint32": 4,
    "int32": 4,
    "uint64": 8,
    "int64": 8,
    "float8_e4m3fn": 1,
    "float8_e4m3fnuz": 1,
    "float8_e5m2": 1,
    "float8_e5m2fnuz": 1,
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
    "complex64": 8,
    "complex128": 16,
}


class Malformed(ValueError):
    """A bundle that is not what it says."""


# Writing --------------------------------------------------------------------------------------------------------------------


class Encoder:
    def __init__(self, contiguous):
        self.contiguous = contiguous
        self.storages = {}  # data pointer of a storage -> [index, low byte, high byte, tensor that owns it]
        self.tensors = []  # (description, storage key, first byte)

    def tensor(self, value, torch):
        if value.layout is not torch.strided or value.is_quantized or str(value.dtype).removeprefix("torch.") not in SIZES:
            return {"k": "other", "type": f"{type(value).__name__} ({value.layout}, {value.dtype})", "repr": ""}
        plain = value.detach()
        entry = {
            "k": "tensor",
            "dtype": str(value.dtype).removeprefix("torch."),
            "shape": list(value.shape),
            "stride": list(value.stride()),
        }
        if type(value) not in (torch.Tensor, torch.nn.Parameter):
            entry["class"] = type(value).__name__
            plain = plain.clone()
            plain = plain.as_subclass(torch.Tensor)
        if plain.device.type != "cpu":
            plain = plain.cpu()
        plain = plain.resolve_conj().resolve_neg()
        if self.contiguous:
            plain = plain.contiguous()
        entry["stride_in_file"] = list(plain.stride())
        size = plain.element_size()
        storage = plain.untyped_storage()
        first = plain.storage_offset() * size
        reach = size + sum((n - 1) * s for n, s in zip(plain.shape, plain.stride())) * size if plain.numel() else 0
        key = storage.data_ptr() or id(storage)
        known = self.storages.setdefault(key, [len(self.storages), first, first + reach, plain])
        known[1], known[2] = min(known[1], first), max(known[2], first + reach)
        self.tensors.append((entry, key, first))
        return entry

    def value(self, value, depth=0):
        import torch

        if depth > _DEPTH:
            return {"k": "other", "type": type(value).__name__, "repr": "nested too deeply"}
        kind = type(value)
        inner = lambda items: [self.value(item, depth + 1) for item in items]
        if isinstance(value, torch.Tensor):
            return self.tensor(value, torch)
        if value is None:
            return {"k": "none"}
        if kind in (bool, str):
            return {"k": kind.__name__, "v": value}
        if kind is int:
            return {"k": "int", "v": hex(value)}
        if kind is float:
            return {"k": "float", "v": value.hex()}
        if kind is complex:
            return {"k": "complex", "v": [value.real.hex(), value.imag.hex()]}
        if kind in (list, tuple, set):
            return {"k": kind.__name__, "v": inner(value)}
        if kind is dict:
            return {"k": "dict", "v": [inner(pair) for pair in value.items()]}
        if kind is torch.Size:
            return {"k": "size", "v": list(value)}
        if kind is slice:
            return {"k": "slice", "v": inner([value.start, value.stop, value.step])}
        if kind in (torch.dtype, torch.device):
            return {"k": kind.__name__, "v": str(value).removeprefix("torch.")}
        if path := _path_of(value):
            return {"k": "name", "v": path}
        try:
            import numpy as np

            if isinstance(value, np.generic):
                return self.value(value.item(), depth + 1)
            if isinstance(value, tuple) and hasattr(value, "_fields"):  # a named tuple, as torch.max gives
                return {"k": "tuple", "v": inner(value)}
            if isinstance(value, (list, tuple)):
                return {"k": "list" if isinstance(value, list) else "tuple", "v": inner(value)}
            if isinstance(value, int):  # an enumeration
                return {"k": "int", "v": hex(int(value))}
        except Exception:
            pass
        try:
            shown = repr(value)[:200]
        except Exception as error:
            shown = f"<repr raised {type(error).__name__}>"
        return {"k": "other", "type": f"{kind.__module__}.{kind.__qualname__}", "repr": shown}


def _path_of(value):
    """ "torch.nn.ReLU" for things that are found under their name in every process, or None."""
    try:
        module, name, short = (getattr(value, key, None) for key in ("__module__", "__qualname__", "__name__"))
        for path in (f"{module}.{name}", f"torch.{short}", f"torch.nn.functional.{short}", f"math.{short}"):
            if "." in path and path.split(".")[0].lstrip("_") in _NAMESPACES and isinstance(short, str):
                try:
                    if _named(path) is value:
                        return path
                except Malformed:
                    continue
    except Exception:
        pass  # an object with ideas of its own about attributes
    return None


def _named(path):
    import importlib

    parts = path.split(".")
    if parts[0].lstrip("_") not in _NAMESPACES:
        raise Malformed(f"{path} is not a name that travels")
    for count in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ImportError:
            continue
        try:
            for part in parts[count:]:
                found = getattr(found, part)
        except AttributeError:
            break
        return found
    raise Malformed(f"there is no {path}")


def layout(sizes):
    """([[offset, size] ...], size of the file) for blobs of these sizes."""
    blobs, end = [], 0
    for size in sizes:
        blobs.append([end, size])
        end += (size + PAGE - 1) // PAGE * PAGE + PAGE
    return blobs, end


def write_all(fd, view):
    while view.nbytes:
        view = view[os.write(fd, view) :]


def pack(values, contiguous=False):
    """(description, file descriptor) of a list of values; the caller owns the descriptor. Tensors only if torch is loaded."""
    import ctypes

    encoder = Encoder(contiguous)
    described = [encoder.value(value) for value in values]
    spans = sorted(encoder.storages.values(), key=lambda known: known[0])
    blobs, end = layout(high - low for _, low, high, _ in spans)
    for entry, key, first in encoder.tensors:
        index, low, _, _ = encoder.storages[key]
        entry["blob"], entry["offset"] = index, first - low
    fd = os.memfd_create("tilesmith-values", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, end)
    for (offset, size), (_, low, _, tensor) in zip(blobs, spans):
        os.lseek(fd, offset, os.SEEK_SET)
        if size:
            start = tensor.untyped_storage().data_ptr() + low
            write_all(fd, memoryview((ctypes.c_uint8 * size).from_address(start)).cast("B"))
        write_all(fd, memoryview(bytes([CANARY]) * (-size % PAGE + PAGE)))
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, _SEALS)
    return {"values": described, "blobs": blobs}, fd


# Reading --------------------------------------------------------------------------------------------------------------------


def _natural(value, what):
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise Malformed(f"{what} is {value!r}")
    return value


def numel(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def _check_value(value, blobs, depth=0):
    if depth > _DEPTH + 2 or not isinstance(value, dict):
        raise Malformed("a value is not described")
    kind = value.get("k")
    if kind == "tensor":
        if not isinstance(value.get("dtype"), str) or value["dtype"] not in SIZES:
            raise Malformed(f"dtype {value.get('dtype')!r}")
        shape, stride = value.get("shape"), value.get("stride_in_file")
        if not all(isinstance(item, list) and len(item) <= 64 for item in (shape, stride, value.get("stride"))):
            raise Malformed("a tensor has no shape")
        if not len(shape) == len(stride) == len(value["stride"]) or not all(type(item) is int for item in value["stride"]):
            raise Malformed("strides do not fit the shape")
        for number in (*shape, *stride):
            _natural(number, "extent or stride")
        if blobs is None:
            return
        index, offset = _natural(value.get("blob"), "blob"), _natural(value.get("offset"), "offset")
        if index >= len(blobs):
            raise Malformed(f"there is no blob {index}")
        reach = SIZES[value["dtype"]] * (1 + sum((n - 1) * s for n, s in zip(shape, stride))) if numel(shape) else 0
        if offset + reach > blobs[index][1]:
            raise Malformed("a tensor reaches past its blob")
    elif kind in ("list", "tuple", "set", "slice"):
        for item in value.get("v") if isinstance(value.get("v"), list) else [None]:
            _check_value(item, blobs, depth + 1)
    elif kind == "dict":
        for pair in value.get("v") if isinstance(value.get("v"), list) else [None]:
            if not isinstance(pair, list) or len(pair) != 2:
                raise Malformed("a dict is not made of pairs")
            for item in pair:
                _check_value(item, blobs, depth + 1)
    elif kind not in ("none", "bool", "int", "float", "complex", "str", "size", "dtype", "device", "name", "other"):
        raise Malformed(f"kind {kind!r}")


def check_description(value):
    """Raises Malformed unless this describes a value whose bytes are not here."""
    _check_value(value, None)


def check(bundle, fd):
    """Raises Malformed unless every tensor of the description lies in the file and the file is sealed."""
    if not isinstance(bundle, dict) or not isinstance(bundle.get("values"), list) or not isinstance(bundle.get("blobs"), list):
        raise Malformed("not a bundle")
    try:
        seals = fcntl.fcntl(fd, fcntl.F_GET_SEALS)
    except OSError:
        raise Malformed("the bytes are not in a memory file") from None
    if seals & _SEALS != _SEALS:
        raise Malformed("the memory file is not sealed")
    end = os.fstat(fd).st_size
    for blob in bundle["blobs"]:
        if (
            not isinstance(blob, list)
            or len(blob) != 2
            or _natural(blob[0], "offset") % PAGE
            or blob[0] + _natural(blob[1], "size") > end
        ):
            raise Malformed(f"blob {blob!r} is not in the file")
    for value in bundle["values"]:
        _check_value(value, bundle["blobs"])


def plain(value):
    """A value without tensors as a Python object; torch's own things stay (kind, text) pairs."""
    kind, held = value["k"], value.get("v")
    try:
        if kind == "none":
            return None
        if kind == "bool":
            return bool(held)
        if kind == "int":
            return int(held, 16)
        if kind == "float":
            return float.fromhex(held)
        if kind == "complex":
            return complex(*map(float.fromhex, held))
        if kind == "str":
            return str(held)
        if kind in ("list", "tuple"):
            return (list if kind == "list" else tuple)(plain(item) for item in held)
        if kind == "set":
            return set(plain(item) for item in held)
        if kind == "dict":
            return {plain(key): plain(item) for key, item in held}
        if kind == "slice":
            return ("slice", *(plain(item) for item in held))
        if kind == "other":
            return (kind, str(value.get("type")), str(value.get("repr")))
        return (kind, str(held))
    except (TypeError, ValueError, OverflowError) as error:
        raise Malformed(f"{kind} {held!r}: {error}") from None


def unpack(bundle, fd, device="cpu"):
    """The values of a bundle, tensors over the file's own memory. For the worker; needs torch."""
    import ctypes

    import torch

    memory, bases = Memory(fd), []
    for offset, size in bundle["blobs"]:
        if size:
            raw = (ctypes.c_uint8 * size).from_address(memory.address + offset)
            raw.memory = memory  # the tensor keeps the array, the array keeps the mapping
            bases.append(torch.frombuffer(raw, dtype=torch.uint8))
        else:
            bases.append(torch.empty(0, dtype=torch.uint8))
    values = values_over(bundle["values"], bases, device)
    bases.clear()  # `build` holds itself, and would hold the memory of every call until the next collection of garbage
    return values


def values_over(described, bases, device="cpu"):
    """The values of a bundle whose blobs are these tensors of bytes."""
    import torch

    place = bases[0].device if bases else "cpu"

    def build(value):
        kind, held = value["k"], value.get("v")
        if kind == "tensor":
            dtype = getattr(torch, value["dtype"])
            tensor = torch.empty(0, dtype=dtype, device=place)
            if numel(value["shape"]):
                tensor.set_(
                    bases[value["blob"]].untyped_storage(),
                    value["offset"] // SIZES[value["dtype"]],
                    value["shape"],
                    value["stride_in_file"],
                )
            else:
                tensor = torch.empty(value["shape"], dtype=dtype, device=place)
            return tensor.to(device) if device != "cpu" else tensor
        if kind in ("list", "tuple", "set"):
            return {"list": list, "tuple": tuple, "set": set}[kind](build(item) for item in held)
        if kind == "dict":
            return {build(key): build(item) for key, item in held}
        if kind == "slice":
            return slice(*(build(item) for item in held))
        if kind == "size":
            return torch.Size(held)
        if kind == "dtype":
            return getattr(torch, held)
        if kind == "device":
            return torch.device(held)
        if kind == "name":
            return _named(held)
        if kind == "other":
            raise Malformed(f"a {value.get('type')} cannot be handed to another process: {value.get('repr')}")
        return plain(value)

    return [build(value) for value in described]


def tensors(value):
    """The tensor descriptions in a value, in order."""
    if value["k"] == "tensor":
        yield value
    elif value["k"] == "dict":
        for _, item in value["v"]:
            yield from tensors(item)
    elif value["k"] in ("list", "tuple", "set"):
        for item in value["v"]:
            yield from tensors(item)


def describe(value):
    """The item of `input_desc` for a value."""
    if value["k"] == "tensor":
        return {"type": "tensor", "shape": value["shape"], "dtype": "torch." + value["dtype"]}
    held = plain(value) if value["k"] not in ("dict", "list", "tuple", "set") else shown(value)
    if isinstance(held, tuple) and value["k"] in ("dtype", "device", "size", "name", "other"):
        held = {"dtype": f"torch.{held[1]}"}.get(value["k"], held[-1])
    if (
        isinstance(held, float)
        and (held != held or held in (float("inf"), float("-inf")))
        or not isinstance(held, (type(None), bool, int, float, str, list))
    ):
        held = repr(held)
    return {"type": "scalar", "value": held}


def shown(value):
    """A container as JSON shows it: tensors by dtype and shape."""
    if value["k"] == "tensor":
        return f"tensor {value['dtype']}{value['shape']}"
    if value["k"] in ("list", "tuple", "set"):
        return [shown(item) for item in value["v"]]
    if value["k"] == "dict":
        return repr({shown(key): shown(item) for key, item in value["v"]})
    return describe(value)["value"]
