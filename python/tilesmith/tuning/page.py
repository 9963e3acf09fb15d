"""The page of `tilesmith tune --plot FILE.html`: a picture and a table for each search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asc.runtime.tuning import plot

from tilesmith import pages
from tilesmith.pages import svg

if TYPE_CHECKING:
    from asc.runtime.tuning.result import TuneResult


def render(results: list[TuneResult]) -> str:
    """The page, as one file that needs nothing else."""
    bodies = [result._repr_html_() for result in results]
    colours = {"plot_light": plot.LIGHT, "plot_dark": plot.DARK}
    return pages.render("tune.html.j2", title="tilesmith tune", light=svg.LIGHT, dark=svg.DARK, bodies=bodies, **colours)
