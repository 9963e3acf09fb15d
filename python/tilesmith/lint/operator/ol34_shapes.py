"""OL34: p0_shapes of the specification cannot be read, or the test has none of them."""

RULE = {
    "id": "OL34",
    "name": "tested-shapes",
    "severity": "S1",
    "role": "markdown",
    "file": "SPEC.md",
    "stages": [5, 6],
    "what": "p0_shapes of the specification cannot be read, or the test has none of them.",
    "why": "They are the shapes that must work.",
    "use": "lists of integers, and a test with each",
    "bad": """\
---
schema_version: 1
op_name: sample
supported_dtypes: [float32]
p0_shapes: many
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


def shapes_of(front):
    """The shapes as lists of integers, or None."""
    shapes = front.get("p0_shapes")
    if not isinstance(shapes, list) or not shapes:
        return None
    shapes = [shapes] if all(isinstance(extent, int) for extent in shapes) else shapes
    flat = []
    for shape in shapes:
        inner = shape.values() if isinstance(shape, dict) else [shape]
        for one in inner:
            if not isinstance(one, list) or not one or not all(type(extent) is int and extent > 0 for extent in one):
                return None
            flat.append(one)
    return flat


def check(folder, tell):
    if not folder.spec or not folder.spec.has_front:
        return
    shapes = shapes_of(folder.spec.front)
    if shapes is None:
        tell("p0_shapes is not a list of shapes", "SPEC.md")
    elif folder.test:
        for shape in shapes:
            if shape not in folder.test["shapes"]:
                tell(f"shape {shape} of the specification is not tested", "test_{op}.py", severity="S2")
