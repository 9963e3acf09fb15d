"""torch.npu.Stream and torch.npu.Event: order and the model's time."""

from __future__ import annotations

import torch

from . import clock, memory


class Stream:
    """Work that runs one after another. A launch has ended when its call returns; what a stream orders is the model's time."""

    def __init__(self, device=None, priority=0, **kwargs):
        if kwargs:
            raise TypeError(f"Stream() got an unexpected keyword argument '{next(iter(kwargs))}'")
        self.line = clock.new_line(memory.device_index(device))
        self.priority = priority

    @classmethod
    def _of(cls, line):
        stream = cls.__new__(cls)
        stream.line, stream.priority = line, 0
        return stream

    @property
    def device_index(self):
        return self.line.index

    @property
    def device(self):
        return torch.device("npu", self.line.index)

    @property
    def device_type(self):
        return int(torch._C._autograd.DeviceType.PrivateUse1)

    @property
    def stream_id(self):
        return self.line.number

    @property
    def npu_stream(self):
        return self.line.number

    def query(self):
        """Whether all work of the stream has ended: it has when its calls return."""
        return True

    def synchronize(self):
        """Waits for the work of the stream, which has ended."""

    def wait_event(self, event):
        """Work given from now on begins after what the event was recorded behind."""
        self.line.end = max(self.line.end, event._time or 0.0)

    def wait_stream(self, stream):
        """Work given from now on begins after all that the other stream has now."""
        self.line.end = max(self.line.end, stream.line.end)

    def record_event(self, event=None):
        """Records an event, a new one if none is given."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def __enter__(self):
        self._before = current_stream(self.line.index)
        set_stream(self)
        return self

    def __exit__(self, *exception):
        set_stream(self._before)
        return False

    def __eq__(self, other):
        return isinstance(other, Stream) and self.line is other.line

    def __hash__(self):
        return hash(self.line)

    def __repr__(self):
        return f"<torch.npu.Stream device=npu:{self.line.index} npu_stream={self.line.number}>"


class Event:
    """A point in the work of a stream. With `enable_timing` it knows the model's time there, and launches are timed while it lives."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        if interprocess:
            raise NotImplementedError("events of the model are not shared between processes")
        self.enable_timing = enable_timing
        self._time = self._index = None
        if enable_timing:
            clock.ask(self)

    def record(self, stream=None):
        """Puts the event behind all work the stream has now."""
        stream = current_stream() if stream is None else stream
        self._time, self._index = stream.line.end, stream.line.index

    def wait(self, stream=None):
        """Lets a stream wait for the event."""
        (current_stream() if stream is None else stream).wait_event(self)

    def query(self):
        """Whether the work before the event has ended: it has when its calls return."""
        return True

    def synchronize(self):
        """Waits for the work before the event, which has ended."""

    def elapsed_time(self, end_event):
        """Milliseconds of the model from this event to another one."""
        for event in (self, end_event):
            if not event.enable_timing:
                raise RuntimeError("an Event knows its time only with enable_timing=True")
            if event._time is None:
                raise RuntimeError("an Event that was not recorded has no time")
        return (end_event._time - self._time) / 1000

    def __repr__(self):
        return f"<torch.npu.Event {'not recorded' if self._time is None else f'at {self._time:.2f} us'}>"


def current_stream(device=None):
    """The stream that work goes to where none is named."""
    return Stream._of(clock.device(memory.device_index(device)).current)


def default_stream(device=None):
    """The stream a device begins with."""
    return Stream._of(clock.device(memory.device_index(device)).default)


def set_stream(stream):
    """Makes a stream the current one of its device."""
    if stream is not None:
        clock.device(stream.line.index).current = stream.line


class StreamContext:
    """torch.npu.stream(s): work inside goes to the stream, and its device is the current one."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        if self.stream is not None:
            self._device = memory.current_device()
            self._before = current_stream(self.stream.device)
            memory.set_current(self.stream.device_index)
            set_stream(self.stream)

    def __exit__(self, *exception):
        if self.stream is not None:
            set_stream(self._before)
            memory.set_current(self._device)
        return False
