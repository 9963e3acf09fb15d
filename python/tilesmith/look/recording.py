"""Recording launches with their timelines, within bounds: a script may launch any number of times."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from asc.runtime.profile import LaunchRecord, Report, watching

if TYPE_CHECKING:
    from collections.abc import Iterator

INSTRUCTIONS = 12_000_000  # of all timelines that are kept: 600 MB


class Recording(Report):
    """A report whose launches have timelines, as long as there is room for them."""

    def __init__(self) -> None:
        super().__init__()
        self.dropped = 0  # launches whose timeline was not kept
        self._room = INSTRUCTIONS

    def append(self, facts: dict[str, Any] | LaunchRecord) -> None:
        super().append(facts)
        launch = self.launches[-1]
        if launch.timeline is None:
            return
        if len(launch.timeline) > self._room and self._room < INSTRUCTIONS:
            launch.timeline = None
            self.dropped += 1
        else:
            self._room -= len(launch.timeline)


@contextlib.contextmanager
def recording() -> Iterator[Recording]:
    """Times the launches inside and keeps their timelines. Mode "traced" checks them, too: findings are recorded, not raised."""
    report = Recording()
    with watching(report, "traced", raise_findings=False):
        yield report
