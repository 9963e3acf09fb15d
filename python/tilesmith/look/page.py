"""A profile as one page: timeline, source, utilisation, roofline, traffic, memory, hints and findings.

The timeline travels as compact columns (compact.py) and is drawn by templates/profile.js; everything else is HTML made here.
"""

from __future__ import annotations

import linecache
import os
from typing import Any

from tilesmith import pages
from tilesmith.pages import svg

from . import compact, loops, roofline, units
from .text import bound_text

BYTES = 4_000_000  # of all timelines in a page
LAUNCHES = 200  # in a page
DETAILED = 24  # of them, the longest, with a picture of all cores
MARGIN = 2  # lines of source around those that did something


def render(report: Any, title: str) -> str:
    """The page. Launches without a timeline (beyond what fits) are shown without one."""
    launches = [launch for launch in report.launches if launch.timed][:LAUNCHES]
    left_out = sum(launch.timed for launch in report.launches) - len(launches)
    timelines = _timelines(launches)
    detailed = sorted(range(len(launches)), key=lambda number: -launches[number].time_us)[:DETAILED]
    views = [_view(number, launch, number in timelines, number in detailed) for number, launch in enumerate(launches)]
    platforms = sorted({launch.platform for launch in launches})
    data = {
        "names": compact_names(launches),
        "order": list(svg.PIPES),
        "launches": [_data(launch, timelines.get(number)) for number, launch in enumerate(launches)],
    }
    return pages.render(
        "profile.html.j2",
        title=title,
        light=svg.LIGHT,
        dark=svg.DARK,
        report=report,
        views=views,
        left_out=left_out,
        total=units.time(report.time_us),
        rooflines=[(name, _roofline([launch for launch in launches if launch.platform == name], name)) for name in platforms],
        data=pages.script_data(data),
    )


def compact_names(launches: list[Any]) -> dict[str, Any]:
    """What the numbers in compact timelines stand for."""
    for launch in launches:
        if launch.timeline is not None:
            return launch.timeline.names()
    return {}


def _timelines(launches: list[Any]) -> dict[int, dict[str, Any]]:
    """Compact timelines of the longest launches, as many as fit into the page; equal launches share one."""
    result: dict[int, dict[str, Any]] = {}
    shared: dict[tuple[Any, ...], int] = {}
    room = BYTES
    for number in sorted(range(len(launches)), key=lambda number: -launches[number].time_us):
        launch = launches[number]
        if launch.timeline is None or not len(launch.timeline):
            continue
        key = launch.kernel, launch.platform, launch.blocks, launch.cycles, launch.calls, len(launch.timeline), launch.hbm_bytes
        if key in shared:
            result[number] = {"same": shared[key]}
            continue
        if room <= 0:
            continue
        part = compact.compact(launch)
        size = len(pages.script_data(part))
        if size > room and result:
            continue
        room -= size
        result[number], shared[key] = part, number
    return result


def _data(launch: Any, timeline: dict[str, Any] | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "clock": launch.clock_mhz,
        "cycles": launch.cycles,
        "arrays": [name for name, _, elements in launch.arrays if elements],
        "timeline": timeline,
    }
    if timeline and "same" not in timeline:
        data["places"] = [[place[0], place[1]] for place in launch.timeline.places]
        data["coresOfBlock"] = launch.timeline.cores_of_block
        data["critical"] = launch.critical_block
    return data


def _view(number: int, launch: Any, has_timeline: bool, has_cores: bool) -> dict[str, Any]:
    """The launch as the template writes it."""
    return {
        "number": number,
        "launch": launch,
        "head": f"{launch.dtype}  {launch.elements} elements  {units.plural(launch.blocks, 'block')} on {launch.platform}"
        + (f" in {launch.waves} waves" if launch.waves > 1 else ""),
        "time": units.time(launch.time_us),
        "bound": bound_text(launch),
        "has_timeline": has_timeline,
        "shown": _shown_blocks(launch) if has_timeline else "",
        "parts": _parts(launch),
        "hints": launch.hints(),
        "traffic": _traffic(launch),
        "source": _source(launch),
        "loops": _loops(launch),
        "workspace": launch.workspace,
        "workspace_text": _workspace_text(launch),
        "utilisation": _utilisation(launch) if has_cores else "",
        "memories": [
            (name, used, size, units.share(used / size)) for name, (used, size) in launch.memories.items() if name != "GM" and size
        ],
    }


def _loops(launch: Any) -> list[dict[str, Any]]:
    most = max((loop.time_us for loop in launch.loops()), default=0.0)
    return [
        {
            "place": f"{os.path.basename(loop.file)}:{loop.line}", "text": loop.text, "time": units.time(loop.time_us),
            "bound": loop.bound, "share": units.share(loop.share), "width": 100 * loop.time_us / most, "busy": 100 * loop.share,
            "waits": f"{units.share(loop.waited_us / loop.time_us)} for {' < '.join(loop.waits_for)}" if loop.waits_for else "",
            "rings": ", ".join(loops.describe(loop)[1:]), "colour": svg.pipe_colour(loop.bound),
        }
        for loop in launch.loops()
    ]  # fmt: skip


def _workspace_text(launch: Any) -> str:
    if not launch.workspace:
        return ""
    size = launch.workspace.bytes
    return f"{size} bytes for each block, {units.size(size * launch.blocks)} in all"


def _shown_blocks(launch: Any) -> str:
    chosen, groups, active = compact.representatives(launch)
    text = f"{units.plural(len(launch.timeline), 'instruction')} of {units.plural(active, 'block')}"
    if len(chosen) == active:
        return text + "."
    alike = "all alike" if groups == 1 else f"{groups} kinds of blocks by the instructions they issue"
    return text + f" ({alike}). Shown are {len(chosen)}; the others are in the utilisation below."


