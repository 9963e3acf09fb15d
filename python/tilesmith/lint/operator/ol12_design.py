"""OL12: DESIGN.md lacks the graph, the tiling, or the verification."""

RULE = {
    "id": "OL12",
    "name": "design-sections",
    "severity": "S1",
    "role": "markdown",
    "file": "DESIGN.md",
    "stages": [3, 4],
    "what": "DESIGN.md lacks the graph, the tiling, or the verification.",
    "why": "The build stage follows it word by word.",
    "use": "sections for the graph (计算图), tiling (数据切分) and verification (验证方案)",
    "bad": """\
# Design
## Graph
x + x
""",
    "good": """\
# Design
## Graph
x + x
## Tiling
16 x 64
## Verification
against the golden
""",
}


def check(folder, tell):
    design = folder.design
    if design is None:
        if folder.isGate:
            tell("DESIGN.md is missing", "DESIGN.md")
        return
    topics = (
        ("graph", ("graph", "计算图", "API 映射", "API mapping")),
        ("tiling", ("tiling", "数据切分")),
        ("verification", ("verification", "验证")),
    )
    for title, words in topics:
        if not design.covers(*words):
            tell(f"no section with the {title}", "DESIGN.md")
