"""Pictures as SVG: elements, and axes with round numbers."""

from __future__ import annotations

import math
import re
from html import escape

FONT = "system-ui, Segoe UI, Helvetica, Arial, sans-serif"


def text(x, y, content, anchor="start", fill="var(--ink)", size=12, weight="normal"):
    """A line of text."""
    style = f'text-anchor="{anchor}" fill="{fill}" font-size="{size}" font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(str(content))}</text>'


def line(x1, y1, x2, y2, stroke="var(--line)", width=1.0, dash=""):
    """A straight line."""
    style = f'stroke="{stroke}" stroke-width="{width:g}"' + (f' stroke-dasharray="{dash}"' if dash else "")
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>'


def rect(x, y, width, height, fill, title="", radius=0, **attributes):
    """A rectangle, with a text that appears on hovering."""
    more = "".join(f' {name.replace("_", "-")}="{escape(str(value))}"' for name, value in attributes.items())
    inner = f"<title>{escape(title)}</title>" if title else ""
    corner = f' rx="{radius}"' if radius else ""
    return f'<rect x="{x:.2f}" y="{y:.2f}" width="{max(width, 0):.2f}" height="{height:.2f}" fill="{fill}"{corner}{more}>{inner}</rect>'


def picture(width, height, parts, title, standalone=False):
    """The SVG element. Colours are those of the page's style.

    A picture in a file of its own has the light ones written into it, which every program understands, and a style that changes them
    where the system is dark.
    """
    xmlns = 'xmlns="http://www.w3.org/2000/svg" ' if standalone else ""
    head = f'<svg {xmlns}width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" font-family="{FONT}" role="img">'
    if standalone:
        parts = [rect(0, 0, width, height, "var(--ground)"), *parts]
    text = "\n".join([head, f"<title>{escape(title)}</title>", *parts, "</svg>"]) + "\n"
    if not standalone:
        return text
    used = sorted(set(re.findall(r"var\((--\w+)\)", text)))
    rules = [f'[{kind}="{_LIGHT[name]}"] {{ {kind}: {_DARK[name]}; }}' for name in used for kind in ("fill", "stroke")]
    text = text.replace("</title>", f"</title><style>@media (prefers-color-scheme: dark) {{ {' '.join(rules)} }}</style>", 1)
    return re.sub(r"var\((--\w+)\)", lambda match: _LIGHT[match[1]], text)


def powers(low, high, base=10, most=8):
    """Exponents from low to high, thinned out."""
    step = max(1, math.ceil((high - low) / most))
    return [exponent for exponent in range(math.ceil(low), math.floor(high) + 1) if exponent % step == 0]


# Pipes in the order data goes through them, with colours that light and dark pages can both carry: the same everywhere.
PIPES = {
    "MTE2": "#3b8ed0",
    "MTE1": "#4fb3bf",
    "M": "#c2703d",
    "V": "#d99a2b",
    "FIX": "#8f6bc2",
    "MTE3": "#4c9f5f",
    "S": "#9aa2ad",
}
_OF_PIPES = " ".join(f"--{name}: {colour};" for name, colour in PIPES.items())

# One set of colours for all pages and pictures.
LIGHT = (
    "--ink: #1d2126; --faint: #6a737d; --line: #dde1e6; --ground: #ffffff; --row: #f6f8fa; --mark: #fff3c4; --link: #2f6fb5; "
    "--good: #1a7f37; --bad: #b3261e; --odd: #8a5a00; --faster: #2f6fb5; --slower: #c8641e; "
    "--idle: #e4e7eb; --startup: #b9c0c8; " + _OF_PIPES
)
DARK = (
    "--ink: #e3e6ea; --faint: #9aa4af; --line: #343a42; --ground: #16191d; --row: #1e2227; --mark: #4b3f14; --link: #7ab0f0; "
    "--good: #4ac26b; --bad: #ff7b72; --odd: #e0a83c; --faster: #5b9bea; --slower: #e58a4e; "
    "--idle: #2a2f36; --startup: #59626c; " + _OF_PIPES
)


_LIGHT, _DARK = (dict(re.findall(r"(--\w+): (#\w+);", colours)) for colours in (LIGHT, DARK))


def pipe_colour(pipe):
    """The colour of a pipe; a mixed kernel's have their core in front ("AIV V")."""
    name = pipe.split()[-1]
    return f"var(--{name})" if name in PIPES else "var(--faint)"
