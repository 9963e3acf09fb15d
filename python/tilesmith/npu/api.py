"""What `torch.npu` is: the functions programs for the chip call."""

from __future__ import annotations

import contextlib
import types

import torch

from tilesmith.extension import _tilesmith

from . import generators, memory
from .graphs import NPUGraph, graph, graph_pool_handle
from .streams import Event, Stream, StreamContext, current_stream, default_stream, set_stream

__all__ = [
    "Event",
    "NPUGraph",
    "Stream",
    "StreamContext",
    "current_device",
    "current_stream",
    "default_stream",
    "device",
    "device_count",
    "device_of",
    "empty_cache",
    "get_amp_supported_dtype",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "get_rng_state",
    "get_rng_state_all",
    "graph",
    "graph_pool_handle",
    "init",
    "initial_seed",
    "is_available",
    "is_bf16_supported",
    "is_current_stream_capturing",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "max_memory_allocated",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_reserved",
    "memory_snapshot",
    "memory_stats",
    "memory_summary",
    "reset_accumulated_memory_stats",
    "reset_max_memory_allocated",
    "reset_peak_memory_stats",
    "seed",
    "seed_all",
    "set_device",
    "set_rng_state",
    "set_rng_state_all",
    "set_stream",
    "stream",
    "synchronize",
]

default_generators = tuple(generators.of(index) for index in range(memory.DEVICES))


# Devices


def device_count() -> int:
    """How many devices there are."""
    return memory.DEVICES


def is_available() -> bool:
    """Always: the device is a model."""
    return True


def is_initialized() -> bool:
    """Always."""
    return True


def init() -> None:
    """Nothing has to be started."""


_lazy_init = init


def _is_in_bad_fork() -> bool:
    return False


def current_device() -> int:
    """The number of the device that is meant where none is named."""
    return memory.current_device()


def set_device(device) -> None:
    """Makes a device the current one."""
    memory.set_current(memory.device_index(device))


class device(contextlib.AbstractContextManager):
    """A block in which a device is the current one."""

    def __init__(self, device):
        self.idx = None if device is None else memory.device_index(device)

    def __enter__(self):
        self.prev_idx = memory.current_device()
        if self.idx is not None:
            memory.set_current(self.idx)

    def __exit__(self, *exception):
        memory.set_current(self.prev_idx)
        return False


class device_of(device):
    """A block in which a tensor's device is the current one."""

    def __init__(self, tensor):
        super().__init__(tensor.device if tensor.device.type == "npu" else None)


def _exchange_device(index: int) -> int:
    before = memory.current_device()
    if index >= 0:
        memory.set_current(memory.device_index(index))
    return before


_maybe_exchange_device = _exchange_device


def get_device_name(device=None) -> str:
    """The name of the platform launches run on."""
    memory.device_index(device)
    return _tilesmith.current_platform()


def get_device_properties(device=None) -> types.SimpleNamespace:
    """Name, memory in bytes and cores of a device."""
    memory.device_index(device)
    platform = _tilesmith.describe_platform(_tilesmith.current_platform())
    return types.SimpleNamespace(
        name=platform["name"],
        total_memory=platform["memories"]["GM"],
        cube_core_num=platform["cube_cores"],
        vector_core_num=platform["vector_cores"],
        L2_cache_size=platform["l2_bytes"],
    )


def get_device_capability(device=None) -> None:
    """The parts have no such number."""


def can_device_access_peer(device, peer_device) -> bool:
    """Whether a device may copy from another one."""
    return memory.device_index(device) != memory.device_index(peer_device)


def synchronize(device=None) -> None:
    """Waits for the work of a device, which has ended: a launch has when its call returns."""
    memory.device_index(device)


def stream(stream):
    """A block whose work goes to a stream."""
    return StreamContext(stream)


def is_current_stream_capturing() -> bool:
    """Whether work is being recorded for an NPUGraph."""
    return graph.active is not None


# Memory


def _statistics(device):
    return _tilesmith.heap_statistics(memory.device_index(device))


def empty_cache() -> None:
    """Gives memory that no tensor uses back to the host."""
    for index in range(memory.DEVICES):
        _tilesmith.heap_give_back(index)


def memory_allocated(device=None) -> int:
    """Bytes of the blocks that tensors lie in."""
    return _statistics(device)["allocated"]


