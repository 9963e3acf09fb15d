"""The score of a design document: what is in it, held against the language, the platform and the kernel.

Weights: completeness 20 %, API 25 %, syntax 25 %, verification plan 15 %, clarity 15 %; each part is 0 to 10.
"""

import re

from tilesmith.lint import engine
from tilesmith.lint.operator.folder import BOX, Document

WEIGHTS = {"completeness": 0.20, "api": 0.25, "syntax": 0.25, "verification": 0.15, "clarity": 0.15}
SECTIONS = {
    "operation description": ("operation description", "operation", "description"),
    "API selection": ("api selection", "api"),
    "multi-core strategy": ("multi-core", "core strategy", "tiling"),
    "verification plan": ("verification",),
    "syntax compliance": ("syntax compliance", "compliance"),
}
SCORE = "## Design Score"
ENOUGH = 8.5
SIZES = {"float16": 2, "bfloat16": 2, "float32": 4, "int32": 4, "int16": 2, "int8": 1, "uint8": 1}
UB = 253952  # bytes of the 950, the larger of both


def without_score(text):
    """The document without the section that the tool writes."""
    return re.split(rf"^{SCORE}\b.*$", text, flags=re.MULTILINE)[0].rstrip() + "\n"


def written_score(text):
    """The number below `## Design Score`, or None. A comment or a block of code is not one."""
    section = Document(text).section("Design Score")
    match = re.search(r"\d+(?:\.\d+)?", "\n".join(section[1])) if section else None
    return float(match[0]) if match else None


def evaluate(project):
    """(score, parts, what is wrong) of the design. Missing: (0, {}, [...])."""
    try:
        text = project.design.read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return 0.0, {}, ["docs/design.md is missing"]
    document = Document(without_score(text))
    wrong, parts = [], {}
    missing = [title for title, words in SECTIONS.items() if not document.covers(*words)]
    wrong += [f"no section about the {title}" for title in missing]
    parts["completeness"] = 10 * (1 - len(missing) / len(SECTIONS))

    section = document.section(*SECTIONS["API selection"])
    names = sorted(set(re.findall(r"\basc2?\.\w+", "\n".join(section[1]) if section else "")))
    known = set(engine.exports().split())
    unknown = [name for name in names if known and name not in known]
    wrong += [f"{name} does not exist" for name in unknown]
    if not names:
        wrong.append("the API table names no function")
    parts["api"] = 10 * (1 - len(unknown) / len(names)) if names else 0
    parts["api"] = 0 if unknown else parts["api"]

    section = document.section(*SECTIONS["syntax compliance"])
    boxes = [match for line in (section[1] if section else ()) if (match := BOX.match(line))]
    open_boxes = [match[2] for match in boxes if match[1] == " "]
    wrong += [f"not ticked: {box}" for box in open_boxes]
    if not boxes:
        wrong.append("the compliance check has no boxes")
    parts["syntax"] = 10 * (1 - len(open_boxes) / len(boxes)) if boxes else 0
    if boxes and project.kernel.is_file():
        found = [it for it in engine.lint_file(str(project.kernel), engine.Options()) if it.level == "error" or it.portability]
        if found:
            wrong.append(
                f"the boxes are ticked, and kernel.py:{found[0].line} says otherwise: {found[0].message} [{found[0].rule}]"
            )
            parts["syntax"] = 0

    section = document.section(*SECTIONS["verification plan"])
    plan = "\n".join(section[1]).lower() if section else ""
    asked = {
        "a reference": r"numpy|torch|reference",
        "a tolerance": r"(rtol|atol|toler)\D*\d",
        "sizes": r"\d{2,}",
        "a backend": r"model|npu",
    }
    lacking = [what for what, pattern in asked.items() if not re.search(pattern, plan)]
    wrong += [f"the verification plan has no {what.removeprefix('a ')}" for what in lacking]
    parts["verification"] = 10 * (1 - len(lacking) / len(asked))

    section = document.section(*SECTIONS["multi-core strategy"])
    strategy = "\n".join(section[1]) if section else ""
    parts["clarity"] = 10.0
    tile = re.search(r"tile size:?\D*(\d+)", strategy, re.IGNORECASE)
    if not tile:
        wrong.append("the strategy has no tile size")
        parts["clarity"] -= 4
    else:
        size = next((bytes for name, bytes in SIZES.items() if name in text), 4)
        if int(tile[1]) * size > UB:
            wrong.append(f"a tile of {tile[1]} elements takes {int(tile[1]) * size} bytes, the platform has {UB}")
            parts["clarity"], parts["api"] = 0.0, min(parts["api"], 5)
    if not re.search(r"cores?\W*\w*\W*\d|\d+\s*(cores|blocks)", strategy, re.IGNORECASE):
        wrong.append("the strategy has no number of cores")
        parts["clarity"] -= 3
    parts["clarity"] = max(parts["clarity"], 0.0)
    score = sum(WEIGHTS[name] * value for name, value in parts.items())
    return round(score + 1e-9, 1), parts, wrong


def unused(project):
    """Functions of the API table that kernel.py does not use: as functions, or in kernels as methods and operators."""
    import ast

    try:
        document = Document(without_score(project.design.read_text(encoding="utf-8")))
        tree = ast.parse(project.kernel.read_bytes())
    except (OSError, UnicodeError, SyntaxError, ValueError):
        return []
    section = document.section(*SECTIONS["API selection"])
    names = sorted(set(re.findall(r"\basc2?\.\w+", "\n".join(section[1]) if section else "")))
    kernels = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.decorator_list]
    modules = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name in ("asc", "asc2")
    }
    calls = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules
    }
    for node in (inner for kernel in kernels for inner in ast.walk(kernel)):
        if isinstance(node, ast.Attribute):
            calls |= {node.attr, f"reduce_{node.attr}"}
        elif isinstance(node, ast.Name):
            calls |= {node.id, f"reduce_{node.id}"}
    operators = {"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "div": ast.Div, "matmul": ast.MatMult}
    calls |= {
        name
        for name, kind in operators.items()
        for kernel in kernels
        for node in ast.walk(kernel)
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, kind)
    }
    return [name for name in names if name.partition(".")[2] not in calls]


def write_score(project, score, parts, wrong):
    """Puts the section with the score at the end of the document, and notes who evaluated it."""
    from tilesmith.lint import fixes
    from tilesmith.workflow import tasks

    lines = [SCORE, "", f"{score:.1f} / 10", "", "| part | weight | score |", "|---|---|---|"]
    lines += [f"| {name} | {WEIGHTS[name]:.0%} | {value:.1f} |" for name, value in parts.items()]
    lines += ["", *(f"- {text}" for text in wrong)] if wrong else []
    text = without_score(project.design.read_text(encoding="utf-8"))
    fixes.write(str(project.design), (text + "\n" + "\n".join(lines).rstrip() + "\n").encode())
    tasks.note(project, "docs/design.md", {"score": score})
