"""The findings of launches as people read them: a list, a page for each.

What findings there are is the Machine's table (include/tilesmith/Machine/Findings.def). Each has a file in `examples` with a program
that fires it and one that is clean; the tests run both.
"""

import re
import textwrap
from functools import cache
from pathlib import Path

EXAMPLES = Path(__file__).parent / "examples"
_EXAMPLE = re.compile(r"^(Fires|Clean)(?: \(`([^`\n]*)`\))?:\n\n```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)

HOW = """\
A message of a launch ends with the id of its finding, such as `[order.raw]`. `tilesmith check SCRIPT` looks for all of them; what
can be seen without looking for it, such as bounds, operands, queues and deadlocks, is an error in every mode."""

CPP = """\
Examples in C++ are files `example.cpp`; `x.npy` has 1024 floats. They are run by
`tilesmith check example.cpp --arg x.npy --out y.npy`, and the options that stand beside them."""


@cache
def table():
    """All findings: dictionaries of id, severity, what, why, unreached. A word in capitals stands for any memory or instruction."""
    from _tilesmith import finding_table

    return finding_table()


def matches(row, name):
    """Whether an id is of this row."""
    members = {"MEMORY": "(ub|l1|l0a|l0b|l0c|bt|fb)", "INSTRUCTION": "[a-z0-9_]+"}
    pattern = re.sub(r"[A-Z]+", lambda word: members[word[0]], re.escape(row["id"]))
    return name == row["id"] or re.fullmatch(pattern, name) is not None


def find(name):
    """The row of an id, or None. Rows for one finding come before those for any memory or instruction."""
    rows = [row for row in table() if matches(row, name)]
    return min(rows, key=lambda row: any(c.isupper() for c in row["id"]), default=None)


def examples(row):
    """(fires, clean) of a finding, each (options, language, source); None if no program reaches it."""
    path = EXAMPLES / f"{row['id']}.md"
    if not path.is_file():
        return None
    found = {which: (options, language, source) for which, options, language, source in _EXAMPLE.findall(path.read_text())}
    return found["Fires"], found["Clean"]


def anchor(row):
    """The name of its section in docs/findings.md."""
    return re.sub(r"[^a-z0-9-]", "", row["id"].lower())


def page(row, heading="# "):
    """The page about a finding."""
    parts = [f"{heading}{row['id']}", "", f"{row['what'][0].upper()}{row['what'][1:]}. ({row['severity']})", "", row["why"]]
    if row["unreached"]:
        parts += ["", f"No program of a user's gets it: {row['unreached']}."]
    text = "\n".join(line for part in parts for line in (textwrap.wrap(part, 120) or [""])) + "\n"
    path = EXAMPLES / f"{row['id']}.md"
    return text + ("\n" + path.read_text() if path.is_file() else "")


def document():
    """docs/findings.md."""
    rows = [f"| [{row['id']}](#{anchor(row)}) | {row['severity']} | {row['what']} |" for row in table()]
    return "\n".join(
        [
            "# Findings",
            "",
            "<!-- Written by tools/findings.py from include/tilesmith/Machine/Findings.def and python/tilesmith/findings/examples. -->",
            "",
            HOW,
            "`tilesmith explain ID` prints its part of this page.",
            "",
            CPP,
            "",
            "| id | | what happened |",
            "|---|---|---|",
            *rows,
            "",
            *(page(row, "## ") for row in table()),
        ]
    )
