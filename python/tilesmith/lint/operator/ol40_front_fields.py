"""OL40: A required field of the front matter is missing or not valid."""

RULE = {
    "id": "OL40",
    "name": "front-fields",
    "severity": "S1",
    "role": "markdown",
    "file": "SPEC.md",
    "stages": [5, 6],
    "what": "A required field of the front matter is missing or not valid.",
    "why": "The tools read it.",
    "use": "schema_version, op_name, supported_dtypes, p0_shapes and tolerance{atol, rtol} in SPEC.md",
    "bad": """\
---
schema_version: 1
op_name: sample
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


def _positive(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def check(folder, tell):
    spec = folder.spec
    if spec and spec.has_front and not spec.front_error:
        front = spec.front
        valid = {
            "schema_version": lambda value: isinstance(value, (int, str, float)) and not isinstance(value, bool),
            "op_name": lambda value: isinstance(value, str) and bool(value),
            "supported_dtypes": lambda value: isinstance(value, list) and bool(value) and all(isinstance(it, str) for it in value),
            "p0_shapes": lambda value: bool(value),
            "tolerance": lambda value: isinstance(value, dict) and all(_positive(value.get(key)) for key in ("atol", "rtol")),
        }
        for field, holds in valid.items():
            if not holds(front.get(field)):
                tell(f"'{field}' is missing or not valid", "SPEC.md")
    for file, document in (("API_REPORT.md", folder.report), ("DESIGN.md", folder.design)):
        if document and document.has_front and not document.front_error and not document.front:
            tell("the front matter is empty", file)
