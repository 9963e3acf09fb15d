"""Two profiles beside each other: documents that `tilesmith prof --json` wrote, before and after a change.

Launches are paired in order among those of the same kernel; what has no partner is said.
"""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from . import units

SHOWN_LINES = 5
LITTLE = 0.005  # of the time: a smaller difference is not one


class Unreadable(Exception):
    """A file that is not a profile."""


def read(path: str) -> dict[str, Any]:
    """The document."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as error:
        raise Unreadable(f"cannot read '{path}': {error.strerror}") from None
    except ValueError as error:
        raise Unreadable(f"'{path}' is not JSON: {error}") from None
    launches = document.get("launches") if isinstance(document, dict) else None
    if not isinstance(launches, list) or not all(isinstance(launch, dict) and "kernel" in launch for launch in launches):
        raise Unreadable(f"'{path}' is not a profile; write one with `tilesmith prof kernel.py --json > {os.path.basename(path)}`")
    untimed = [launch["kernel"] for launch in launches if "parts" not in launch or "lines" not in launch]
    if untimed:
        raise Unreadable(f"'{path}' has no times of {untimed[0]}; it was not written by this version's `tilesmith prof --json`")
    return document


class Row(NamedTuple):
    """Something in both profiles, in microseconds."""

    name: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        return self.after - self.before


class Pair(NamedTuple):
    """A launch before and after; one of them may be missing."""

    before: dict[str, Any] | None
    after: dict[str, Any] | None

    @property
    def either(self) -> dict[str, Any]:
        return self.after or self.before or {}

    @property
    def total(self) -> Row:
        return Row("model time", *(launch["time_us"] if launch else 0.0 for launch in self))

    def parts(self) -> list[Row]:
        """What each part of the time adds, in the order of the later profile."""
        sides = [{part["name"]: part["adds_us"] for part in launch["parts"]} if launch else {} for launch in self]
        names = [*sides[1], *(name for name in sides[0] if name not in sides[1])]
        return [Row(name, *(side.get(name, 0.0) for side in sides)) for name in names]

    def lines(self) -> list[Row]:
        """Lines of the source by their text's place; a line that moved counts as another."""
        sides = [
            {f"{os.path.basename(line['file'])}:{line['line']}": line["time_us"] for line in launch["lines"]} if launch else {}
            for launch in self
        ]
        names = [*sides[1], *(name for name in sides[0] if name not in sides[1])]
        rows = [Row(name, *(side.get(name, 0.0) for side in sides)) for name in names]
        return sorted(rows, key=lambda row: -abs(row.difference))


def pairs(before: dict[str, Any], after: dict[str, Any]) -> list[Pair]:
    """Launches of both, in the order of the later one; those without a partner last."""
    waiting: dict[str, list[dict[str, Any]]] = {}
    for launch in before["launches"]:
        waiting.setdefault(launch["kernel"], []).append(launch)
    found = []
    for launch in after["launches"]:
        left = waiting.get(launch["kernel"], [])
        found.append(Pair(left.pop(0) if left else None, launch))
    return found + [Pair(launch, None) for left in waiting.values() for launch in left]


def change(row: Row) -> str:
    """What became of it: "12 % less", "1.8 times", "the same"."""
    if row.before and row.after and abs(row.difference) < LITTLE * row.before:
        return "the same"
    if not row.before or not row.after:
        return "new" if row.after else "gone" if row.before else ""
    ratio = row.after / row.before
    if ratio >= 2:
        return f"{ratio:.2f} times"
    return f"{100 * abs(ratio - 1):.1f} % {'more' if ratio > 1 else 'less'}"


def launch_title(launch: dict[str, Any]) -> str:
    """What was launched."""
    return f"{launch['kernel']}  {launch['dtype']}  {launch['elements']} elements  {units.plural(launch['blocks'], 'block')} on {launch['platform']}"


def differences(pair: Pair) -> list[str]:
    """What was not the same about the launches themselves."""
    if not pair.before or not pair.after:
        return ["only before" if pair.before else "only after"]
    named = (("platform", "{}"), ("blocks", "{} blocks"), ("elements", "{} elements"), ("dtype", "{}"), ("bound", "bound: {}"))
    return [
        f"{text.format(pair.before[name])} -> {text.format(pair.after[name])}"
        for name, text in named
        if pair.before[name] != pair.after[name]
    ]


