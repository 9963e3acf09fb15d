"""OL32: The test's tolerance is more than three times that of the specification."""

RULE = {
    "id": "OL32",
    "name": "tolerance",
    "severity": "S2",
    "role": "markdown",
    "file": "SPEC.md",
    "stages": [5, 6],
    "what": "The test's tolerance is more than three times that of the specification.",
    "why": "It would accept what the specification does not.",
    "use": "the tolerance of SPEC.md",
    "bad": """\
---
schema_version: 1
op_name: sample
supported_dtypes: [float32]
p0_shapes: [[16, 64]]
tolerance: {atol: 0.000001, rtol: 0.000001}
---
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
    tolerance = folder.spec.front.get("tolerance") if folder.spec else None
    if not isinstance(tolerance, dict) or not folder.test:
        return
    for used in folder.test["tolerances"]:
        allowed = tolerance.get(used["name"])
        if isinstance(allowed, (int, float)) and used["value"] > 3 * allowed * (1 + 1e-9):
            tell(f"{used['name']} is {used['value']:g}, the specification has {allowed:g}", "test_{op}.py", used["line"])
