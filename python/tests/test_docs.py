"""Examples in the documentation are programs: each block of Python runs, and prints what the page says it prints."""

import linecache
import re
from pathlib import Path

import asc
import asc2
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\nprints[^\n]*\n\n```\n(.*?)^```)?", re.MULTILINE | re.DOTALL)


def examples():
    for page in PAGES:
        for index, match in enumerate(BLOCK.finditer(page.read_text())):
            yield pytest.param(page.name, index, *match.groups(), id=f"{page.stem}-{index}")


@pytest.mark.parametrize("page, index, source, printed", list(examples()))
def test_example(page, index, source, printed, capsys):
    name = f"/{index}/{page}"  # kernels need their source, and the page's name shows in what they print
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    try:
        exec(compile(source, name, "exec"), {"asc": asc, "asc2": asc2, "np": np})
    finally:
        del linecache.cache[name]
    if printed:
        assert capsys.readouterr().out == printed
