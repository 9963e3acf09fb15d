"""OL30: A type of the specification is not named in the test."""

RULE = {
    "id": "OL30",
    "name": "tested-dtypes",
    "severity": "S2",
    "role": "markdown",
    "file": "SPEC.md",
    "stages": [5, 6],
    "what": "A type of the specification is not named in the test.",
    "why": "What is not tested is not supported.",
    "use": "a test for every dtype of supported_dtypes",
    "bad": """\
---
schema_version: 1
op_name: sample
supported_dtypes: [float32, bfloat16]
p0_shapes: [[16, 64]]
tolerance: {atol: 0.001, rtol: 0.001}
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


SPELLINGS = {
    "float32": {"float32", "float", "DT_FP32", "fp32"},
    "float16": {"float16", "half", "DT_FP16", "fp16"},
    "bfloat16": {"bfloat16", "DT_BF16", "bf16"},
}
ALIASES = {
    "fp32": "float32",
    "fp16": "float16",
    "bf16": "bfloat16",
    "DT_FP32": "float32",
    "DT_FP16": "float16",
    "DT_BF16": "bfloat16",
}


def check(folder, tell):
    if not folder.spec or not folder.test:
        return
    words = set(folder.test["words"])
    for dtype in folder.spec.front.get("supported_dtypes") or []:
        name = ALIASES.get(str(dtype), str(dtype)).removeprefix("torch.")
        if not words & (SPELLINGS.get(name) or {name, f"DT_{name.upper()}"}):
            tell(f"{dtype} of the specification is not tested", "test_{op}.py")
