"""Writes docs/rules.md, the page about the rules for candidates, and docs/lint, those about the rules of `tilesmith lint`, from what the
rules say about themselves."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/rules.md"

if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "python"))
    from tilesmith import rules

    PAGE.write_text(rules.document())
    from tilesmith.lint import rules as lint

    folder = ROOT / "docs/lint"
    folder.mkdir(exist_ok=True)
    pages = lint.documents()
    for stale in {path.name for path in folder.glob("*.md")} - set(pages):
        (folder / stale).unlink()
    for name, text in pages.items():
        (folder / name).write_text(text)
