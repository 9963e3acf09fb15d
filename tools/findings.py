"""Writes docs/findings.md, the page about the findings of launches, from their table and examples."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/findings.md"

if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "python"))
    from tilesmith import findings

    PAGE.write_text(findings.document())
