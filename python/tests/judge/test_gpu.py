"""Time on a GPU: what a call may not hide from the clock."""

import types

import pytest
from tilesmith.judge.isolation import gpu

torch = pytest.importorskip("torch")
on_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")


class Device:
    """A device that notes what it is asked; `streams` is how long other streams go on, in nanoseconds."""

    def __init__(self, monkeypatch):
        self.asked, self.streams, self.now = [], 0, 0
        monkeypatch.setattr(gpu, "perf_counter_ns", lambda: self.now)
        device = self

        class Event:
            def __init__(self, enable_timing):
                assert enable_timing

            def record(self):
                device.asked.append("event")

            def synchronize(self):
                device.asked.append("stream ends")

            def elapsed_time(self, other):
                return 0.25

        self.cuda = types.SimpleNamespace(
            Event=Event,
            synchronize=self.synchronize,
            current_device=lambda: 0,
            get_device_properties=lambda number: types.SimpleNamespace(L2_cache_size=1 << 20),
        )

    def synchronize(self):
        self.asked.append("device ends")
        self.now += self.streams

    def empty(self, size):
        return types.SimpleNamespace(zero_=lambda: self.asked.append(f"{size} bytes written"))


def test_a_call_begins_on_an_idle_device_with_a_cache_full_of_something_else(monkeypatch):
    device = Device(monkeypatch)
    clock = gpu.GpuClock(device.cuda, device.empty)
    clock.begin()
    assert clock.end() == 250_000
    assert device.asked == ["device ends", f"{4 << 20} bytes written", "event", "event", "stream ends", "device ends"]


def test_work_on_another_stream_counts(monkeypatch):
    """The event of the current stream says nothing of others: a candidate that works there would take no time."""
    device = Device(monkeypatch)
    clock = gpu.GpuClock(device.cuda, device.empty)
    clock.begin()
    device.streams = 20_000_000
    assert clock.end() == 20_250_000


def test_functions_replaced_later_are_not_called(monkeypatch):
    device = Device(monkeypatch)
    clock = gpu.GpuClock(device.cuda, device.empty)
    device.cuda.Event = device.cuda.synchronize = lambda *args, **options: pytest.fail("the candidate's function")
    clock.begin()
    assert clock.end() == 250_000


@on_gpu
@pytest.mark.parametrize("aside", [False, True])
def test_a_product_takes_its_time_on_any_stream(aside):
    clock, x = gpu.clock_of(torch), torch.randn(4096, 4096, device="cuda")
    stream = torch.cuda.Stream()

    def product():
        if not aside:
            return x @ x
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            return x @ x

    product()
    times = []
    for _ in range(5):
        clock.begin()
        product()
        times.append(clock.end())
    peak = 200e12  # operations a second, more than any GPU does in float32
    assert 2 * 4096**3 / peak * 1e9 < sorted(times)[2] < 100_000_000
