"""Watching launches: `profile()` for time, `check()` for hazards, `launch_mode()` for how they run.

    with asc.profile() as p:
        kernel[8](x, y, n)
    print(p)

All three are context managers and may be nested: an outer one also sees the launches of an inner one.
"""

from __future__ import annotations

import linecache
import os

import _tilesmith

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing them takes longer than importing this
    from contextlib import AbstractContextManager
    from typing import Any

_MODES = ["fast", "timed", "checked", "traced"]


class LaunchRecord:
    """The facts of one launch. Times are those of the model; shares are of the whole launch, for the busiest block."""

    kernel: str
    platform: str
    dtype: str  # of the largest array
    elements: int
    blocks: int
    waves: int  # how often the cores were filled: 1 if there are enough for all blocks
    cycles: int
    time_us: float  # like cycles and bound, only of launches that were timed
    core_cycles: int
    clock_mhz: int
    bound: str
    hbm_bytes: int
    hbm_mbps: int
    memories: dict[str, tuple[int, int]]  # bytes used, and bytes there are
    findings: list[dict[str, Any]]

    def __init__(self, facts: dict[str, Any]) -> None:
        self.__dict__.update(facts)
        self.timed = "cycles" in facts
        self.__dict__["time_us"] = facts["cycles"] / facts["clock_mhz"] if self.timed else None
        busiest = facts.get("busy_max", {})
        shares = {pipe: busy / facts["cycles"] for pipe, busy in busiest.items()} if self.timed and facts["cycles"] else {}
        self.pipes = dict(sorted(shares.items(), key=lambda item: -item[1]))

    def by_line(self) -> list[tuple[str, int, float]]:
        """[(file, line, microseconds of busy pipes per block)], slowest first."""
        lines: dict[tuple[str, int], int] = {}
        for entry in self.__dict__.get("lines", []):
            if "line" in entry:
                place = entry["file"], entry["line"]
                lines[place] = lines.get(place, 0) + entry["cycles"]
        scale = self.clock_mhz * self.blocks if self.timed else 1
        return [(*place, cycles / scale) for place, cycles in sorted(lines.items(), key=lambda item: -item[1])]

    def bound_text(self) -> str:
        """What limits the launch, and how near it came to it."""
        if self.bound != "HBM" or not self.hbm_mbps:
            return self.bound
        least = self.hbm_bytes / self.hbm_mbps
        reached = 100 * least / self.time_us if self.time_us else 0
        return f"HBM ({self.hbm_bytes / 1e6:.1f} MB at {self.hbm_mbps / 1e6:.2f} TB/s = {least:.1f} us), {reached:.1f} % reached"

    def __str__(self) -> str:
        lines = [
            f"{self.kernel}  {self.dtype}  {self.elements} elements  {self.blocks} blocks on {self.platform}"
            + (f" in {self.waves} waves" if self.waves > 1 else "")
        ]
        if self.timed:
            lines.append(f"  model time   {self.time_us:.1f} us      bound: {self.bound_text()}")
            lines.append("  pipes        " + "    ".join(f"{pipe} {100 * share:.0f} %" for pipe, share in self.pipes.items()))
            slowest = []
            for file, line, time in self.by_line()[:3]:
                text = linecache.getline(file, line).strip()
                slowest.append(f"{os.path.basename(file)}:{line}  {time:.1f} us  {text[:72]}")
            if slowest:
                lines.append("  slowest      " + ("\n" + " " * 15).join(slowest))
        for name, (used, size) in self.memories.items():
            if name != "GM":
                lines.append(f"  {name:<12} {used} of {size} bytes")
        lines += [finding["rendered"] for finding in self.findings]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The facts as JSON can hold them."""
        facts = {key: value for key, value in vars(self).items() if key not in ("lines", "timed", "timeline", "call_trace")}
        facts["slowest"] = [{"file": file, "line": line, "time_us": time} for file, line, time in self.by_line()[:10]]
        return facts


class Report:
    """What a context manager saw: one record per launch, in order."""

    def __init__(self) -> None:
        self.launches: list[LaunchRecord] = []

    def append(self, facts: dict[str, Any] | LaunchRecord) -> None:
        """Adds a launch."""
        self.launches.append(facts if isinstance(facts, LaunchRecord) else LaunchRecord(facts))

    @property
    def cycles(self) -> int:
        """Cycles of all launches, summed."""
        return sum(launch.cycles for launch in self.launches if launch.timed)

    @property
    def core_cycles(self) -> int:
        """Cycles of all cores, summed."""
        return sum(launch.core_cycles for launch in self.launches if launch.timed)

    @property
    def time_us(self) -> float:
        """Microseconds of all launches, summed."""
        return sum(launch.time_us for launch in self.launches if launch.timed)

    @property
    def pipes(self) -> dict[str, float]:
        """Shares of the whole time, over all launches."""
        total: dict[str, float] = {}
        for launch in self.launches:
            for pipe, share in launch.pipes.items():
                total[pipe] = total.get(pipe, 0) + share * launch.cycles
        return {pipe: busy / self.cycles for pipe, busy in sorted(total.items(), key=lambda item: -item[1])}

    @property
    def bound(self) -> str | None:
        """What limits the longest launch."""
        timed = [launch for launch in self.launches if launch.timed]
        return max(timed, key=lambda launch: launch.cycles).bound if timed else None

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings of all launches."""
        return [finding for launch in self.launches for finding in launch.findings]

    def by_line(self) -> list[tuple[str, int, float]]:
        """[(file, line, microseconds)] over all launches, slowest first."""
        lines: dict[tuple[str, int], float] = {}
        for launch in self.launches:
            for file, line, time in launch.by_line():
                lines[file, line] = lines.get((file, line), 0) + time
        return [(*place, time) for place, time in sorted(lines.items(), key=lambda item: -item[1])]

    def __str__(self) -> str:
        if not self.launches:
            return "no kernel was launched"
        shown = [str(launch) for launch in self.launches[:8]]
        if len(self.launches) > len(shown):
            shown.append(f"and {len(self.launches) - len(shown)} more launches, {self.time_us:.1f} us in all")
        return "\n".join(shown)

    def to_json(self) -> dict[str, Any]:
        """The facts of all launches as JSON can hold them."""
        return {
            "launches": [launch.to_json() for launch in self.launches],
            "cycles": self.cycles,
            "time_us": self.time_us,
            "findings": self.findings,
        }


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
        return False


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
) -> AbstractContextManager[None]:
    """How the launches inside run: mode "fast", "timed", "checked" or "traced"; late "none", "consumers" or "producers".

    `max_ticks` bounds the iterations of `while` loops in a block; a launch that needs more is stopped with an error.
    With `dry` launches issue and check their calls but compute nothing (see `profile`).
    """
    if mode is not None and mode not in _MODES:
        raise ValueError(f"launch mode {mode!r} is unknown; it is one of {', '.join(_MODES)}")
    if late in (None, False):
        late = None if late is None else "none"
    chosen = {"late": late, "threads": threads, "warm_l2": warm_l2, "max_ticks": max_ticks, "dry": dry}
    return _Watch(None, mode, **{name: value for name, value in chosen.items() if value is not None})