def max_memory_allocated(device=None) -> int:
    """The most bytes that were allocated at a time."""
    return _statistics(device)["allocated_peak"]


def memory_reserved(device=None) -> int:
    """Bytes of the segments that blocks are cut from."""
    return _statistics(device)["reserved"]


def max_memory_reserved(device=None) -> int:
    """The most bytes that were reserved at a time."""
    return _statistics(device)["reserved_peak"]


memory_cached, max_memory_cached = memory_reserved, max_memory_reserved


def reset_peak_memory_stats(device=None) -> None:
    """The peaks become what there is now."""
    _tilesmith.heap_reset_peaks(memory.device_index(device))


reset_max_memory_allocated = reset_max_memory_cached = reset_accumulated_memory_stats = reset_peak_memory_stats


def mem_get_info(device=None) -> tuple[int, int]:
    """(free, total) bytes of a device."""
    now = _statistics(device)
    return now["capacity"] - now["reserved"], now["capacity"]


def memory_stats(device=None) -> dict[str, int]:
    """The figures of the memory, named as the vendor names them."""
    now = _statistics(device)
    figures = {
        "allocated_bytes.all": (now["allocated"], now["allocated_peak"]),
        "reserved_bytes.all": (now["reserved"], now["reserved_peak"]),
        "active_bytes.all": (now["allocated"], now["allocated_peak"]),
    }
    stats = {}
    for name, (current, peak) in figures.items():
        stats[f"{name}.current"], stats[f"{name}.peak"] = current, peak
    stats["active.all.current"] = stats["allocation.all.current"] = now["active"]
    stats["allocation.all.allocated"], stats["allocation.all.freed"] = now["allocations"], now["releases"]
    stats["segment.all.current"] = now["segments"]
    stats["num_alloc_retries"], stats["num_ooms"] = now["retries"], now["refused"]
    return stats


def memory_summary(device=None, abbreviated=False) -> str:
    """The figures of the memory as text."""
    now = _statistics(device)
    rows = [("allocated", "allocated"), ("reserved", "reserved")]
    lines = [f"memory of npu:{memory.device_index(device)}, {now['capacity']} bytes", f"{'':12}{'now':>16}{'most':>16}"]
    lines += [f"{title:12}{now[name]:>16}{now[name + '_peak']:>16}" for title, name in rows]
    lines.append(
        f"{now['active']} blocks in {now['segments']} segments; {now['allocations']} were given, {now['releases']} taken back"
    )
    return "\n".join(lines)


def memory_snapshot() -> list[dict[str, int]]:
    """The figures of every device that has memory."""
    figures = [{"device": index, **_statistics(index)} for index in range(memory.DEVICES)]
    return [each for each in figures if each["reserved"]]


# Random numbers


def manual_seed(seed: int) -> None:
    """Seeds the generator of the current device."""
    generators.of(memory.current_device()).manual_seed(int(seed))


def manual_seed_all(seed: int) -> None:
    """Seeds the generators of all devices. torch.manual_seed calls this."""
    for index in range(memory.DEVICES):
        generators.of(index).manual_seed(int(seed))


def seed() -> None:
    """Seeds the generator of the current device with a number that differs each time."""
    generators.of(memory.current_device()).seed()


def seed_all() -> None:
    """Seeds the generators of all devices with one number that differs each time."""
    generators.of(0).seed()
    manual_seed_all(generators.of(0).initial_seed())


def initial_seed() -> int:
    """The seed of the current device's generator."""
    return generators.of(memory.current_device()).initial_seed()


def get_rng_state(device="npu") -> torch.Tensor:
    """The state of a device's generator, as bytes of the host."""
    return generators.of(memory.device_index(device)).get_state()


def set_rng_state(new_state: torch.Tensor, device="npu") -> None:
    """Puts the state of a device's generator back."""
    generators.of(memory.device_index(device)).set_state(new_state.cpu())


def get_rng_state_all() -> list[torch.Tensor]:
    """The states of all generators."""
    return [get_rng_state(index) for index in range(memory.DEVICES)]


def set_rng_state_all(new_states) -> None:
    """Puts the states of all generators back."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


# Numbers


def get_amp_supported_dtype() -> list[torch.dtype]:
    """What autocast may compute in."""
    return [torch.float16, torch.bfloat16, torch.float32]


def is_bf16_supported() -> bool:
    """All parts have bfloat16."""
    return True
