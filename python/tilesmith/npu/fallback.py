"""Operators the device has no kernel for: they run on the host, counted and named once, or are refused."""

from __future__ import annotations

import sys
import warnings
from collections import Counter

import torch

from . import copies, generators, graphs, memory, remote
from .memory import HOST, LOOKS, aten, host_view


class FallbackWarning(UserWarning):
    """An operator of torch ran on the host for the first time."""


class FallbackError(RuntimeError):
    """Under strict(): an operator of torch would run on the host."""


_counts: Counter = Counter()
_strict = False
# Questions about tensors that torch asks itself: nothing is computed.
_NOT_COUNTED = {"aten::is_set_to", "aten::is_same_size"}
# They take indices from the host, as they do on every device.
_MIXED = {"aten::index", "aten::index_put_", "aten::index_put", "aten::_index_put_impl_", "aten::_unsafe_index"}

# They write a tensor and do not read it: with numbers of the host's, which it may make.
_OVERWRITES = {
    *("aten::normal_", "aten::uniform_", "aten::random_", "aten::bernoulli_", "aten::exponential_", "aten::geometric_"),
    *("aten::cauchy_", "aten::log_normal_"),
}

library = torch.library.Library("_", "IMPL")


def fallbacks() -> dict[str, int]:
    """How often each operator has run on the host."""
    return dict(_counts)


class _Strict:
    """What strict() gives: ends with the block it is used for."""

    def __init__(self, before):
        self._before = before

    def __enter__(self):
        return None

    def __exit__(self, *exception):
        global _strict
        _strict = self._before
        return False


def strict(on: bool = True) -> _Strict:
    """Makes an operator without a kernel of the device an error from now on, at the line that asks for it.

    As a context manager it ends with the block.
    """
    global _strict
    before, _strict = _strict, bool(on)
    return _Strict(before)


