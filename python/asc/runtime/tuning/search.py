"""The search: best configuration first, nothing timed that cannot win.

The first block of a launch tells the least time the launch can take, for a small part of the work. Configurations are timed in the
order of that, each only up to the best time so far; the search ends when nothing that is left can be better. So the choice is the one
an exhaustive search would make: the least cycles, and of equals the one that stands first.

Jobs go out in rounds of a fixed size, and a limit changes only between rounds: what the table says does not depend on which worker
was faster.
"""

from __future__ import annotations

import math
import time

from .config import Config, blocks_of
from .result import TIMED, Row, TuneResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

ROUND = 2
MOST_CALLS = 20_000_000  # of a launch that is timed as a whole: they must fit into memory


class Stopped(Exception):
    """The budget is used up."""


class Search:
    """One search. `run` may be left by an exception; `result` then has what was found."""

    def __init__(
        self,
        task: Any,
        configs: list[Config],
        workers: Any,
        store: Any,
        *,
        present: Config | None = None,
        verify: Callable[[Config], str] | None = None,
        exhaustive: bool = False,
        budget: float | None = None,
        progress: Callable[[TuneResult, int], None] | None = None,
    ) -> None:
        self.task, self.workers, self.store, self.verify, self.exhaustive = task, workers, store, verify, exhaustive
        self.rows = [Row(index, config) for index, config in enumerate(configs)]
        self.present = next((row for row in self.rows if row.config == present), None)
        self.deadline = None if budget is None else time.monotonic() + budget
        self.progress = progress
        self.result = TuneResult(task, self.rows, self.present)
        self.known = 0

    def run(self) -> TuneResult:
        started = time.monotonic()
        try:
            self._recall()
            self._begin()
            self._least()
            while self._next_round():
                pass
            self.result.complete = True
        except Stopped:
            pass
        finally:
            self.store.save()
            self.result.seconds = time.monotonic() - started
        return self.result

    # ---- steps ----

    def _recall(self):
        for row in self.rows:
            try:
                row.blocks = blocks_of(row.config, self.task.blocks)
            except Exception as error:  # a user's function
                row.take({"status": "invalid", "reason": str(error) or type(error).__name__})
                continue
            entry = self.store.get(self._key(row))
            if entry:
                row.take(entry)
                self.known += 1
        self._tell()

    def _begin(self):
        """A first time to compare with: that of the present values, or of large tiles, which take few calls."""
        if self._best():
            return
        order = sorted(self.rows, key=lambda row: (row is not self.present, -_volume(row.config), row.index))
        for row in order:
            if row.status == "unknown":
                self._measure([row], least=True)
            if row.status == "slower":
                self._measure([row])
            if row.status in TIMED and self._is_right(row):
                return

    def _least(self):
        limit = self._limit()
        rows = [row for row in self.rows if row.status == "unknown"]
        for at in range(0, len(rows), 4 * self._round()):
            self._measure(rows[at : at + 4 * self._round()], limit, least=True)

    def _next_round(self):
        limit = self._limit()
        best = self._best()
        open_rows = [
            row
            for row in self.rows
            if row.status == "slower"
            and (not limit or row.cycles <= limit)
            and not (best and row.cycles == limit and row.index > best.index)
        ]
        open_rows.sort(key=lambda row: (row.cycles, row.index))
        chosen = open_rows[: self._round()]
        if not chosen:
            return False
        self._measure(chosen, limit)
        for row in sorted((row for row in chosen if row.status in TIMED), key=lambda row: (row.cycles, row.index)):
            if self._is_right(row):
                break  # slower ones of this round are looked at if they come up
        return True

    # ---- parts ----

    def _round(self):
        return max(ROUND, self.workers.count)

    def _limit(self):
        best = self._best()
        return best.cycles if best and not self.exhaustive else 0

    def _best(self):
        """The best configuration whose results are known to be right."""
        for row in sorted((row for row in self.rows if row.status in TIMED), key=lambda row: (row.cycles, row.index)):
            if self._is_right(row):
                return row
        return None

    def _is_right(self, row):
        if row.status in TIMED and not row.verified and self.verify and row is not self.present:
            if wrong := self.verify(row.config):
                row.take({"status": "wrong", "reason": wrong, "cycles": row.cycles, "time_us": row.time_us})
            self._tell()
        row.verified = row.verified or row.status in TIMED
        return row.status in TIMED

    def _measure(self, rows, limit=0, least=False):
        if self.deadline is not None and time.monotonic() > self.deadline and self._best():
            raise Stopped
        rows = [row for row in rows if row.status in ("unknown", "slower")]

        def emit(index, outcome):
            row = self.rows[index]
            row.take(outcome, least=least)
            if outcome["status"] != "slower":
                self.store.put(self._key(row), outcome)
            self._tell()

        self.workers.run([self._job(row, limit, least) for row in rows], emit)

    @staticmethod
    def _job(row, limit, least):
        """What is too long is not timed as a whole."""
        if not least and row.least and row.calls * (row.blocks or 1) > MOST_CALLS:
            return row.index, row.config, row.calls, "scale"
        return row.index, row.config, limit, "least" if least else "time"

    def _key(self, row):
        return f"{row.config.key()} @ {row.blocks}"

    def _tell(self):
        if self.progress:
            limit = self._known_limit()
            settled = sum(
                row.status in (*TIMED, "invalid", "wrong") or (row.status == "slower" and bool(limit) and row.cycles > limit)
                for row in self.rows
            )
            self.progress(self.result, settled)

    def _known_limit(self):
        times = [row.cycles for row in self.rows if row.status in TIMED and row.verified]
        return min(times, default=0)


def _volume(config):
    numbers = [value for name, value in config.values.items() if name != "blocks" and type(value) is int and value > 0]
    return math.prod(numbers)
