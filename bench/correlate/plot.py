"""Pictures of the correlation, from the rows of its data: predicted against measured, and the residuals."""

import math
from html import escape

from rows import CLASSES
from tilesmith.pages import svg

COLOURS = {
    "streaming": "var(--MTE2)",
    "cube": "var(--M)",
    "small": "var(--V)",
    "other": "var(--FIX)",
    "envelope": "var(--faint)",
}
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 560, 70, 40, 150, 50


def _dot(x, y, colour, title):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}" fill-opacity="0.75"><title>{title}</title></circle>'


def _legend(rows, x):
    parts = []
    used = [name for name in CLASSES if any(row["class"] == name for row in rows)]
    for number, name in enumerate(used):
        y = TOP + 12 + 20 * number
        parts += [_dot(x, y - 4, COLOURS[name], name), svg.text(x + 10, y, name)]
    return parts


def _measured(row):
    value = row["measured"]
    return math.sqrt(value[0] * value[1]) if isinstance(value, list) else value


def _times(row):
    """Measured and predicted microseconds of a row, whatever its unit: cycles of its part."""
    import _tilesmith

    scale = 1 if row["unit"] == "us" else 1 / _tilesmith.describe_platform(row["platform"])["clock_mhz"]
    return _measured(row) * scale, row["predicted"] * scale


def _label(row):
    return escape(
        f"{row['id']}: measured {_measured(row):.4g} {row['unit']}, predicted {row['predicted']:.4g} ({100 * row['error']:+.1f} %)"
    )


class _Labels:
    """Texts that do not cover each other: one that would is left out."""

    def __init__(self):
        self.taken = []

    def add(self, x, y, text):
        box = x, y - 8, x + 5.5 * len(text), y + 2
        if any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in self.taken):
            return []
        self.taken.append(box)
        return [svg.text(x, y, text, size=10, fill="var(--faint)")]


def against(rows):
    """Both axes logarithmic; the diagonal is a model without error, the dashes are 15 % off."""
    rows = [row for row in rows if row.get("predicted")]
    points = [(row, *_times(row)) for row in rows]
    low = math.floor(min(math.log10(min(m, p)) for _, m, p in points))
    high = math.ceil(max(math.log10(max(m, p)) for _, m, p in points))
    x = lambda value: LEFT + (math.log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    y = lambda value: HEIGHT - BOTTOM - (math.log10(value) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)
    parts = [svg.text(LEFT, 22, "Predicted against measured time", size=15, weight="bold"), svg.text(8, TOP + 4, "predicted")]
    for exponent in svg.powers(low, high):
        value = 10.0**exponent
        text = f"{value:g} us" if exponent < 3 else f"{value / 1000:g} ms" if exponent < 6 else f"{value / 1e6:g} s"
        parts += [svg.line(x(value), TOP, x(value), HEIGHT - BOTTOM), svg.line(LEFT, y(value), WIDTH - RIGHT, y(value))]
        parts += [
            svg.text(x(value), HEIGHT - BOTTOM + 18, text, "middle", "var(--faint)"),
            svg.text(LEFT - 8, y(value) + 4, text, "end", "var(--faint)"),
        ]
    a, b = 10.0**low, 10.0**high
    parts.append(svg.line(x(a), y(a), x(b), y(b), "var(--faint)", 1.2))
    for factor in (0.85, 1.15):
        first, last = (a / factor, b) if factor < 1 else (a, b / factor)
        parts.append(svg.line(x(first), y(first * factor), x(last), y(last * factor), "var(--faint)", 0.8, "3 4"))
    parts += [_dot(x(m), y(p), COLOURS[row["class"]], _label(row)) for row, m, p in points]
    parts.append(svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "measured", "middle"))
    parts += _legend(rows, WIDTH - RIGHT + 20)
    return svg.picture(WIDTH, HEIGHT, parts, "Predicted against measured time", standalone=True)


def residuals(rows):
    """The error of each row by its measured time; rows beyond the edge are drawn on it with their number."""
    rows = [row for row in rows if row.get("predicted")]
    points = [(row, _times(row)[0], row["error"]) for row in rows]
    low = math.floor(min(math.log10(m) for _, m, _ in points))
    high = math.ceil(max(math.log10(m) for _, m, _ in points))
    edge = 0.6
    x = lambda value: LEFT + (math.log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    y = lambda error: TOP + (edge - error) / (2 * edge) * (HEIGHT - TOP - BOTTOM)
    parts = [svg.text(LEFT, 22, "Error of each row", size=15, weight="bold")]
    for tenth in range(-6, 7, 2):
        parts += [
            svg.line(LEFT, y(tenth / 10), WIDTH - RIGHT, y(tenth / 10)),
            svg.text(LEFT - 8, y(tenth / 10) + 4, f"{10 * tenth:+d} %" if tenth else "0", "end", "var(--faint)"),
        ]
    parts += [svg.line(LEFT, y(bound), WIDTH - RIGHT, y(bound), "var(--faint)", 0.8, "3 4") for bound in (-0.15, 0.15)]
    for exponent in svg.powers(low, high):
        value = 10.0**exponent
        text = f"{value:g} us" if exponent < 3 else f"{value / 1000:g} ms" if exponent < 6 else f"{value / 1e6:g} s"
        parts += [
            svg.line(x(value), TOP, x(value), HEIGHT - BOTTOM),
            svg.text(x(value), HEIGHT - BOTTOM + 18, text, "middle", "var(--faint)"),
        ]
    labels = _Labels()
    for row, m, error in sorted(points, key=lambda point: -abs(point[2])):
        at = max(-edge, min(edge, error))
        parts.append(_dot(x(m), y(at), COLOURS[row["class"]], _label(row)))
        if abs(error) > 0.15 and row["class"] != "envelope":
            parts += labels.add(x(m) + 6, y(at) + 4, row["id"] if at == error else f"{row['id']} {100 * error:+.0f} %")
    parts.append(svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "measured", "middle"))
    parts += _legend(rows, WIDTH - RIGHT + 20)
    return svg.picture(WIDTH, HEIGHT, parts, "Error of each row by its measured time", standalone=True)
