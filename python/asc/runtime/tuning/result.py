"""What a search found: a table of configurations, best first, and a plot."""

from __future__ import annotations

import html

from .config import Config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Row:
    """One configuration.

    `status` is "timed", "scaled" (from a part of a long launch), "slower" (it takes at least `cycles`, so it was not timed to its
    end), "invalid", "wrong" (its results are not those of the present values) or "unknown".
    """

    def __init__(self, index: int, config: Config) -> None:
        self.index, self.config = index, config
        self.status, self.reason, self.bound = "unknown", "", ""
        self.cycles: int | None = None
        self.time_us: float | None = None
        self.calls: int | None = None
        self.blocks: int | None = None
        self.in_full = self.least = self.verified = False
        self.text = ""

    def take(self, outcome: dict[str, Any], least: bool = False) -> None:
        """Notes what a measurement says."""
        if outcome["status"] == "slower" and self.status == "slower" and self.cycles is not None:
            outcome = {**outcome, "calls": self.calls if not least else outcome.get("calls")}
            if outcome["cycles"] < self.cycles:
                outcome.update(cycles=self.cycles, time_us=self.time_us)
        self.status, self.reason, self.text = outcome["status"], outcome.get("reason", ""), outcome.get("text", "")
        self.cycles, self.time_us = outcome.get("cycles"), outcome.get("time_us")
        self.calls, self.bound = outcome.get("calls"), outcome.get("bound", "")
        self.in_full, self.least = outcome.get("in_full", False), least

    def to_dict(self) -> dict[str, Any]:
        """The facts as JSON can hold them."""
        facts: dict[str, Any] = {
            "config": {
                name: value if isinstance(value, (bool, int, float, str)) else repr(value)
                for name, value in self.config.values.items()
            },
            "blocks": self.blocks,
            "status": self.status,
        }
        for name in ("cycles", "time_us"):
            if self.status in ("timed", "scaled", "wrong"):
                facts[name] = getattr(self, name)
            elif self.status == "slower":
                facts[f"at_least_{name}"] = getattr(self, name)
        for name in ("bound", "reason"):
            if getattr(self, name):
                facts[name] = getattr(self, name)
        return facts


TIMED = ("timed", "scaled")
_ORDER = {"timed": 0, "scaled": 0, "slower": 1, "unknown": 2, "wrong": 3, "invalid": 4}


class TuneResult:
    """The configurations of a search. `best` is the choice; print the result for the table."""

    def __init__(self, task: Any, rows: list[Row], present: Row | None = None) -> None:
        import _tilesmith

        self.kernel: str = task.kernel.__name__
        self.platform: str = _tilesmith.current_platform()
        self.arguments = task.arguments
        self.rows, self.present = rows, present
        self.complete, self.seconds = False, 0.0

    @property
    def best_row(self) -> Row | None:
        """The row of the best configuration, or None if none could be timed."""
        timed = [row for row in self.rows if row.status in TIMED]
        return min(timed, key=lambda row: (row.cycles, row.index), default=None)

    @property
    def best(self) -> Config:
        """The best configuration. ValueError with the reasons if none could be launched."""
        row = self.best_row
        if row is None:
            raise ValueError(self.failure())
        return row.config

    @property
    def time_us(self) -> float | None:
        """Model time of the best configuration."""
        row = self.best_row
        return row.time_us if row else None

    def failure(self) -> str:
        """Why there is no best configuration."""
        first = next((row for row in self.rows if row.status in ("invalid", "wrong")), None)
        if first is None:
            return f"no configuration of '{self.kernel}' was timed"
        return (
            f"none of the {len(self.rows)} configurations of '{self.kernel}' can be launched; the first, {first.config.text()}:\n"
            + (first.text or first.reason)
        )

    def sorted(self) -> list[Row]:
        """Rows, best first."""
        key = lambda row: (_ORDER[row.status], (row.cycles or 0) if row.status in ("timed", "scaled", "slower") else 0, row.index)
        return sorted(self.rows, key=key)

    def counts(self) -> dict[str, int]:
        """How many configurations have each status."""
        found: dict[str, int] = {}
        for row in self.rows:
            found[row.status] = found.get(row.status, 0) + 1
        return found

    def summary(self) -> str:
        """One line: how many configurations, what became of them."""
        words = {
            "timed": "timed",
            "scaled": "scaled",
            "slower": "slower than the best",
            "wrong": "with wrong results",
            "invalid": "not possible",
            "unknown": "not tried",
        }
        counts = self.counts()
        said = ", ".join(f"{counts[status]} {text}" for status, text in words.items() if counts.get(status))
        return f"{self.kernel} on {self.platform}: {len(self.rows)} configuration{'s' if len(self.rows) != 1 else ''}: {said}"

    def lines(self, most: int | None = 20) -> list[tuple[str, str, str, str]]:
        """The table as texts: configuration, time, against the best, bound or reason."""
        best = self.best_row
        lines = []
        for row in self.sorted()[:most]:
            mark = " (present)" if row is self.present else ""
            if row.status in TIMED and best and best.time_us and row.time_us is not None:
                ratio = f"{row.time_us / best.time_us:.2f}x"
                about = "~" if row.status == "scaled" else ""
                said = [row.bound, row.reason, "ran in full" if row.in_full else ""]
                lines.append((row.config.text() + mark, f"{about}{row.time_us:.2f} us", ratio, ", ".join(filter(None, said))))
            elif row.status == "slower":
                lines.append((row.config.text() + mark, f"> {row.time_us:.2f} us", "", "slower than the best"))
            else:
                text = {"unknown": "not tried", "wrong": f"wrong: {row.reason}"}.get(row.status, row.reason)
                lines.append((row.config.text() + mark, "", "", text))
        return lines

    def table(self, most: int | None = 20) -> str:
        """The table as text, best first."""
        heads = ("configuration", "model time", "best", "bound, or why not")
        lines = [heads, *self.lines(most)]
        widths = [max(len(line[i]) for line in lines) for i in range(3)]
        texts = [f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}  {d}".rstrip() for a, b, c, d in lines]
        left = len(self.rows) - (len(lines) - 1)
        return "\n".join(texts + ([f"and {left} more"] if left > 0 else []))

    def __str__(self) -> str:
        return f"{self.summary()}\n{self.table()}"

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """The facts as JSON can hold them."""
        best = self.best_row
        return {
            "kernel": self.kernel,
            "platform": self.platform,
            "complete": self.complete,
            "best": best.to_dict() if best else None,
            "present": self.present.to_dict() if self.present else None,
            "configurations": [row.to_dict() for row in self.sorted()],
        }

    def _repr_html_(self) -> str:
        from .plot import svg

        cells = lambda line, tag: "".join(f"<{tag} style='text-align:left'>{html.escape(cell)}</{tag}>" for cell in line)
        body = "".join(f"<tr>{cells(line, 'td')}</tr>" for line in self.lines())
        head = cells(("configuration", "model time", "best", "bound, or why not"), "th")
        return f"<p>{html.escape(self.summary())}</p>{svg(self)}<table><tr>{head}</tr>{body}</table>"
