"""OL59: There is no performance report when stage 7 is left."""

RULE = {
    "id": "OL59",
    "name": "performance-report",
    "severity": "S2",
    "role": "markdown",
    "file": "README.md",
    "stages": [7],
    "latest": True,
    "what": "There is no performance report when stage 7 is left.",
    "why": "What tuning won is not known.",
    "use": "a section about performance in README.md with times before and after",
    "bad": """\
# sample
""",
    "good": """\
# sample
## Performance
12.4 us before, 9.8 us after
""",
}


def check(folder, tell):
    text = folder.document("README.md")
    if text is None or not text.covers("performance", "性能"):
        tell("no section about performance", "README.md")
