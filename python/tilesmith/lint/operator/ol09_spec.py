"""OL09: SPEC.md lacks the operator's name, its formula, inputs and outputs with shape and type, its accuracy, or front matter."""

import re

RULE = {
    "id": "OL09",
    "name": "spec-sections",
    "severity": "S1",
    "role": "markdown",
    "file": "SPEC.md",
    "stages": [1],
    "what": "SPEC.md lacks the operator's name, its formula, inputs and outputs with shape and type, its accuracy, or front matter.",
    "why": "Everything after it is held against the specification.",
    "use": "sections for the formula (数学公式), inputs and outputs (输入输出规格) and accuracy (精度要求)",
    "bad": """\
---
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
## Formula
y = x + x
## Inputs and outputs
| name | shape | dtype |
|---|---|---|
| x | [rows, 64] | float32 |
## Accuracy
rtol 1e-3
""",
}


PORTS = ("input", "输入", "i/o")


def check(folder, tell):
    spec = folder.spec
    if spec is None:
        if folder.isGate:
            tell("SPEC.md is missing", "SPEC.md")
        return
    if not spec.has_front or spec.front_error:
        tell(f"no front matter{': ' + spec.front_error if spec.front_error else ''}", "SPEC.md")
    if not spec.front.get("op_name") and not any(title for _, title, _ in spec.sections):
        tell("the operator's name is missing", "SPEC.md")
    if not spec.covers("formula", "数学公式", "公式"):
        tell("no section with the formula", "SPEC.md")
    section = spec.section(*PORTS)
    if not section or not spec.covers(*PORTS):
        tell("no section with inputs and outputs", "SPEC.md")
    else:
        text = spec.below(*PORTS).lower()
        if not re.search(r"\[[^\]\n]*\w[^\]\n]*\]|\([^)\n]*\w\s*,[^)\n]*\)|\d+\s*[x×]\s*\d+", text):
            tell("inputs and outputs have no shapes", "SPEC.md", section[0])
        if not re.search(r"float|fp\d|bf16|fp16|int\d|bool|half", text):
            tell("inputs and outputs have no types", "SPEC.md", section[0])
    if not spec.covers("accuracy", "precision", "tolerance", "精度"):
        tell("no section with the accuracy", "SPEC.md")
