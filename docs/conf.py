"""Sphinx's settings for the documentation: `./dev docs`, or `make html` here.

Pages are plain Markdown that reads well without Sphinx, too. What only the site needs (the tree of the instruction pages) is
added while building.
"""

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parent

project = "Tilesmith"
author = "the authors of Tilesmith"
copyright = author
release = re.search(r'^version = "(.*)"', (DOCS.parent / "pyproject.toml").read_text(), re.MULTILINE)[1]

extensions = ["myst_parser", "sphinx_markdown_builder"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
# A block of Python or C++ that is cut short, and shell sessions, are shown as they are.
suppress_warnings = ["misc.highlighting_failure"]
highlight_language = "text"

html_theme = "furo"
html_title = f"Tilesmith {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"

INSTRUCTIONS = """
```{toctree}
:hidden:
:glob:

*
```
"""


def add_trees(app, name, source):
    """The indices of instructions and rules have links to their pages, but Sphinx wants a tree. Pages that the home page has no place for yet
    come last."""
    if name in ("isa/README", "lint/README", "pypto/README"):
        source[0] += INSTRUCTIONS
    if name == "index":
        named = set(re.findall(r"^[\w-]+$", source[0], re.MULTILINE))
        rest = sorted(path.stem for path in DOCS.glob("*.md") if path.stem not in {*named, "index"})
        if rest:
            source[0] += "\n".join(["", "```{toctree}", ":caption: More", ":hidden:", "", *rest, "```", ""])


def link_sources(app, name, source):
    """`../kernels/softmax.py` and other files of the repository are not pages: in the site they are names only."""
    source[0] = re.sub(r"\[([^\]]+)\]\((?:\.\./)+(?!\w+\.md\))[^)]*\)", r"\1", source[0])


def setup(app):
    app.connect("source-read", add_trees)
    app.connect("source-read", link_sources)
