"""A profile inside a notebook: a table per launch, in the notebook's own colours."""

from __future__ import annotations

import linecache
import os
from html import escape
from typing import Any

from . import units
from .text import SHOWN_LAUNCHES, SHOWN_LINES, bound_text

_CELL = ' style="text-align: right"'
_BAR = (
    '<div style="background: color-mix(in srgb, currentColor 12%, transparent); width: 10em">'
    '<div style="background: #2f6fb5; height: .8em; margin-left: {begin:.1f}%; width: {width:.1f}%"></div></div>'
)


def launch_html(launch: Any) -> str:
    """One launch."""
    head = (
        f"{launch.kernel}  {launch.dtype}  {launch.elements} elements  {units.plural(launch.blocks, 'block')} on {launch.platform}"
    )
    parts = [f"<p><b>{escape(head)}</b>"]
    if launch.timed:
        parts[-1] += f"<br>model time {units.time(launch.time_us)}, bound: {escape(bound_text(launch))}"
        parts[-1] += "</p>"
        parts.append(_parts_table(launch))
        parts.append(_lines_table(launch))
        parts += [f"<p>{escape(hint.text)}</p>" for hint in launch.hints()]
    else:
        parts[-1] += "</p>"
    parts += [f"<pre>{escape(finding['rendered'])}</pre>" for finding in launch.findings]
    return "".join(parts)


def _parts_table(launch: Any) -> str:
    rows, before = [], 0.0
    for part in launch.parts:
        if not part.adds_us and not part.busy_us:
            continue
        bar = _BAR.format(begin=100 * before / launch.time_us, width=100 * part.adds_us / launch.time_us)
        busy = units.time(part.busy_us) if part.busy_us else ""
        rows.append(f"<tr><td>{part.name}</td><td{_CELL}>{busy}</td><td{_CELL}>{units.time(part.adds_us)}</td><td>{bar}</td></tr>")
        before += part.adds_us
    head = f"<tr><th>block {launch.critical_block}</th><th>busy</th><th>adds</th><th></th></tr>"
    return f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


def _lines_table(launch: Any) -> str:
    rows = []
    for line in launch.lines()[:SHOWN_LINES]:
        source = escape(linecache.getline(line.file, line.line).strip())
        place = escape(f"{os.path.basename(line.file)}:{line.line}")
        rows.append(
            f'<tr><td>{place}</td><td{_CELL}>{units.time(line.time_us)}</td><td style="text-align: left"><code>{source}</code></td></tr>'
        )
    return f"<table><tbody>{''.join(rows)}</tbody></table>" if rows else ""


def report_html(report: Any) -> str:
    """All launches, or the first of many."""
    if not report.launches:
        return "<p>no kernel was launched</p>"
    shown = [launch_html(launch) for launch in report.launches[:SHOWN_LAUNCHES]]
    if more := len(report.launches) - len(shown):
        shown.append(f"<p>and {more} more launches, {units.time(report.time_us)} in all</p>")
    return "".join(shown)
