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


def declared(design):
    """Whether a design declares dynamic axes: a list of some, or words that are not a word for none."""
    axes = design.front.get("dynamic_axes") if design else None
    return bool(axes) and str(axes).strip().lower() not in ("none", "no", "n/a", "-", "无")


def check(folder, tell):
    if declared(folder.design) and folder.impl.get("entries"):
        if not any(entry["dynamic"] for entry in folder.impl["entries"]):
            tell("DESIGN.md has dynamic axes, no tensor of the entry has one", "{op}_impl.py", folder.impl["entries"][0]["line"])
