"""What stage 2 asks of a golden: that it runs on the shapes of SPEC.md, gives the same twice, and is the formula where that can be computed.

The formula is `reference` in the front matter of SPEC.md (an expression of torch), else the line `y = ...` of its section, if that is an
expression of inputs, numbers and functions of torch. The inputs are the rows of its table that say so.
"""

import ast
import re

from tilesmith.lint.findings import Finding
from tilesmith.operators import interfaces, verification

SHAPES = 3  # that a golden is tried on
SEED = 7
DTYPES = {"float16", "float32", "bfloat16", "int32", "int64", "bool"}


def table_of(spec):
    """[{name, shape (expressions), dtype}] of the inputs that the tables of the document declare."""
    found = []
    for _, cells in spec.tables(("input", "输入")):
        words = [cell.strip("` ") for cell in cells]
        if (
            len(words) < 3
            or not re.fullmatch(r"[A-Za-z_]\w*", words[0])
            or not any("input" in it.lower() or "输入" in it for it in words[1:])
        ):
            continue
        shape = next((re.fullmatch(r"[\[(](.*?),?[\])]", it) for it in words[1:] if re.match(r"[\[(]", it)), None)
        dtype = next((name for name in DTYPES for it in words[1:] if re.fullmatch(rf"(torch\.)?{name}", it)), None)
        if shape is None or dtype is None:
            return []
        found.append({"name": words[0], "shape": [it.strip() for it in shape[1].split(",") if it.strip()], "dtype": dtype})
    return found


def cases_of(inputs, p0_shapes):
    """Cases for a verification: every shape of the first input, and of the others what follows from it; none where it cannot be known."""
    cases = []
    for seed, given in enumerate(p0_shapes if isinstance(p0_shapes, list) else ()):
        whole = given[0] if isinstance(given, list) and given and isinstance(given[0], list) else given
        if not isinstance(whole, list) or len(whole) != len(inputs[0]["shape"]):
            return []
        values = {name: extent for name, extent in zip(inputs[0]["shape"], whole) if re.fullmatch(r"[A-Za-z_]\w*", name)}
        try:
            shapes = {it["name"]: [interfaces.extent(one, values) for one in it["shape"]] for it in inputs}
        except ValueError:
            return []
        shapes[inputs[0]["name"]] = whole
        cases.append({"seed": SEED + seed, "values": values, "shapes": shapes})
    return cases


class _Formula(ast.NodeTransformer):
    """Names of functions become those of torch; raises ValueError for what is not a formula."""

    KNOWN = (
        ast.Expression,
        ast.BinOp,
        ast.UnaryOp,
        ast.operator,
        ast.unaryop,
        ast.Call,
        ast.Name,
        ast.Load,
        ast.Constant,
        ast.keyword,
    )

    def __init__(self, inputs):
        self.inputs = inputs

    def generic_visit(self, node):
        if not isinstance(node, self.KNOWN):
            raise ValueError(type(node).__name__)
        return super().generic_visit(node)

    def visit_Name(self, node):
        import torch

        if node.id in self.inputs:
            return node
        if node.id == "pi" or hasattr(torch, node.id):
            return ast.Attribute(ast.Name("torch", ast.Load()), node.id, ast.Load())
        raise ValueError(node.id)


def formula_of(spec, inputs):
    """The formula as an expression of torch; None where it is words."""
    names = [it["name"] for it in inputs]
    if isinstance(reference := spec.front.get("reference"), str):
        return reference
    section = spec.section("Formula", "数学公式")
    lines = [line.strip().strip("`$") for line in section[1]] if section else []
    lines = [match[1] for line in lines if (match := re.fullmatch(r"[A-Za-z_]\w*\s*=\s*([^=].*)", line))]
    if len(lines) != 1:
        return None
    try:
        tree = _Formula(names).visit(ast.parse(lines[0].replace("^", "**"), mode="eval"))
    except (SyntaxError, ValueError):
        return None
    if not any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(tree)):
        return None
    return ast.unparse(tree)


def findings(folder, spec, operator, facts):
    """What is wrong with the golden, as findings of its stage."""
    file = f"{operator}_golden.py"
    functions = {function["name"]: function for function in facts.get("functions", [])}

    def tell(message, hint):
        return [Finding("OL11", "S1", message, file, 1, 1, hint)]

    if f"{operator}_golden" not in functions:
        return tell(f"there is no function '{operator}_golden'", "one function computes the whole operator")
    inputs = table_of(spec) if spec else []
    required = [it["name"] for it in functions[f"{operator}_golden"]["parameters"] if it["required"]]
    cases = cases_of(inputs, spec.front.get("p0_shapes")) if inputs and len(inputs) == len(required) else []
    if not cases:
        return []  # what SPEC.md says is not enough to try it; its own rules are about that
    call = f"{operator}_golden({', '.join(it['name'] for it in inputs)})"
    plan = {
        "golden": str(folder / file),
        "primary": inputs,
        "cases": cases,
        "names": ["first", "second"],
        "expressions": [call, call],
    }
    try:
        _, results = verification.run("expressions", plan, folder)
    except verification.Drift as drift:
        return tell(str(drift).replace("the expressions", "the golden"), "it runs on the shapes of p0_shapes")
    for index, case in enumerate(cases):
        first, second = results[f"{index}.first"], results[f"{index}.second"]
        if first[0] != second[0] or first[1].tobytes() != second[1].tobytes():
            return tell(f"called twice with the same inputs (shapes {case['shapes']}) it gives two results", "no random numbers")
    formula = formula_of(spec, inputs)
    if formula is None:
        return []
    try:
        _, expected = verification.run("expressions", {**plan, "names": ["formula"], "expressions": [formula]}, folder)
    except verification.Drift as drift:
        if "reference" in spec.front:
            return tell(f"the reference of SPEC.md: {drift}", "an expression of torch and of inputs")
        return []  # words that look like an expression
    tolerance = spec.front.get("tolerance") if isinstance(spec.front.get("tolerance"), dict) else {}
    bounds = {
        key: float(tolerance.get(key, 1e-3)) for key in ("rtol", "atol") if isinstance(tolerance.get(key, 1e-3), (int, float))
    }
    for index, case in enumerate(cases):
        first, formula_there = results[f"{index}.first"], expected[f"{index}.formula"]
        if first[0]["shape"] != formula_there[0]["shape"] or first[0]["dtype"] != formula_there[0]["dtype"]:
            continue  # a formula of one element says nothing about the whole
        if wrong := verification.difference(first, formula_there, bounds):
            return tell(f"it is not the formula of SPEC.md ({formula}), shapes {case['shapes']}: {wrong}", "correct one of them")
    return []
