"""OL31: The design declares dynamic axes and no entry has one."""

RULE = {
    "id": "OL31",
    "name": "dynamic-axes",
    "severity": "S1",
    "role": "markdown",
    "file": "DESIGN.md",
    "stages": [5, 6],
    "what": "The design declares dynamic axes and no entry has one.",
    "why": "The kernel would be compiled again for every shape.",
    "use": "pypto.DYNAMIC in the annotation of the entry",
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
    if folder.design and folder.design.front.get("dynamic_axes") and folder.impl.get("entries"):
        if not any(entry["dynamic"] for entry in folder.impl["entries"]):
            tell("DESIGN.md has dynamic axes, no tensor of the entry has one", "{op}_impl.py", folder.impl["entries"][0]["line"])
