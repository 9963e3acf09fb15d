"""Time on a GPU, by the device's events.

Of a call this is the time from the moment the device begins with it to the moment the device has nothing left to do, whatever stream
the work is on: what still runs when the current stream has come to its end is waited for and counted. The second-level cache holds
nothing of an earlier call, because something larger is written before each.

A clock is made before a candidate is imported and keeps the functions it calls, so that replacing torch's changes nothing. The
process is the candidate's all the same, and its times are claims.
"""

from time import perf_counter_ns

FLUSH = 4  # times the second-level cache that is written before a call
NO_CACHE_KNOWN = 64 << 20  # bytes, where torch does not tell its size
SOON_NS = 30_000  # in which a device that has nothing left to do says so


class GpuClock:
    """`cuda` is torch.cuda or what behaves like it; empty(bytes) gives memory of the device."""

    def __init__(self, cuda, empty):
        self._event, self._synchronize = cuda.Event, cuda.synchronize
        cache = getattr(cuda.get_device_properties(cuda.current_device()), "L2_cache_size", 0) or NO_CACHE_KNOWN
        self._scratch = empty(FLUSH * cache)
        self._fill = self._scratch.zero_

    def begin(self):
        """Empties the device and its cache, and starts to count."""
        self._synchronize()
        self._fill()
        self._start, self._end = self._event(enable_timing=True), self._event(enable_timing=True)
        self._start.record()

    def end(self):
        """Nanoseconds since `begin`, when the device has ended everything."""
        self._end.record()
        self._end.synchronize()
        reached = perf_counter_ns()
        self._synchronize()
        left = perf_counter_ns() - reached
        return int(self._start.elapsed_time(self._end) * 1e6) + (left if left > SOON_NS else 0)


def clock_of(torch):
    """The clock of this machine's GPU."""
    return GpuClock(torch.cuda, lambda size: torch.empty(size, dtype=torch.uint8, device="cuda"))
