"""OL40: A required field of the front matter is missing or not valid."""

import re

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


DTYPE = re.compile(
    r"(torch\.|pypto\.|DT_)*(float(16|32|64)|bfloat16|fp(16|32)|bf16|u?int(8|16|32|64)|int4|bool|double|fp8\w*|float8\w*)", re.I
)


def _is_dtype(value):
    return isinstance(value, str) and bool(DTYPE.fullmatch(value.strip()))


def _positive(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < float("inf")


def check(folder, tell):
    spec = folder.spec
    if spec and spec.has_front and not spec.front_error:
        front = spec.front
        valid = {
            "schema_version": lambda value: isinstance(value, (int, str, float)) and not isinstance(value, bool),
            "op_name": lambda value: isinstance(value, str) and bool(value.strip()),
            "supported_dtypes": lambda value: isinstance(value, list) and bool(value) and all(map(_is_dtype, value)),
            "p0_shapes": lambda value: isinstance(value, (list, dict)) and bool(value),
            "tolerance": lambda value: isinstance(value, dict) and all(_positive(value.get(key)) for key in ("atol", "rtol")),
        }
        for field, holds in valid.items():
            if not holds(front.get(field)):
                tell(f"'{field}' is missing or not valid", "SPEC.md")
        name = front.get("op_name")
        if isinstance(name, str) and name.strip() and name != folder.operator.name:
            tell(f"op_name is '{name}', the operator is '{folder.operator.name}'", "SPEC.md")
    for file, document in (("API_REPORT.md", folder.report), ("DESIGN.md", folder.design)):
        if document and document.has_front and not document.front_error and not document.front:
            tell("the front matter is empty", file)
    design = folder.design
    if design and design.front and "dynamic_axes" in design.front and not isinstance(design.front["dynamic_axes"], list):
        tell("'dynamic_axes' is not a list", "DESIGN.md")
