"""Writes docs/options.md, the page about the options of kernels, from the table the package itself uses."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/options.md"

if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "python"))
    from asc.runtime import options

    PAGE.write_text(options.table())
