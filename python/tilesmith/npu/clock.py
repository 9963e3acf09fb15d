"""Time on the devices, as the model sees it.

Each device has one engine for launches and one for copies from and to the host; a stream is an order in which work waits for what
came before it. Work begins when its stream and its engine are free. Launches are timed only while somebody has asked for the time,
with an Event(enable_timing=True): timing costs more than computing.
"""

from __future__ import annotations

import itertools
import weakref

from tilesmith.extension import _tilesmith

from . import memory

_numbers = itertools.count()


class Line:
    """The work of a stream, in order: when it will have ended, in microseconds."""

    def __init__(self, index: int) -> None:
        self.index, self.number, self.end = index, next(_numbers), 0.0


class _Device:
    def __init__(self, index):
        self.default = Line(index)
        self.current = self.default
        self.lines = weakref.WeakSet([self.default])
        self.cores_free = self.link_free = 0.0


_devices: dict[int, _Device] = {}
_asked = 0  # how many live events have asked for the time
_mode_before = "fast"


def device(index: int) -> _Device:
    """The clock of a device."""
    if index not in _devices:
        _devices[index] = _Device(index)
    return _devices[index]


def new_line(index: int) -> Line:
    """Another stream's."""
    line = Line(index)
    device(index).lines.add(line)
    return line


def now(index: int) -> float:
    """When all work given so far has ended."""
    return max((line.end for line in device(index).lines), default=0.0)


def runs() -> bool:
    """Whether launches are timed."""
    return _asked > 0


def _work(line, took, engine):
    place = device(line.index)
    line.end = max(line.end, getattr(place, engine)) + took
    setattr(place, engine, line.end)


def launched(stream, microseconds: float) -> None:
    """A launch has run, on the stream it named or the current one. The extension calls this."""
    line = getattr(stream, "line", None)
    _work(line if isinstance(line, Line) else device(memory.current_device()).current, microseconds, "cores_free")


def copied(index: int, microseconds: float, from_or_to_host: bool) -> None:
    """A copy has run on the current stream of a device."""
    if runs():
        _work(device(index).current, microseconds, "link_free" if from_or_to_host else "cores_free")


def ask(asker: object) -> None:
    """Times launches as long as `asker` lives."""
    global _asked, _mode_before
    if not _asked:
        settings = _tilesmith.get_settings()
        _mode_before = settings["mode"]
        _tilesmith.set_settings(clock=launched, mode="timed" if _mode_before == "fast" else _mode_before)
    _asked += 1
    weakref.finalize(asker, _asked_no_more).atexit = False


def _asked_no_more():
    global _asked
    _asked -= 1
    if not _asked:
        settings = _tilesmith.get_settings()
        mode = _mode_before if settings["mode"] == "timed" and settings["recorder"] is None else settings["mode"]
        _tilesmith.set_settings(clock=None, mode=mode)