def _users_frame():
    """The innermost frame that is neither torch's nor ours."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        module = frame.f_globals.get("__name__", "").split(".")
        if module[0] not in ("torch", "contextlib") and module[:2] != ["tilesmith", "npu"]:
            break
        frame = frame.f_back
    return frame


def _note(op):
    name = op._schema.name  # without its overload: torch calls add.out for what a program writes as +
    if name in _NOT_COUNTED or remote.active:  # what reads the device there is refused, and the rest is the host's
        return
    if _strict:
        frame = _users_frame()
        raise FallbackError(
            f"{frame.f_code.co_filename}:{frame.f_lineno}: error: {name} would run on the host: the device has no kernel for it\n"
            "help: write it as a kernel, or leave tilesmith.npu.strict()"
        )
    _counts[name] += 1
    if _counts[name] == 1:
        frame = _users_frame()
        warnings.warn_explicit(
            f"{name} runs on the host: the device has no kernel for it (tilesmith.npu.fallbacks() counts, tilesmith.npu.strict() "
            "makes it an error)",
            FallbackWarning,
            frame.f_code.co_filename,
            frame.f_lineno,
        )


class _Call:
    """One call: its arguments as the host sees them, and the way back of its results."""

    def __init__(self, op):
        self.op, self.index = op, None
        self.originals: dict[int, tuple] = {}  # id of the tensor of the host: (it, the device's)

    def argument(self, value, declared):
        """An argument for the host."""
        if isinstance(value, torch.Tensor):
            return self.tensor(value, declared)
        if isinstance(value, (list, tuple)):
            return type(value)(self.argument(item, declared) for item in value)
        if isinstance(value, torch.device) and value.type == "npu":
            self.index = memory.device_index(value)
            return HOST
        if isinstance(value, (bool, int, float, complex)) and isinstance(declared.type, torch.TensorType):
            return self.number(value)  # torch hands tensors that stand for numbers over as numbers
        return value

    def number(self, value):
        """A number as a tensor without dimensions that widens no other argument of its kind."""
        if isinstance(value, float):
            wide = any(seen.dtype is torch.float64 for seen, _ in self.originals.values())
            return aten.scalar_tensor.default(value, dtype=torch.float64 if wide else torch.get_default_dtype(), device=HOST)
        dtype = torch.bool if isinstance(value, bool) else torch.int64 if isinstance(value, int) else torch.complex128
        return aten.scalar_tensor.default(value, dtype=dtype, device=HOST)

    def tensor(self, value, declared):
        if value.device.type != "npu":
            return value
        if self.index is None:
            self.index = value.device.index
        elif value.device.index != self.index:
            raise RuntimeError(
                "Expected all tensors to be on the same device, but found at least two devices, "
                f"npu:{self.index} and npu:{value.device.index}!"
            )
        if declared.alias_info is not None and declared.alias_info.is_write:
            memory.about_to_write(value)
        if declared.alias_info is not None and declared.is_out:  # takes the size it gets, without a word about it
            seen = aten.empty.memory_format([0], dtype=value.dtype, device=HOST)
        elif remote.active and self.op._schema.name in _OVERWRITES and declared.alias_info is not None:
            seen = aten.empty.memory_format(value.size(), dtype=value.dtype, device=HOST)
        elif remote.active:
            remote.refuse(f"{self.op._schema.name} computes on the host", "write it as a kernel")
        else:
            seen = host_view(value)
        self.originals[id(seen)] = seen, value
        return seen

    def arguments(self, args, kwargs):
        declared = {each.name: each for each in self.op._schema.arguments}
        in_order = list(declared.values())
        args = [self.argument(value, in_order[number]) for number, value in enumerate(args)]
        kwargs = {name: self.argument(value, declared[name]) for name, value in kwargs.items()}
        if "generator" in declared and self.index is not None:
            at = in_order.index(declared["generator"])
            given = args[at] if at < len(args) else kwargs.get("generator")
            if given is None:
                if at < len(args):
                    args[at] = generators.of(self.index)
                else:
                    kwargs["generator"] = generators.of(self.index)
        return args, kwargs

    def check_devices(self, args, kwargs):
        """Tensors of the host do not mix with those of the device, but for numbers."""
        if self.op._schema.name in _MIXED:
            return
        for value in (*args, *kwargs.values()):
            for each in value if isinstance(value, (list, tuple)) else (value,):
                if isinstance(each, torch.Tensor) and id(each) not in self.originals and each.dim():
                    raise RuntimeError(
                        "Expected all tensors to be on the same device, but found at least two devices, "
                        f"npu:{self.index} and {each.device}!"
                    )

    def result(self, value):
        """What the host gave, on the device."""
        if isinstance(value, (list, tuple)):
            return type(value)(self.result(item) for item in value)
        if not isinstance(value, torch.Tensor) or self.index is None:
            return value
        if found := self.originals.get(id(value)):
            return found[1]
        if value.layout is not torch.strided:
            raise NotImplementedError(f"{self.op.name()} gives a tensor of layout {value.layout}, which an npu does not have")
        start = value.untyped_storage().data_ptr()
        for seen, original in self.originals.values():
            if start and seen.untyped_storage().data_ptr() == start and seen.dtype == value.dtype:  # a view of an argument
                return aten.as_strided.default.redispatch(LOOKS, original, value.size(), value.stride(), value.storage_offset())
        stride = value.stride()
        if memory.extent(value.size(), stride) != value.numel():
            value = value.contiguous()
            stride = value.stride()
        moved = memory.empty(value.size(), stride, value.dtype, self.index)
        copies.move(moved, value)
        return moved

    def outputs(self):
        """Arguments that were written: one that has got another size or other memory hands it on."""
        for seen, original in self.originals.values():
            if seen.untyped_storage().data_ptr() == original.untyped_storage().data_ptr():
                if seen.size() != original.size() or seen.stride() != original.stride():
                    memory.look_again(original, original.untyped_storage(), seen.storage_offset(), seen.size(), seen.stride())
            elif seen.size() == original.size():
                copies.move(original, seen)
            else:
                moved = self.result(seen.clone())
                memory.look_again(original, moved.untyped_storage(), 0, seen.size(), moved.stride())


def on_host(op, *args, **kwargs):
    """Runs an operator on the host's view of the device's memory."""
    call = _Call(op)
    seen, named = call.arguments(args, kwargs)
    if call.index is not None:
        call.check_devices(seen, named)
    result = op(*seen, **named)
    call.outputs()
    return call.result(result)


def run(op, *args, **kwargs):
    """The kernel of every operator that has none."""
    _note(op)
    if graphs.graph.active is None:
        return on_host(op, *args, **kwargs)
    return graphs.recorded(lambda: on_host(op, *args, **kwargs))


def register() -> None:
    """Makes `run` the kernel of operators that have none."""
    library.fallback(run, "PrivateUse1")
