"""Parts of pages: templates, one style, SVG. A page is one file that needs nothing else; it knows light and dark.

Used by profiles (tilesmith.look) and by the judge, so nothing here imports either, nor asc.
"""

from __future__ import annotations

import os
from typing import Any

FOLDER = os.path.join(os.path.dirname(__file__), "templates")


def render(template: str, **context: Any) -> str:
    """The page of a template in `templates/`. Everything put into it is escaped unless it says that it is HTML."""
    import jinja2

    loader = jinja2.FileSystemLoader(FOLDER)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(template).render(**context)


def script_data(value: Any) -> str:
    """JSON that may stand inside of a script element."""
    import json

    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def write(path: str, text: str) -> None:
    """Writes a page; what was there before stays if something fails."""
    partial = f"{path}.part{os.getpid()}"
    try:
        with open(partial, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(partial, path)
    finally:
        if os.path.exists(partial):
            os.unlink(partial)
