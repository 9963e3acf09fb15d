"""A profile as text, as wide as the terminal."""

from __future__ import annotations

import linecache
import os
import shutil
import textwrap
from typing import Any

from . import loops, units

SHOWN_LAUNCHES = 8
SHOWN_LINES = 3
SHOWN_LOOPS = 6
INDENT = " " * 15


def width() -> int:
    """Columns of the terminal; enough for most lines where there is none."""
    return max(60, shutil.get_terminal_size((120, 24)).columns)


def cut(text: str, room: int) -> str:
    """The text, or its begin and an ellipsis."""
    return text if len(text) <= room else text[: max(room - 3, 0)].rstrip() + "..."


def bound_text(launch: Any) -> str:
    """What limits the launch, with its sum, and how near it came to it."""
    least = launch.bound_us
    if least is None:
        largest = max(launch.parts, key=lambda part: part.adds_us)
        name = "waiting for other cores" if largest.name == "other cores" else largest.name
        return f"latency ({name} is {units.share(largest.adds_us / launch.time_us)} of it)"
    if launch.bound == "HBM":
        if launch.hbm_mbps == launch.hbm_write_mbps or not launch.hbm_written:
            how = f"{units.size(launch.hbm_bytes)} at {units.rate(launch.hbm_mbps)}"
        else:
            read, written = units.size(launch.hbm_read), units.size(launch.hbm_written)
            how = f"{read} read at {units.rate(launch.hbm_mbps)} + {written} written at {units.rate(launch.hbm_write_mbps)}"
    elif launch.bound == "L2":
        how = f"{units.size(launch.l2_bytes)} at {units.rate(launch.l2_mbps)}"
    else:
        return f"{launch.bound} (works {units.time(least)}), {units.share(launch.reached)} reached"
    return f"{launch.bound} ({how} = {units.time(least)}), {units.share(launch.reached)} reached"


def parts_table(launch: Any) -> list[str]:
    """Where the time goes, so that it adds up."""
    total = launch.time_us
    decimals = 2 if total < 1000 else 1
    parts = [part for part in launch.parts if part.adds_us or part.busy_us]
    adds = units.rounded([part.adds_us for part in parts], decimals)
    lines = [f"  {'block ' + str(launch.critical_block):<12} {'busy':>10}{'':8}{'adds':>12}"]
    for part, added in zip(parts, adds):
        busy = f"{part.busy_us:.{decimals}f} us {units.share(part.busy_us / total):>7}" if part.busy_us else ""
        lines.append(f"    {part.name:<12}{busy:>17}   {added + ' us':>11} {units.share(part.adds_us / total):>7}")
    shown = f"{sum(map(float, adds)):.{decimals}f} us"
    lines.append(f"    {'sum':<12}{'':17}   {shown:>11} {'100 %':>7}")
    return lines


def slowest_lines(launch: Any, room: int) -> list[str]:
    """The slowest lines of the source."""
    lines = launch.lines()[:SHOWN_LINES]
    places = [f"{os.path.basename(line.file)}:{line.line}" for line in lines]
    widest = max(map(len, places), default=0)
    shown = []
    for place, line in zip(places, lines):
        begin = f"{place:<{widest}}  {units.time(line.time_us):>8} {units.share(line.time_us / launch.time_us):>6}  "
        source = linecache.getline(line.file, line.line).strip()
        shown.append(begin + cut(source, max(room - len(INDENT) - len(begin), 24)))
    return shown


def loops_text(launch: Any, room: int) -> list[str]:
    """What bounds the loops, and the rings the compiler made there."""
    shown = []
    found = sorted(launch.loops(), key=lambda loop: -loop.time_us)[:SHOWN_LOOPS]
    for loop in sorted(found, key=lambda loop: (loop.file, loop.line)):
        bound, *rings = loops.describe(loop)
        shown.append(cut(f"{os.path.basename(loop.file)}:{loop.line}  {loop.text}", room - len(INDENT)))
        for text in (bound, *rings):
            shown += ["  " + line for line in textwrap.wrap(text, max(room - len(INDENT) - 2, 40))]
    return shown


def workspace_text(workspace: Any, blocks: int, room: int) -> list[str]:
    """What crosses between the cores, and where."""
    lines = [f"{workspace.bytes} bytes for each block, {units.size(workspace.bytes * blocks)} in all"]
    for ring in workspace.rings:
        where = f", line {ring.sent}" if ring.sent else ""
        where += f" to {ring.received}" if where and ring.received not in (0, ring.sent) else ""
        text = f"{ring.slots} x {ring.name} {ring.shape}".replace("  ", " ")
        lines.append(cut(f"{text}, {ring.filled_by} to {ring.read_by}{where}", room - len(INDENT)))
    return lines


def launch_text(launch: Any) -> str:
    """What a launch did, in a few lines."""
    room = width()
    lines = [
        f"{launch.kernel}  {launch.dtype}  {launch.elements} elements  {units.plural(launch.blocks, 'block')} on {launch.platform}"
        + (f" in {launch.waves} waves" if launch.waves > 1 else "")
    ]
    if launch.timed:
        lines.append(f"  model time   {units.time(launch.time_us)}      bound: {bound_text(launch)}")
        lines += parts_table(launch)
        slowest = slowest_lines(launch, room)
        if slowest:
            lines.append("  slowest      " + ("\n" + INDENT).join(slowest))
        found = loops_text(launch, room)
        if found:
            lines.append("  loops        " + ("\n" + INDENT).join(found))
    for name, (used, available) in launch.memories.items():
        if name != "GM":
            lines.append(f"  {name:<12} {used} of {available} bytes")
            held = [f"{tile.slots} x {tile.name} {tile.shape}".replace("  ", " ") for tile in launch.tiles if tile.memory == name]
            lines += [INDENT + line for line in textwrap.wrap(", ".join(held), max(room - len(INDENT), 40))]
    if launch.workspace:
        lines.append("  workspace    " + ("\n" + INDENT).join(workspace_text(launch.workspace, launch.blocks, room)))
    if launch.timed:
        for hint in launch.hints():
            wrapped = textwrap.wrap(hint.text, max(room - len(INDENT), 40), break_long_words=False)
            lines.append("  hint         " + ("\n" + INDENT).join(wrapped))
    lines += [finding["rendered"] for finding in launch.findings]
    return "\n".join(lines)


def copies_text(report: Any) -> list[str]:
    """What torch moved between the launches, by kind."""
    kinds: dict[str, list[Any]] = {}
    for copy in report.copies:
        kinds.setdefault(copy.kind, []).append(copy)
    lines = []
    for kind, copies in kinds.items():
        size, took = sum(copy.bytes for copy in copies), sum(copy.time_us for copy in copies)
        many = units.plural(len(copies), "fill") if kind == "fill" else f"{len(copies)} copied {kind}"
        lines.append(f"torch: {many}, {units.size(size)}, {units.time(took)}")
    return lines


def report_text(report: Any) -> str:
    """All launches, or the first of many."""
    if not report.launches and not report.copies:
        return "no kernel was launched"
    shown = [launch_text(launch) for launch in report.launches[:SHOWN_LAUNCHES]]
    more = len(report.launches) - len(shown)
    if more:
        shown.append(f"and {more} more launches, {units.time(report.time_us)} in all")
    return "\n".join(shown + copies_text(report))
