"""A benchmark as a picture: one bar per shape, from 1x to its speedup on a logarithmic axis, as a self-contained SVG."""

import math
from html import escape

from .report import describe_inputs, side_details

ROW, TOP, FOOT = 26, 64, 44
LABEL, PLOT, VALUE = 340, 460, 90
FASTER, SLOWER, INK, FAINT, FAILED = "#2f6fb5", "#c8641e", "#222222", "#d9d9d9", "#9a9a9a"
LABEL_CHARACTERS = 48


def _range(shape, result):
    """What the spread of both sides allows the speedup to be; None without a spread."""
    sides = [side_details(result, shape["case_idx"]).get(name) or {} for name in ("framework", "implementation")]
    if not any(side.get("clock") == "wall" for side in sides) or not all(side.get("low_ms") for side in sides):
        return None
    framework, implementation = sides
    return framework["low_ms"] / implementation["high_ms"], framework["high_ms"] / implementation["low_ms"]


def _ticks(low, high):
    """Powers of two, thinned out to at most nine."""
    step = max(1, math.ceil((high - low) / 8))
    return [exponent for exponent in range(low, high + 1) if exponent % step == 0]


def _text(x, y, text, anchor="start", fill=INK, size=12, weight="normal"):
    style = f'text-anchor="{anchor}" fill="{fill}" font-size="{size}" font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>'


def svg(result):
    """The SVG of a result."""
    shapes = result["per_shape_results"]
    ranges = {shape["case_idx"]: _range(shape, result) for shape in shapes if shape["speedup_vs_torch"] is not None}
    speedups = [shape["speedup_vs_torch"] for shape in shapes if shape["speedup_vs_torch"] is not None]
    ends = speedups + [end for pair in ranges.values() if pair for end in pair] + [1.0]
    low, high = math.floor(math.log2(min(ends)) - 0.05), math.ceil(math.log2(max(ends)) + 0.05)
    width, height = LABEL + PLOT + VALUE, TOP + ROW * max(1, len(shapes)) + FOOT
    bottom = height - FOOT

    def place(speedup):
        return LABEL + PLOT * (math.log2(speedup) - low) / (high - low)

    mean = result["speedup_vs_torch"]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif" role="img">',
        f"<title>{escape(result['op_name'])}: speedup per shape</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        _text(16, 26, f"{result['op_name']}: speedup over the reference", size=15, weight="600"),
        _text(
            16,
            46,
            "no valid speedup" if mean is None else f"geometric mean {mean:.4g}x over {len(speedups)} of {len(shapes)} shapes",
            fill="#555555",
        ),
    ]
    for exponent in _ticks(low, high):
        x = place(2.0**exponent)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="{FAINT}"/>')
        parts.append(_text(x, bottom + 18, f"{2.0**exponent:g}x", "middle", "#555555", 11))
    for row, shape in enumerate(shapes):
        middle = TOP + ROW * row + ROW / 2
        speedup = shape["speedup_vs_torch"]
        label = describe_inputs(shape["input_desc"], LABEL_CHARACTERS)
        parts.append(f"<g><title>case {shape['case_idx']}: {escape(describe_inputs(shape['input_desc']))}</title>")
        parts.append(_text(LABEL - 12, middle + 4, f"{shape['case_idx']}  {label}", "end"))
        if speedup is None:
            said = "failed" if shape["status"] == "fail" else "no valid speedup"
            parts.append(_text(place(1) + 8, middle + 4, said, fill=FAILED))
        else:
            left, right = sorted((place(1), place(speedup)))
            parts.append(
                f'<rect x="{left:.1f}" y="{middle - 8:.1f}" width="{max(right - left, 1.5):.1f}" height="16" rx="2" '
                f'fill="{FASTER if speedup >= 1 else SLOWER}"/>'
            )
            if pair := ranges[shape["case_idx"]]:
                a, b = map(place, pair)
                ends = f"M{a:.1f} {middle - 4:.1f}v8M{a:.1f} {middle:.1f}H{b:.1f}M{b:.1f} {middle - 4:.1f}v8"
                parts.append(f'<path d="{ends}" stroke="{INK}" fill="none"/>')
            parts.append(_text(width - 12, middle + 4, f"{speedup:.4g}x", "end", weight="600"))
        parts.append("</g>")
    x = place(1)
    parts.append(f'<line x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{bottom}" stroke="{INK}" stroke-width="1.5"/>')
    if mean is not None:
        x = place(mean)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{bottom}" stroke="{INK}" stroke-dasharray="4 3"/>')
    legend = "bars start at 1x; whiskers: 10th to 90th percentile; dashed: geometric mean"
    parts.append(_text(LABEL, height - 8, legend, fill="#777777", size=11))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
