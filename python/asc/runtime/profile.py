"""Watching launches: `profile()` for time, `check()` for hazards, `launch_mode()` for how they run.

    with asc.profile() as p:
        kernel[8](x, y, n)
    print(p)

All three are context managers and may be nested: an outer one also sees the launches of an inner one.
"""

from __future__ import annotations

import _tilesmith

from asc.runtime.records import LaunchRecord, Line, Part, Report

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing them takes longer than importing this
    from contextlib import AbstractContextManager
    from typing import Any

__all__ = ["LaunchRecord", "Line", "Part", "Report", "check", "current_mode", "is_watched", "launch_mode", "profile", "watching"]

_MODES = ["fast", "timed", "checked", "traced"]


def current_mode():
    """How launches run now: "fast", "timed", "checked" or "traced"."""
    return _tilesmith.get_settings()["mode"]


class _Watch:
    """Sets launch settings while active and puts the old ones back; optionally collects records."""

    def __init__(self, report, mode=None, **settings):
        self.report, self.mode, self.settings = report, mode, settings

    def __enter__(self):
        self.before = _tilesmith.get_settings()
        settings = dict(self.settings)
        if self.mode is not None:
            # A watch inside a stricter one must not see less than the outer asked for.
            settings["mode"] = max(self.mode, self.before["mode"], key=_MODES.index) if self.report else self.mode
        if self.report:
            settings["recorder"] = self.report
        _tilesmith.set_settings(**settings)
        return self.report

    def __exit__(self, *exception):
        _tilesmith.set_settings(**self.before)
        outer = self.before["recorder"]
        if self.report and outer is not None:
            for launch in self.report.launches:
                outer.append(launch)
            if hasattr(outer, "copies"):
                outer.copies += self.report.copies
        return False


def watching(report: Report, mode: str, **settings: Any) -> AbstractContextManager[Report]:
    """Records the launches inside in a report of one's own."""
    return _Watch(report, mode, **settings)


def is_watched() -> bool:
    """Whether launches are being recorded here, such as by `tilesmith prof`: then someone else prints their profile."""
    return _tilesmith.get_settings()["recorder"] is not None


def profile(*, warm_l2: bool | None = None, dry: bool | None = None) -> AbstractContextManager[Report]:
    """Times the launches inside. The result has cycles, time_us, pipes, bound, by_line() and launches; print it.

    With `dry` nothing is computed and no array is touched, so that arguments may be placeholders (asc2.placeholder); the cycles are
    the same. A kernel whose scalar code reads data that it computes runs in full, on copies, and its record says `dry` False.
    """
    chosen = {"warm_l2": warm_l2, "dry": dry}
    return _Watch(Report(), "timed", **{name: value for name, value in chosen.items() if value is not None})


def check(*, late: bool = True) -> AbstractContextManager[Report]:
    """Checks the launches inside for hazards; the result has findings. Nothing is raised for them.

    With `late` each launch is repeated on copies of its arguments with instructions delayed as far as the flags allow;
    results that change are findings, too.
    """
    return _Watch(Report(), "checked", verify_late=bool(late), raise_findings=False, dry=False)


def launch_mode(
    mode: str | None = None,
    *,
    late: str | bool | None = None,
    threads: int | None = None,
    warm_l2: bool | None = None,
    max_ticks: int | None = None,
    dry: bool | None = None,
    time_limit: float | None = None,
    trace_limit: int | None = None,
) -> AbstractContextManager[None]:
    """How the launches inside run: mode "fast", "timed", "checked" or "traced"; late "none", "consumers" or "producers".

    `time_limit` is how long one run of a `while` loop may take, in seconds of a processor of this host (60 unless
    TILESMITH_TIME_LIMIT says otherwise; 0: no limit). `max_ticks` bounds the iterations of `while` loops in a block.
    `trace_limit` is how many bytes of calls a block may keep for time and order (0: what this host has memory for).
    A launch that reaches a limit is stopped with an error. `for` loops end by themselves and have no limit.
    With `dry` launches issue and check their calls but compute nothing (see `profile`).
    """
    if mode is not None and mode not in _MODES:
        raise ValueError(f"launch mode {mode!r} is unknown; it is one of {', '.join(_MODES)}")
    if late in (None, False):
        late = None if late is None else "none"
    chosen: dict[str, Any] = {"late": late, "threads": threads, "warm_l2": warm_l2, "max_ticks": max_ticks, "dry": dry}
    chosen.update(time_limit=time_limit, trace_limit=trace_limit)
    return _Watch(None, mode, **{name: value for name, value in chosen.items() if value is not None})
