#!/usr/bin/env python3
"""Writes docs/glossary.md from the words `tilesmith explain` knows (python/tilesmith/glossary.json)."""

import argparse
import re
import sys
from pathlib import Path

from tilesmith import glossary

PAGE = Path(__file__).resolve().parents[1] / "docs/glossary.md"

HEAD = """# Glossary

<!-- Written by tools/glossary.py from python/tilesmith/glossary.json. -->

The words of profiles, messages and these pages. `tilesmith explain WORD` prints the same in the terminal, and knows the
[findings](findings.md), too.
"""


def anchor(term):
    """The name of a term's section, as Sphinx and GitHub make it from the heading."""
    return re.sub(r"[^\w-]", "", term.lower().replace(" ", "-"))


def page():
    out = [HEAD]
    known = {entry["term"] for entry in glossary.terms()}
    for entry in glossary.terms():
        out.append(f"## {entry['term']}\n")
        if entry["aliases"]:
            out.append("Also " + ", ".join(f"*{alias}*" for alias in entry["aliases"]) + ".\n")
        out.append(re.sub(r"([\[\]*<>_])", r"\\\1", entry["text"]) + "\n")  # plain text, not Markdown
        if entry["see"]:
            links = [f"[{word}](#{anchor(word)})" if word in known else f"`{word}`" for word in entry["see"]]
            out.append("See " + ", ".join(links) + ".\n")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, fail if the page is not up to date")
    args = parser.parse_args()
    if args.check:
        sys.exit(0 if PAGE.exists() and PAGE.read_text() == page() else f"{PAGE} is not up to date: run tools/glossary.py")
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
