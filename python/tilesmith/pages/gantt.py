"""A timeline as a small SVG picture: a row for each pipe of each block, a bar for each stretch of work.

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
    """One row: a pipe of a block."""

    label: str
    pipe: str
    bars: list[Bar] = field(default_factory=list)


def events(launch):
    """(block, pipe, begin, end, line, instruction) of everything in a traced launch, begin and end in cycles."""
    names, places = launch.timeline.names(), launch.timeline.places
    for entry in launch.timeline.entries:
        pipe, instruction = names["pipes"][entry["pipe"]], names["instructions"][entry["instruction"]]
        yield int(entry["block"]), pipe, int(entry["begin"]), int(entry["end"]), places[entry["place"]][1], instruction


def lanes(launch, blocks=None, join: float = 0.01) -> list[Lane]:
    """The rows of a traced launch; of these blocks, or all. Computations of one source line with less than `join` microseconds
    between them are one bar; every transfer is one. The scalar unit, which all instructions pass through, is left out."""
    rows: dict[tuple[int, str], Lane] = {}
    order = list(PIPES)
    line_of: dict[tuple[int, str], int] = {}
    for block, pipe, first, last, line, instruction in sorted(events(launch)):
        if pipe not in PIPES or pipe == "S" or (blocks is not None and block not in blocks):
            continue
        lane = rows.setdefault((block, pipe), Lane(f"block {block}  {pipe}", pipe))
        begin, end = first / launch.clock_mhz, last / launch.clock_mhz
        if lane.bars and pipe in ("V", "M") and line_of[block, pipe] == line and begin - lane.bars[-1].end <= join:
            lane.bars[-1].end = max(lane.bars[-1].end, end)
        else:
            lane.bars.append(Bar(begin, end, f"{line}" if line else "", f"{instruction}, line {line}"))
        line_of[block, pipe] = line
    return [rows[key] for key in sorted(rows, key=lambda key: (key[0], order.index(key[1])))]


def tick(span: float, wanted: int = 8) -> float:
    """A step of 1, 2 or 5 times a power of ten that divides the span into about `wanted` parts."""
    step = 10.0**-6
    while True:
        for factor in (1, 2, 5):
            if span / (step * factor) <= wanted:
                return step * factor
        step *= 10


def picture(rows: list[Lane], *, title: str, width: int = 760, until: float | None = None) -> str:
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
    return "\n".join([*out, "</svg>", ""])
