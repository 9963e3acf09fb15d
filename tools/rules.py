"""Writes docs/rules.md, the page about the rules for candidates, from what the rules say about themselves."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/rules.md"

if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "python"))
    from tilesmith import rules

    PAGE.write_text(rules.document())
