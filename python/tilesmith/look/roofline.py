"""A roofline: how many operations a second a launch makes, beside what its bytes and the units allow."""

from __future__ import annotations

import math
from html import escape
from typing import Any

from tilesmith.pages import svg

WIDTH, HEIGHT = 620, 360
LEFT, RIGHT, TOP, FOOT = 64, 20, 20, 44


def peaks(platform: dict[str, Any]) -> dict[str, float]:
    """Operations per second of the units, and bytes per second of the memories."""
    hertz = platform["clock_mhz"] * 1e6
    return {
        "V": platform["vector_cores"] * platform["vector_lanes"] * hertz,
        "cube": platform["cube_cores"] * platform["cube_macs"]["float16"] * 2 * hertz,
        "HBM": platform["hbm_mbps"] * 1e6,
        "L2": platform["l2_mbps"] * 1e6,
    }


def points(launches: list[Any]) -> list[dict[str, Any]]:
    """One per launch and unit that computed: operations per byte of HBM and of L2, and operations per second."""
    found = []
    for number, launch in enumerate(launches):
        for unit, operations in (("V", launch.vector_ops), ("cube", launch.cube_ops)):
            if not operations or not launch.time_us or not launch.l2_bytes:
                continue
            through = max(launch.hbm_bytes, 1)
            found.append({
                "launch": number, "kernel": launch.kernel, "unit": unit, "hbm": operations / through,
                "l2": operations / max(launch.l2_bytes, 1), "rate": operations / launch.time_us * 1e6,
            })  # fmt: skip
    return found


def picture(launches: list[Any], platform: dict[str, Any]) -> str:
    """The SVG, or nothing where nothing computed."""
    found = points(launches)
    if not found:
        return ""
    roof = peaks(platform)
    units = sorted({point["unit"] for point in found})
    highest = max(roof[unit] for unit in units)
    low_x = math.floor(math.log10(min([point["hbm"] for point in found] + [0.1])))
    high_x = math.ceil(math.log10(max([point["hbm"] for point in found] + [2 * highest / roof["HBM"]])))
    low_y = math.floor(math.log10(min(point["rate"] for point in found) / 2))
    high_y = math.ceil(math.log10(highest * 1.2))

    def x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(value) - low_x) / max(high_x - low_x, 1)

    def y(value: float) -> float:
        return HEIGHT - FOOT - (HEIGHT - TOP - FOOT) * (math.log10(value) - low_y) / max(high_y - low_y, 1)

    parts = []
    for exponent in svg.powers(low_x, high_x):
        parts.append(svg.line(x(10.0**exponent), TOP, x(10.0**exponent), HEIGHT - FOOT))
        parts.append(svg.text(x(10.0**exponent), HEIGHT - FOOT + 16, f"{10.0**exponent:g}", "middle", "var(--faint)", 11))
    for exponent in svg.powers(low_y, high_y):
        parts.append(svg.line(LEFT, y(10.0**exponent), WIDTH - RIGHT, y(10.0**exponent)))
        parts.append(svg.text(LEFT - 6, y(10.0**exponent) + 4, _rate(10.0**exponent), "end", "var(--faint)", 11))
    parts.append(svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "operations per byte of HBM", "middle", "var(--faint)", 11))
    floor = 10.0**low_y
    for name, dash in (("HBM", ""), ("L2", "5 4")):
        begin = max(10.0**low_x, floor / roof[name])
        end = min(10.0**high_x, highest / roof[name])
        parts.append(svg.line(x(begin), y(begin * roof[name]), x(end), y(end * roof[name]), "var(--ink)", 1.6, dash))
        middle = math.sqrt(begin * end)
        parts.append(svg.text(x(middle) - 8, y(middle * roof[name]) - 6, f"{name} {roof[name] / 1e12:.2f} TB/s", "end", size=11))
    for unit in units:
        begin = roof[unit] / roof["L2"]
        parts.append(svg.line(x(max(begin, 10.0**low_x)), y(roof[unit]), WIDTH - RIGHT, y(roof[unit]), "var(--ink)", 1.6))
        name = "vector units" if unit == "V" else "cube units, float16"
        parts.append(svg.text(WIDTH - RIGHT - 4, y(roof[unit]) - 6, f"{name} {_rate(roof[unit])}", "end", size=11))
    for point in found:
        colour = "var(--V)" if point["unit"] == "V" else "var(--M)"
        limit = min(point["hbm"] * roof["HBM"], roof[point["unit"]])
        title = (
            f"{point['launch']}: {point['kernel']} ({point['unit']}): {_rate(point['rate'])}, {point['hbm']:.3g} operations per byte of HBM, "
            f"{point['l2']:.3g} per byte of L2; {100 * point['rate'] / limit:.0f} % of the roof"
        )
        parts.append(
            f'<circle cx="{x(point["hbm"]):.1f}" cy="{y(point["rate"]):.1f}" r="5" fill="{colour}" stroke="var(--ground)">'
            f"<title>{escape(title)}</title></circle>"
        )
        if len(found) <= 12:
            parts.append(svg.text(x(point["hbm"]) + 8, y(point["rate"]) + 4, point["kernel"][:28], size=11))
    return svg.picture(WIDTH, HEIGHT, parts, "Roofline")


def _rate(rate: float) -> str:
    for unit, scale in (("T", 1e12), ("G", 1e9), ("M", 1e6)):
        if rate >= scale:
            return f"{rate / scale:.3g} {unit}op/s"
    return f"{rate:.0f} op/s"
