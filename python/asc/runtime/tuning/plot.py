"""The configurations of a search as a picture: plain SVG, light and dark."""

from __future__ import annotations

import html

from .result import TIMED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .result import TuneResult

WIDTH, LEFT, RIGHT, TOP, BAR, GAP = 860, 330, 110, 54, 16, 6
MOST = 60
LIGHT = "--ink:#1c2530;--soft:#6a7684;--bar:#7aa5d8;--best:#1f7a4d;--present:#c47b1a;--ground:#ffffff;--line:#d9dee4"
DARK = "--ink:#e6eaef;--soft:#98a3b0;--bar:#4d7db3;--best:#46b37e;--present:#d99a45;--ground:#14181d;--line:#323a44"
STYLE = (
    f".tune{{font:13px system-ui,sans-serif;{LIGHT}}}@media (prefers-color-scheme:dark){{.tune{{{DARK}}}}}"
    ".tune rect.ground{fill:var(--ground)}.tune text{fill:var(--ink)}.tune .soft{fill:var(--soft)}.tune .bar{fill:var(--bar)}"
    ".tune .best{fill:var(--best)}.tune .present{fill:var(--present)}.tune line{stroke:var(--line)}"
    ".tune .title{font-size:15px;font-weight:600}"
)


def svg(result: TuneResult) -> str:
    """A bar for each configuration that was timed, best first; what was not timed is counted below."""
    rows = [row for row in result.sorted() if row.status in TIMED]
    shown = rows[:MOST]
    height = TOP + len(shown) * (BAR + GAP) + 46
    longest = max((row.time_us or 0 for row in shown), default=0) or 1
    scale = (WIDTH - LEFT - RIGHT) / longest
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tune" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">',
        f'<style>{STYLE}</style><rect class="ground" width="{WIDTH}" height="{height}"/>',
        f'<text class="title" x="16" y="24">{html.escape(result.kernel)} on {html.escape(result.platform)}</text>',
        '<text class="soft" x="16" y="42">model time by configuration, microseconds</text>',
    ]
    for number, row in enumerate(shown):
        y = TOP + number * (BAR + GAP)
        kind = "best" if number == 0 else "present" if row is result.present else "bar"
        label = row.config.text()
        short = label if len(label) <= 44 else label[:43] + "…"
        tip = f"{label}\n{row.time_us:.2f} us, {row.cycles} cycles\nbound: {row.bound}"
        parts.append(
            f"<g><title>{html.escape(tip)}</title>"
            f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{html.escape(short)}</text>'
            f'<rect class="{kind}" x="{LEFT}" y="{y}" width="{max((row.time_us or 0) * scale, 1):.1f}" height="{BAR}" rx="2"/>'
            f'<text x="{LEFT + (row.time_us or 0) * scale + 6:.1f}" y="{y + 12}">{row.time_us:.1f}</text></g>'
        )
    y = TOP + len(shown) * (BAR + GAP) + 8
    parts.append(f'<line x1="16" x2="{WIDTH - 16}" y1="{y}" y2="{y}"/>')
    notes = []
    counts = result.counts()
    for status, text in (
        ("slower", "slower than the best"),
        ("invalid", "not possible"),
        ("wrong", "with wrong results"),
        ("unknown", "not tried"),
    ):
        if counts.get(status):
            notes.append(f"{counts[status]} {text}")
    if len(rows) > len(shown):
        notes.insert(0, f"{len(rows) - len(shown)} more were timed")
    if result.present is not None:
        notes.append(
            "orange: the present values"
            if result.present.status in TIMED and result.present is not result.best_row
            else "the present values are the best"
            if result.present is result.best_row
            else "the present values were not timed"
        )
    parts.append(f'<text class="soft" x="16" y="{y + 22}">{html.escape("; ".join(notes))}</text></svg>')
    return "".join(parts)