def text(before: dict[str, Any], after: dict[str, Any], names: tuple[str, str]) -> str:
    """The comparison as a table."""
    lines = [f"{names[0]} -> {names[1]}"]
    found = pairs(before, after)
    for pair in found:
        lines.append(launch_title(pair.either) + "".join(f"\n  ({note})" for note in differences(pair)))
        if not pair.before or not pair.after:
            continue
        rows = [pair.total, *(row for row in pair.parts() if row.before or row.after)]
        changed = [row for row in pair.lines() if abs(row.difference) >= LITTLE * max(pair.total.before, 1e-9)]
        widest = max(len(row.name) for row in [*rows, *changed[:SHOWN_LINES]])
        for row in [*rows, *changed[:SHOWN_LINES]]:
            sign = f"{row.difference:+.2f} us"
            lines.append(
                f"  {row.name:<{widest}}  {units.time(row.before):>10} -> {units.time(row.after):>10}  {sign:>12}  {change(row)}".rstrip()
            )
    if not found:
        lines.append("neither has a launch")
    total = Row("all launches", before["time_us"], after["time_us"])
    if len(found) > 1:
        lines.append(f"all launches: {units.time(total.before)} -> {units.time(total.after)}, {change(total)}")
    return "\n".join(lines)


def facts(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The comparison as plain values: pairs with before_us, after_us, parts, lines and notes."""

    def row(entry: Row) -> dict[str, Any]:
        return {"name": entry.name, "before_us": entry.before, "after_us": entry.after}

    return {
        "before_us": before["time_us"],
        "after_us": after["time_us"],
        "pairs": [
            {
                "kernel": pair.either["kernel"],
                "before_us": pair.before["time_us"] if pair.before else None,
                "after_us": pair.after["time_us"] if pair.after else None,
                "notes": differences(pair),
                "parts": [row(part) for part in pair.parts()],
                "lines": [row(line) for line in pair.lines()],
            }
            for pair in pairs(before, after)
        ],
    }


def html(before: dict[str, Any], after: dict[str, Any], names: tuple[str, str]) -> str:
    """The comparison as a page."""
    from tilesmith import pages
    from tilesmith.pages import svg

    views = []
    for pair in pairs(before, after):
        longest = max(pair.total.before, pair.total.after) or 1
        both = bool(pair.before and pair.after)
        lines = [row for row in pair.lines() if abs(row.difference) >= LITTLE * longest][:20] if both else []
        views.append({
            "title": launch_title(pair.either), "notes": differences(pair), "change": change(pair.total), "slower": pair.total.difference > 0,
            "sides": [
                {"name": name, "time": units.time(launch["time_us"]) if launch else "-", "bars": _bars(launch, longest) if launch else []}
                for name, launch in zip(names, pair)
            ],
            "rows": [
                {"name": row.name, "before": units.time(row.before), "after": units.time(row.after), "difference": f"{row.difference:+.2f} us",
                 "change": change(row), "slower": row.difference > LITTLE * longest, "faster": row.difference < -LITTLE * longest}
                for row in [*([pair.total, *pair.parts()] if both else []), *lines] if row.before or row.after
            ],
        })  # fmt: skip
    total = Row("all launches", before["time_us"], after["time_us"])
    return pages.render(
        "compare.html.j2", title=f"{names[0]} and {names[1]}", light=svg.LIGHT, dark=svg.DARK, views=views,
        total=f"{units.time(total.before)} -> {units.time(total.after)}, {change(total)}" if views else "neither has a launch",
    )  # fmt: skip


def _bars(launch: dict[str, Any], longest: float) -> list[dict[str, Any]]:
    from tilesmith.pages import svg

    colours = {"start-up": "var(--startup)", "idle": "var(--idle)", "other cores": "var(--idle)"}
    return [
        {"name": f"{part['name']} {units.time(part['adds_us'])}", "width": 100 * part["adds_us"] / longest,
         "colour": colours.get(part["name"]) or svg.pipe_colour(part["name"])}
        for part in launch["parts"] if part["adds_us"]
    ]  # fmt: skip
