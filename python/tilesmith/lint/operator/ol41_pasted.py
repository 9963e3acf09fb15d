"""OL41: Output of the lint is pasted into an artifact."""

import re

RULE = {
    "id": "OL41",
    "name": "pasted-lint",
    "severity": "S1",
    "role": "markdown",
    "file": "MEMORY.md",
    "stages": [5, 6],
    "what": "Output of the lint is pasted into an artifact.",
    "why": "It is out of date with the next edit, and readers take it for a fact.",
    "use": "a line `lint retry OLxx: cause -> fix` in the log of MEMORY.md",
    "bad": """\
# Memory
[pypto-op-lint] 产物写入后即时门禁未通过(S0/S1)
  [OL45][S0] sample_impl.py:12 launches in a loop
""",
    "good": """\
# Memory
- lint retry OL45: launch in a loop → one launch on the whole tensor
""",
}


# The block of a hook, a line of it, a line of `tilesmith lint`, a finding of its JSON.
PASTED = re.compile(
    r"\[pypto-op-lint\]|\[OL\d\d\]\s?[\[(]S[0-3][\])]|blocking_rules:\s*OL\d\d|^\W*fix_hints:|\"rule(_id)?\":\s*\"OL\d\d\"",
    re.MULTILINE,
)
FILES = ("SPEC.md", "API_REPORT.md", "DESIGN.md", "MEMORY.md", "README.md", "eval/module_interfaces.yaml")
SOURCES = ("{op}_impl.py", "{op}_golden.py", "test_{op}.py")


def check(folder, tell):
    for file in FILES + SOURCES:
        text = folder.text(file) or ""
        if match := PASTED.search(text):
            tell("output of the lint is pasted here", file, text.count("\n", 0, match.start()) + 1)
