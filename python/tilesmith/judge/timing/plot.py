"""A benchmark as a picture: one bar per shape, from 1x to its speedup on a logarithmic axis, as a self-contained SVG."""

import math
from html import escape

from tilesmith.pages import svg as parts_of

from .report import describe_inputs, side_details

ROW, TOP, FOOT = 26, 64, 44
LABEL, PLOT, VALUE = 340, 460, 90
FASTER, SLOWER, INK, FAINT, SOFT = "var(--faster)", "var(--slower)", "var(--ink)", "var(--line)", "var(--faint)"
LABEL_CHARACTERS = 48


def _range(shape, result):
    """What the spread of both sides allows the speedup to be; None without a spread."""
    sides = [side_details(result, shape["case_idx"]).get(name) or {} for name in ("framework", "implementation")]
    if not any(side.get("clock") in ("wall", "gpu") for side in sides) or not all(side.get("low_ms") for side in sides):
        return None
    framework, implementation = sides
    return framework["low_ms"] / implementation["high_ms"], framework["high_ms"] / implementation["low_ms"]


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
        parts_of.text(16, 26, f"{result['op_name']}: speedup over the reference", size=15, weight="600"),
        parts_of.text(
            16,
            46,
            "no valid speedup" if mean is None else f"geometric mean {mean:.4g}x over {len(speedups)} of {len(shapes)} shapes",
            fill=SOFT,
        ),
    ]
    for exponent in parts_of.powers(low, high):
        x = place(2.0**exponent)
        parts.append(parts_of.line(x, TOP, x, bottom, FAINT))
        parts.append(parts_of.text(x, bottom + 18, f"{2.0**exponent:g}x", "middle", SOFT, 11))
    for row, shape in enumerate(shapes):
        middle = TOP + ROW * row + ROW / 2
        speedup = shape["speedup_vs_torch"]
        label = describe_inputs(shape["input_desc"], LABEL_CHARACTERS)
        parts.append(f"<g><title>case {shape['case_idx']}: {escape(describe_inputs(shape['input_desc']))}</title>")
        parts.append(parts_of.text(LABEL - 12, middle + 4, f"{shape['case_idx']}  {label}", "end"))
        if speedup is None:
            said = "failed" if shape["status"] == "fail" else "no valid speedup"
            parts.append(parts_of.text(place(1) + 8, middle + 4, said, fill=SOFT))
        else:
            left, right = sorted((place(1), place(speedup)))
            parts.append(parts_of.rect(left, middle - 8, max(right - left, 1.5), 16, FASTER if speedup >= 1 else SLOWER, radius=2))
            if pair := ranges[shape["case_idx"]]:
                a, b = map(place, pair)
                ends = f"M{a:.1f} {middle - 4:.1f}v8M{a:.1f} {middle:.1f}H{b:.1f}M{b:.1f} {middle - 4:.1f}v8"
                parts.append(f'<path d="{ends}" stroke="{INK}" fill="none"/>')
            parts.append(parts_of.text(width - 12, middle + 4, f"{speedup:.4g}x", "end", weight="600"))
        parts.append("</g>")
    x = place(1)
    parts.append(parts_of.line(x, TOP - 4, x, bottom, INK, 1.5))
    if mean is not None:
        x = place(mean)
        parts.append(parts_of.line(x, TOP - 4, x, bottom, INK, dash="4 3"))
    legend = "bars start at 1x; whiskers: 10th to 90th percentile; dashed: geometric mean"
    parts.append(parts_of.text(LABEL, height - 8, legend, fill=SOFT, size=11))
    return parts_of.picture(width, height, parts, f"{result['op_name']}: speedup per shape", standalone=True)
