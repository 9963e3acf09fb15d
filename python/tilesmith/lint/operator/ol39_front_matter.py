"""OL39: SPEC.md, API_REPORT.md or DESIGN.md has no front matter."""

RULE = {
    "id": "OL39",
    "name": "front-matter",
    "severity": "S1",
    "role": "markdown",
    "file": "SPEC.md",
    "stages": [5, 6],
    "what": "SPEC.md, API_REPORT.md or DESIGN.md has no front matter.",
    "why": "The tools read it.",
    "use": "a block between two lines of --- at the top",
    "bad": """\
# sample
""",
    "good": """\
---
schema_version: 1
op_name: sample
supported_dtypes: [float32]
p0_shapes: [[16, 64]]
tolerance: {atol: 0.001, rtol: 0.001}
---
# sample
""",
}


def check(folder, tell):
    for file, document in (("SPEC.md", folder.spec), ("API_REPORT.md", folder.report), ("DESIGN.md", folder.design)):
        if document and (not document.has_front or document.front_error):
            tell(f"no front matter{': ' + document.front_error if document.front_error else ''}", file)
