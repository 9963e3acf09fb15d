"""OL43: The design declares dynamic axes and the impl has no loop."""

from tilesmith.lint.operator.ol31_dynamic_axes import declared

RULE = {
    "id": "OL43",
    "name": "dynamic-loop",
    "severity": "S1",
    "role": "markdown",
    "file": "DESIGN.md",
    "stages": [5, 6],
    "what": "The design declares dynamic axes and the impl has no loop.",
    "why": "A dynamic axis is walked by a loop.",
    "use": "for i in pypto.loop(...)",
    "bad": """\
---
dynamic_axes: [rows]
---
# Design
""",
    "good": """\
---
dynamic_axes: []
---
# Design
""",
}


def check(folder, tell):
    if declared(folder.design) and folder.impl.get("entries"):
        if not any(entry["loops"] for entry in folder.impl["entries"]):
            tell("DESIGN.md has dynamic axes, the kernel has no loop", "{op}_impl.py", folder.impl["entries"][0]["line"])
