"""Timing by the profiler of a device; here, by the model."""

from __future__ import annotations

import statistics
from contextlib import AbstractContextManager

from asc.runtime.profile import Report, profile


class Profiler:
    """Collects the model's times of the launches between start() and stop()."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.report: Report | None = None
        self._watch: AbstractContextManager[Report] | None = None

    def start(self) -> None:
        """Begins to watch."""
        watch = self._watch = profile()
        self.report = watch.__enter__()

    def stop(self) -> Report | None:
        """Ends watching; returns what was seen."""
        if self._watch is not None:
            self._watch.__exit__(None, None, None)
            self._watch = None
        return self.report

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exception):
        self.stop()
        return False


def task_time_median(profiler: Profiler | Report) -> float:
    """Median model time of the launches a Profiler or a profile saw, in microseconds."""
    report = profiler.report if isinstance(profiler, Profiler) else profiler
    if report is None:
        raise ValueError("the profiler has not been started")
    return statistics.median(launch.time_us for launch in report.launches)
