"""Time on a GPU: what a call may not hide from the clock."""

import types

import pytest
from tilesmith.judge.isolation import gpu

torch = pytest.importorskip("torch")
on_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")


class Device:
    """A device with a clock in milliseconds that notes what it is asked; `busy` is when its other streams have ended."""

    def __init__(self, asking=0.0):
        self.asked, self.busy, self.now, self.asking = [], 0.0, 0.0, asking
        device = self

        class Event:
            def __init__(self, enable_timing):
                assert enable_timing

            def record(self):
                device.asked.append("event")
                self.at = device.now

            def synchronize(self):
                pass

            def elapsed_time(self, other):
                return other.at - self.at

        self.cuda = types.SimpleNamespace(
            Event=Event,
            synchronize=self.synchronize,
            current_device=lambda: 0,
            get_device_properties=lambda number: types.SimpleNamespace(L2_cache_size=1 << 20),
        )

    def synchronize(self):
        self.asked.append("idle")
        self.now = max(self.now, self.busy) + self.asking

    def empty(self, size):
        return types.SimpleNamespace(zero_=lambda: self.asked.append(f"{size} bytes written"))


@pytest.mark.parametrize("asking", [0.0, 0.01])
def test_a_call_begins_on_an_idle_device_with_a_cache_full_of_something_else(asking):
    """What asking the device takes is no time of the call."""
    device = Device(asking)
    clock = gpu.GpuClock(device.cuda, device.empty)
    device.asked.clear()
    clock.begin()
    device.now += 0.25
    assert clock.end() == 250_000
    assert device.asked == ["idle", f"{4 << 20} bytes written", "event", "event", "idle", "event"]


@pytest.mark.parametrize("asking", [0.0, 0.01])
def test_work_on_another_stream_counts(asking):
    """The event of the current stream says nothing of others: a candidate that works there would take no time."""
    device = Device(asking)
    clock = gpu.GpuClock(device.cuda, device.empty)
    clock.begin()
    device.busy = device.now + 0.02
    assert clock.end() == pytest.approx(20_000, abs=1)


def test_functions_replaced_later_are_not_called():
    device = Device()
    clock = gpu.GpuClock(device.cuda, device.empty)
    device.cuda.Event = device.cuda.synchronize = lambda *args, **options: pytest.fail("the candidate's function")
    clock.begin()
    device.now += 0.25
    assert clock.end() == 250_000


@on_gpu
@pytest.mark.parametrize("aside", [False, True])
def test_a_product_takes_its_time_on_any_stream(aside):
    clock, x = gpu.clock_of(torch), torch.randn(1024, 1024, device="cuda")
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
    assert 2 * 1024**3 / peak * 1e9 < sorted(times)[2] < 100_000_000
