"""A timeline as a small SVG picture: a row for each pipe of each block or core, a bar for each stretch of work, and arrows from the
flags one core sets to the waits of another.

It is meant for pages of documentation: no script, no colour of a background, legible on light and dark ones. The same launch
gives the same text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from .svg import PIPES

TEXT = "#7d8590"  # grey enough for either page
GRID = "#7d859044"

LABEL, RIGHT, ROW, GAP, AXIS = 104, 16, 16, 6, 26  # pixels


@dataclass
class Bar:
    """Work from `begin` to `end`, in microseconds; `text` is written into it where there is room, `title` is its tooltip."""

    begin: float
    end: float
    text: str = ""
    title: str = ""


@dataclass
class Lane:
    """One row: a pipe of a block, or of one of its cores."""

    label: str
    pipe: str
    core: int  # of the launch
    bars: list[Bar] = field(default_factory=list)


@dataclass
class Arrow:
    """From a row and a time to another, in microseconds."""

    source: Lane
    begin: float
    target: Lane
    end: float


def events(launch):
    """(core, pipe, begin, end, block, line, instruction) of everything in a traced launch, begin and end in cycles."""
    names, places = launch.timeline.names(), launch.timeline.places
    for entry in launch.timeline.entries:
        pipe, instruction = names["pipes"][entry["pipe"]], names["instructions"][entry["instruction"]]
        times = int(entry["begin"]), int(entry["end"])
        yield int(entry["core"]), pipe, *times, int(entry["block"]), places[entry["place"]][1], instruction


def lanes(launch, blocks=None, join: float = 0.01) -> list[Lane]:
    """The rows of a traced launch; of these blocks, or all. Computations of one source line with less than `join` microseconds
    between them are one bar; every transfer is one. The scalar unit, which all instructions pass through, is left out."""
    rows: dict[tuple[int, str], Lane] = {}
    order = list(PIPES)
    line_of: dict[tuple[int, str], int] = {}
    several = len(set((launch.timeline.entries["block"]).tolist()) if blocks is None else blocks) > 1
    for core, pipe, first, last, block, line, instruction in sorted(events(launch)):
        if pipe not in PIPES or pipe == "S" or (blocks is not None and block not in blocks):
            continue
        name = launch.timeline.core_name(core)
        if several or not name:
            name = f"block {block} {name}".strip()
        lane = rows.setdefault((core, pipe), Lane(f"{name}  {pipe}", pipe, core))
        begin, end = first / launch.clock_mhz, last / launch.clock_mhz
        if lane.bars and pipe in ("V", "M") and line_of[core, pipe] == line and begin - lane.bars[-1].end <= join:
            lane.bars[-1].end = max(lane.bars[-1].end, end)
        else:
            lane.bars.append(Bar(begin, end, f"{line}" if line else "", f"{instruction}, line {line}"))
        line_of[core, pipe] = line
    return [rows[key] for key in sorted(rows, key=lambda key: (key[0], order.index(key[1])))]


def arrows(launch, rows: list[Lane]) -> list[Arrow]:
    """The flags that cross between the cores of these rows. A wait of the scalar unit holds back all of its core: its arrow leads to
    what the core does next."""
    pipes = launch.timeline.names()["pipes"]
    found = []
    for flag in launch.timeline.flags:
        setter, core, end = int(flag["set_core"]), int(flag["core"]), int(flag["end"]) / launch.clock_mhz
        source = next((row for row in rows if row.core == setter and row.pipe == pipes[flag["from"]]), None)
        target = next((row for row in rows if row.core == core and row.pipe == pipes[flag["to"]]), None)
        if target is None:
            later = ((bar.begin, i) for i, row in enumerate(rows) if row.core == core for bar in row.bars if bar.begin >= end)
            first = min(later, default=None)
            target = rows[first[1]] if first else None
        if setter != core and source is not None and target is not None:
            found.append(Arrow(source, int(flag["set"]) / launch.clock_mhz, target, end))
    return found


def tick(span: float, wanted: int = 8) -> float:
    """A step of 1, 2 or 5 times a power of ten that divides the span into about `wanted` parts."""
    step = 10.0**-6
    while True:
        for factor in (1, 2, 5):
            if span / (step * factor) <= wanted:
                return step * factor
        step *= 10


def picture(rows: list[Lane], *, title: str, width: int = 760, until: float | None = None, flags: list[Arrow] | None = None) -> str:
    """The SVG. Pictures that are to be compared are given the same `until`, in microseconds."""
    end = until or max((bar.end for row in rows for bar in row.bars), default=1.0)
    scale = (width - LABEL - RIGHT) / end
    height = AXIS + len(rows) * (ROW + GAP) + 8
    at = lambda time: f"{LABEL + time * scale:.1f}"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'font-family="ui-sans-serif, system-ui, sans-serif" font-size="11">',
        f"<title>{escape(title)}</title>",
    ]
    step = tick(end)
    digits = max(0, -int(f"{step:e}".split("e")[1]))
    for i in range(int(end / step + 1e-9) + 1):
        out.append(f'<path d="M{at(i * step)} {AXIS - 6}V{height - 4}" stroke="{GRID}"/>')
        unit = " us" if i == 0 else ""
        out.append(
            f'<text x="{at(i * step)}" y="{AXIS - 12}" fill="{TEXT}" text-anchor="middle">{i * step:.{digits}f}{unit}</text>'
        )
    previous = None
    for index, row in enumerate(rows):
        y = AXIS + index * (ROW + GAP)
        block, _, pipe = row.label.rpartition("  ")
        if block != previous:
            out.append(f'<text x="4" y="{y + 12}" fill="{TEXT}">{escape(block)}</text>')
        previous = block
        out.append(f'<text x="{LABEL - 8}" y="{y + 12}" fill="{TEXT}" text-anchor="end">{escape(pipe)}</text>')
        for bar in row.bars:
            wide = max((bar.end - bar.begin) * scale - 0.7, 0.8)  # a gap between bars that touch
            out.append(
                f'<rect x="{at(bar.begin)}" y="{y}" width="{wide:.1f}" height="{ROW}" rx="2" fill="{PIPES[row.pipe]}">'
                f"<title>{escape(bar.title)}</title></rect>"
            )
            if bar.text and wide >= 7 * len(bar.text) + 4:
                x = LABEL + (bar.begin + bar.end) / 2 * scale
                out.append(f'<text x="{x:.1f}" y="{y + 12}" fill="#fff" text-anchor="middle">{escape(bar.text)}</text>')
    middle = {id(row): AXIS + index * (ROW + GAP) + ROW / 2 for index, row in enumerate(rows)}
    for flag in flags or []:
        if flag.end > end:
            continue
        x0, x1, y0, y1 = LABEL + flag.begin * scale, LABEL + flag.end * scale, middle[id(flag.source)], middle[id(flag.target)]
        bend = min(max(8, (x1 - x0) / 2), 30)
        out.append(
            f'<path d="M{x0:.1f} {y0}C{x0 + bend:.1f} {y0} {x1 - bend:.1f} {y1} {x1:.1f} {y1}m-4 -2.5l4 2.5l-4 2.5" fill="none" '
            f'stroke="{TEXT}" stroke-width="0.9"/>'
        )
    return "\n".join([*out, "</svg>", ""])
