#!/usr/bin/env python3
"""Writes docs/environment.md, the page about environment variables, from the table in python/tilesmith/environment.py."""

from pathlib import Path

from tilesmith import environment

if __name__ == "__main__":
    (Path(__file__).resolve().parents[1] / "docs/environment.md").write_text(environment.page())
