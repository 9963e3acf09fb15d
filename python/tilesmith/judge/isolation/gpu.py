"""Time on a GPU, by the device's events.

Of a call this is the time from the moment the device begins with it to the moment the device has nothing left to do, whatever stream
the work is on: what still runs when the current stream has come to its end is waited for and counted. The second-level cache holds
nothing of an earlier call, because something larger is written before each.

A clock is made before a candidate is imported and keeps the functions it calls, so that replacing torch's changes nothing. The
process is the candidate's all the same, and its times are claims.
"""

FLUSH = 4  # times the second-level cache that is written before a call
NO_CACHE_KNOWN = 64 << 20  # bytes, where torch does not tell its size
TRIES = 20  # how often an idle device is asked, to know what asking takes


class GpuClock:
    """`cuda` is torch.cuda or what behaves like it; empty(bytes) gives memory of the device."""

    def __init__(self, cuda, empty):
        self._event, self._synchronize = cuda.Event, cuda.synchronize
        cache = getattr(cuda.get_device_properties(cuda.current_device()), "L2_cache_size", 0) or NO_CACHE_KNOWN
        self._scratch = empty(FLUSH * cache)
        self._fill = self._scratch.zero_
        self._synchronize()
        self._asking = min(self._until_idle(self._now()) for _ in range(TRIES))

    def _now(self):
        event = self._event(enable_timing=True)
        event.record()
        return event

    def _until_idle(self, since):
        """Milliseconds since an event until the device has ended everything, and what asking it takes."""
        self._synchronize()
        idle = self._now()
        idle.synchronize()
        return since.elapsed_time(idle)

    def begin(self):
        """Empties the device and its cache, and starts to count."""
        self._synchronize()
        self._fill()
        self._start = self._now()

    def end(self):
        """Nanoseconds since `begin`, when the device has ended everything."""
        here = self._now()
        everywhere = self._until_idle(self._start) - self._asking
        return int(max(self._start.elapsed_time(here), everywhere) * 1e6)


def clock_of(torch):
    """The clock of this machine's GPU."""
    return GpuClock(torch.cuda, lambda size: torch.empty(size, dtype=torch.uint8, device="cuda"))
