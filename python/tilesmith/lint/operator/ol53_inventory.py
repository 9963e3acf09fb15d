"""OL53: A row of the golden function inventory is not done: a cross, an empty cell, or TODO."""

RULE = {
    "id": "OL53",
    "name": "inventory",
    "severity": "S2",
    "role": "markdown",
    "file": "SPEC.md",
    "stages": [5, 6],
    "what": "A row of the golden function inventory is not done: a cross, an empty cell, or TODO.",
    "why": "A function of the golden has no place in the impl.",
    "use": "✅ and the line of the impl in every row",
    "bad": """\
# sample
## Golden function inventory
| function | status | impl line |
|---|---|---|
| sample_golden | ❌ | |
""",
    "good": """\
# sample
## Golden function inventory
| function | status | impl line |
|---|---|---|
| sample_golden | ✅ | 12 |
""",
}


def check(folder, tell):
    for file, document in (("SPEC.md", folder.spec), ("MEMORY.md", folder.memory)):
        rows = document.tables(("inventory",)) if document else []
        for line, cells in rows[1:]:
            bad = [cell for cell in cells if not cell or "❌" in cell or "TODO" in cell.upper()]
            if bad:
                tell(f"the row of {cells[0] or 'a function'} is not done", file, line)
