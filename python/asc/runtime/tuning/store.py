"""What searches found, on disk: one file for each kernel, platform, model and set of arguments, in the folder of compiled kernels.

A file has one entry for each configuration that was measured. What it says holds as long as its key is the same, so a later search, or
one that was interrupted, begins where an earlier one ended.
"""

from __future__ import annotations

import hashlib
import json
import os

import _tilesmith

VERSION = 1
_SIMPLE = (bool, int, float, str, bytes, type(None))


def _reads(code, names, seen, out):
    """What a function's names lead to, as far as it decides how a kernel is compiled: other kernels and plain values."""
    from asc.runtime.jit import JITFunction

    modules = []
    for name in code.co_names:
        if name in names:
            value = names[name]
            if hasattr(value, "__spec__") and getattr(value, "__name__", "").partition(".")[0] not in ("asc", "asc2", "math"):
                modules.append(value)
                continue
            _read(name, value, JITFunction, seen, out)
    for module in modules:
        for name in code.co_names:
            if name in vars(module):
                _read(f"{module.__name__}.{name}", vars(module)[name], JITFunction, seen, out)
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            _reads(constant, names, seen, out)


def _read(name, value, kind, seen, out):
    if isinstance(value, kind):
        if id(value) not in seen:
            seen.add(id(value))
            out.append((name, value.source))
            function = value.fn
            cells = zip(function.__code__.co_freevars, function.__closure__ or ())
            names = {**function.__globals__, **{key: cell.cell_contents for key, cell in cells}}
            _reads(function.__code__, names, seen, out)
    elif isinstance(value, _SIMPLE) or (isinstance(value, (tuple, list)) and all(isinstance(item, _SIMPLE) for item in value)):
        out.append((name, repr(value)))


def identity(kernel):
    """A text that changes with the source of a kernel, its options, and the kernels and values it uses."""
    out = []
    cells = zip(kernel.fn.__code__.co_freevars, kernel.fn.__closure__ or ())
    names = {**kernel.fn.__globals__, **{key: cell.cell_contents for key, cell in cells}}
    _reads(kernel.fn.__code__, names, {id(kernel)}, out)
    options = {name: value for name, value in kernel.options.items() if name != "custom_builtins"}
    return json.dumps([kernel.__qualname__, kernel.source, repr(sorted(options.items())), sorted(map(list, out))])


def _overlapping(arrays):
    """Which arrays may share memory: those are compiled in another way."""
    pairs = []
    for i, (name, one) in enumerate(arrays):
        for other_name, other in arrays[:i]:
            shared = one is other
            if not shared and hasattr(one, "__array_interface__") and hasattr(other, "__array_interface__"):
                import numpy as np

                shared = np.may_share_memory(one, other)
            if not shared and hasattr(one, "data_ptr") and hasattr(other, "data_ptr"):
                shared = one.data_ptr() == other.data_ptr()
            if shared:
                pairs.append([other_name, name])
    return pairs


def signature(arguments, key=None):
    """The arguments a time depends on: dtypes of arrays, and the sizes of arrays and values of scalars that `key` names (None: all)."""
    described, arrays = [], []
    for name, value in arguments.items():
        shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
        if dtype is not None and shape is not None and len(shape):
            arrays.append((name, value))
            kind = str(getattr(value, "__tilesmith_placeholder__", (0, 0, dtype))[2]).removeprefix("torch.")
            described.append([name, kind, [int(extent) for extent in shape] if key is None or name in key else None])
        elif isinstance(value, (bytearray, memoryview)) or hasattr(value, "typecode"):
            arrays.append((name, value))
            described.append([name, type(value).__name__, len(value) if key is None or name in key else None])
        else:
            described.append([name, type(value).__name__, repr(value) if key is None or name in key else None])
    return json.dumps([described, _overlapping(arrays)])


class Store:
    """The entries of one file. Nothing is written before `save`; what other processes added meanwhile is kept."""

    def __init__(self, path, head):
        self.path, self.head = path, head
        self.entries = self._load()
        self.changed = False

    @classmethod
    def of(cls, kernel, signature_text):
        """The entries for a kernel and its arguments on the current platform."""
        model = _tilesmith.model_id()
        key = hashlib.sha256(json.dumps([VERSION, model, identity(kernel), signature_text]).encode()).hexdigest()
        head = {
            "version": VERSION,
            "kernel": kernel.__qualname__,
            "platform": _tilesmith.current_platform(),
            "model": model,
            "arguments": signature_text,
        }
        return cls(os.path.join(_tilesmith.cache_folder(), "tuned", f"{key}.json"), head)

    @classmethod
    def nowhere(cls):
        """Entries that are forgotten."""
        return cls(None, {})

    def _load(self):
        try:
            with open(self.path or os.devnull, encoding="utf-8") as file:
                entries = json.load(file)["entries"]
            return {key: entry for key, entry in entries.items() if isinstance(entry, dict) and "status" in entry}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    def get(self, key):
        """What is known, or None."""
        return self.entries.get(key)

    def put(self, key, entry):
        """Keeps an entry, unless its time is one of data that may change."""
        if self.path and not entry.get("reads_data"):
            self.entries[key] = entry
            self.changed = True

    def save(self):
        """Writes the file; a folder that cannot be written is no reason to fail."""
        if not self.changed:
            return
        entries = {**self._load(), **self.entries}
        staged = f"{self.path}.{os.getpid()}"
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            with open(staged, "w", encoding="utf-8") as file:
                json.dump({**self.head, "entries": entries}, file)
            os.replace(staged, self.path)
            self.changed = False
        except OSError:
            pass
