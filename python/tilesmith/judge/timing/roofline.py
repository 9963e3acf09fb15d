"""The time nothing can be faster than: a call has to write its outputs.

Inputs do not count. A gather reads a part of its table, and how much of an input an operator needs is the task's affair.
"""

import os
import time

_host_rate = None


def host_bytes_per_ms():
    """What all processors of this machine can write into their caches; measured once, the best of many."""
    global _host_rate
    if _host_rate is None:
        import numpy as np

        block = np.empty(1 << 17, np.uint8)
        best = float("inf")
        for _ in range(200):
            begin = time.perf_counter_ns()
            block.fill(1)
            best = min(best, time.perf_counter_ns() - begin)
        _host_rate = block.nbytes / max(best, 1) * 1e6 * (os.cpu_count() or 1)
    return _host_rate


def model_bytes_per_ms():
    """What the fastest second-level cache of all platforms takes: a candidate chooses its platform itself."""
    import _tilesmith

    return max(_tilesmith.describe_platform(name)["l2_mbps"] for name in _tilesmith.platforms()) * 1e3


def floor_ms(clock, output_bytes):
    """Milliseconds below which a time of this clock cannot be. Of a GPU we do not know what its caches take: none."""
    rates = {"model": model_bytes_per_ms, "wall": host_bytes_per_ms}
    return output_bytes / rates[clock]() if clock in rates else 0.0
