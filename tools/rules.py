"""Writes docs/rules.md, the page about the rules for candidates, and docs/lint, those about the rules of `tilesmith lint`, from what the
rules say about themselves; and python/tests/lint.txt, what their examples are told."""

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/rules.md"

TOLD = ROOT / "python/tests/lint.txt"


def told():
    """What the bad example of every rule about one file is told, rule after rule."""
    from tilesmith.lint import engine, formats, rules

    parts, before = [], os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for rule in rules.rules():
                if rule["role"] not in rules.HEADS or "file" in rule or rule["id"].startswith("TS9"):
                    continue
                text = rules.example(rule, rule["bad"])
                Path("k.py").write_text(text)
                options = engine.Options(profile="latest" if rule["latest"] else "default", only=[rule["id"]])
                parts.append(
                    f"# {rule['id']}\n" + formats.text(engine.lint_text("k.py", text.encode(), rule["role"], 0, options)[0])
                )
        finally:
            os.chdir(before)
    return "\n".join(parts)


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
    TOLD.write_text(told())