def _parts(launch: Any) -> list[dict[str, Any]]:
    rows, before = [], 0.0
    texts = units.rounded([part.adds_us for part in launch.parts], 2 if launch.time_us < 1000 else 1)
    for part, adds in zip(launch.parts, texts):
        colour = {"start-up": "var(--startup)", "idle": "var(--idle)", "other cores": "var(--idle)"}.get(
            part.name
        ) or svg.pipe_colour(part.name)
        rows.append({
            "name": part.name, "busy": units.time(part.busy_us) if part.busy_us else "", "adds": adds + " us",
            "share": units.share(part.adds_us / launch.time_us), "busy_share": units.share(part.busy_us / launch.time_us) if part.busy_us else "",
            "begin": 100 * before / launch.time_us, "width": 100 * part.adds_us / launch.time_us, "colour": colour,
        })  # fmt: skip
        before += part.adds_us
    return rows


def _traffic(launch: Any) -> list[dict[str, Any]]:
    most = max((row["read"] + row["written"] for row in launch.traffic), default=0) or 1
    return [
        {**row, "read_text": units.size(row["read"]), "written_text": units.size(row["written"]), "hbm_text": units.size(row["hbm_read"]),
         "width": 100 * (row["read"] + row["written"]) / most, "hbm_width": 100 * row["hbm_read"] / most}
        for row in launch.traffic
    ]  # fmt: skip


def _source(launch: Any) -> list[dict[str, Any]]:
    """Files, each with the lines that did something and those around them."""
    lines = launch.lines()
    most = max((line.time_us for line in lines), default=0.0) or 1.0
    files: dict[str, dict[int, Any]] = {}
    for line in lines:
        files.setdefault(line.file, {})[line.line] = line
    result = []
    for file, used in files.items():
        rows: list[dict[str, Any]] = []
        last = 0
        for number in sorted({n for line in used for n in range(max(line - MARGIN, 1), line + MARGIN + 1)}):
            text = linecache.getline(file, number)
            if not text:
                continue
            line = used.get(number)
            rows.append({
                "number": number, "text": text.rstrip("\n"), "gap": bool(last) and number > last + 1,
                "time": units.time(line.time_us) if line else "", "share": units.share(line.time_us / launch.time_us) if line else "",
                "width": 100 * line.time_us / most if line else 0,
                "title": ", ".join(f"{pipe} {units.time(us)}" for pipe, us in sorted(line.pipes.items(), key=lambda item: -item[1])) if line else "",
            })  # fmt: skip
            last = number
        while rows and not rows[-1]["text"].strip():
            rows.pop()
        result.append({"file": file, "name": os.path.basename(file), "rows": rows})
    return result


def _utilisation(launch: Any) -> str:
    """Cores over time: when each ran, and how much of that its pipes worked."""
    cores = launch.cores
    pipes = sorted(
        {pipe for core in cores for pipe in core["busy"]}, key=lambda pipe: (pipe.split()[0] if " " in pipe else "", pipe)
    )
    row, left, plot, cell = 15 if len(cores) <= 40 else 9, 54, 520, 54
    width, height = left + plot + 16 + cell * len(pipes), 24 + row * len(cores) + 22
    parts = []
    for i, pipe in enumerate(pipes):
        parts.append(svg.text(left + plot + 16 + cell * i + cell / 2, 14, pipe, "middle", "var(--faint)", 11))
    for i, core in enumerate(cores):
        y = 22 + row * i
        if row > 9 or i % 4 == 0:
            parts.append(svg.text(left - 6, y + row - 4, f"core {i}" if row > 9 else str(i), "end", "var(--faint)", 10))
        begin, end = (left + plot * core[name] / launch.cycles for name in ("start", "end"))
        span = max(core["end"] - core["start"], 1)
        busiest = max(core["busy"], key=core["busy"].get, default="")
        title = f"core {i}: {units.plural(core['blocks'], 'block')}, {units.time(span / launch.clock_mhz)}"
        parts.append(svg.rect(left, y, begin - left, row - 2, "var(--startup)", f"core {i}: start-up", opacity=0.45))
        parts.append(svg.rect(begin, y, end - begin, row - 2, "var(--idle)", title))
        if busiest:
            parts.append(
                svg.rect(
                    begin,
                    y,
                    (end - begin) * core["busy"][busiest] / span,
                    row - 2,
                    svg.pipe_colour(busiest),
                    f"{title}; {busiest} works {units.share(core['busy'][busiest] / span)} of it",
                )
            )
        for j, pipe in enumerate(pipes):
            share = core["busy"].get(pipe, 0) / launch.cycles
            x = left + plot + 16 + cell * j
            parts.append(
                svg.rect(
                    x + 2,
                    y,
                    cell - 4,
                    row - 2,
                    svg.pipe_colour(pipe),
                    f"core {i}, {pipe}: {units.share(share)} of the launch",
                    opacity=f"{0.08 + 0.92 * min(share, 1):.3f}",
                )
            )
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        at = left + plot * part
        parts.append(svg.line(at, 20, at, 22 + row * len(cores)))
        parts.append(svg.text(at, height - 6, units.time(part * launch.time_us), "middle", "var(--faint)", 11))
    return svg.picture(width, height, parts, "Utilisation of cores and pipes")


def _roofline(launches: list[Any], platform: str) -> str:
    import _tilesmith

    return roofline.picture(launches, _tilesmith.describe_platform(platform))
