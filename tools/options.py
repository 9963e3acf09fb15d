"""Writes docs/options.md, the page about the options of kernels, from the table the compiler itself uses."""

from pathlib import Path

import _tilesmith

if __name__ == "__main__":
    (Path(__file__).resolve().parent.parent / "docs/options.md").write_text(_tilesmith.options_page())
