"""Python in the running text of README and docs (`asc2.where`, `asc.runtime.config.set_platform(...)`) works in a plain script."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/tutorial").glob("*.md"))]
NAMES = {"asc", "asc2", "np"}

# A process per page: what another test has imported must not help. A builtin says that it belongs into a kernel: it is there.
SCRIPT = """\
import json, sys
import numpy as np
import asc, asc2
for text in json.load(sys.stdin):
    try:
        eval(text)
    except Exception as error:
        if "works inside a kernel only" not in str(error):
            print(f"`{text}`: {type(error).__name__}: {error}")
"""


def spans(text):
    """Inline code that is an expression of the packages' names alone; what has other names is a pattern, not a program."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    for span in re.findall(r"`([^`]+)`", text):
        span = " ".join(span.split()).removeprefix("@")
        try:
            tree = ast.parse(span, mode="eval")
        except SyntaxError:
            continue
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        if names and names <= NAMES and not any(isinstance(node, ast.Constant) and node.value is ... for node in ast.walk(tree)):
            yield span


def test_spans():
    """What counts: the line of the README that failed in a script did."""
    text = "`asc.runtime.config.set_platform(\n\"Model\", \"X\")` and `asc2.jit`, `@asc2.jit`; not `asc2.load(x)`, `asc2.mask(...)`, `a b`\n```\n`asc`\n```\n"
    assert list(spans(text)) == ['asc.runtime.config.set_platform( "Model", "X")', "asc2.jit", "asc2.jit"]
    assert 'asc.runtime.config.set_platform("Model", "Ascend950PR_9599")' in list(spans((ROOT / "README.md").read_text()))


@pytest.mark.parametrize("page", [page for page in PAGES if any(spans(page.read_text()))], ids=lambda page: page.stem)
def test_inline_code(page):
    done = subprocess.run([sys.executable, "-c", SCRIPT], input=json.dumps(list(spans(page.read_text()))), capture_output=True, text=True)
    assert done.stdout + done.stderr == ""
