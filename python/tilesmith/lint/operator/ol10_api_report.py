"""OL10: API_REPORT.md lacks the mapping of operations, the constraints, or the tiling."""

RULE = {
    "id": "OL10",
    "name": "report-sections",
    "severity": "S1",
    "role": "markdown",
    "file": "API_REPORT.md",
    "stages": [1],
    "what": "API_REPORT.md lacks the mapping of operations, the constraints, or the tiling.",
    "why": "The design is made from it.",
    "use": "sections for the mapping (API 映射), constraints (约束) and Tiling",
    "bad": """\
# API report
## API mapping
| formula | pypto |
""",
    "good": """\
# API report
## API mapping
x + x: pypto.add, direct
## Constraints
rank 2
## Tiling
16 rows
""",
}


def check(folder, tell):
    report = folder.report
    if report is None:
        if folder.isGate:
            tell("API_REPORT.md is missing", "API_REPORT.md")
        return
    for title, words in (("mapping", ("mapping", "映射")), ("constraints", ("constraint", "约束")), ("tiling", ("tiling", "切分"))):
        if not report.covers(*words):
            tell(f"no section with the {title}", "API_REPORT.md")
