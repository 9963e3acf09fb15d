"""`eval/module_interfaces.yaml`: what modules take and give, checked, and turned into inputs for a verification."""

import ast
import operator

import yaml

DTYPES = ("float32", "float16", "bfloat16", "int32", "int64", "bool", "int")
FILE = "eval/module_interfaces.yaml"
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv}


class InterfaceError(Exception):
    """What is wrong with the file, a sentence on each line."""


def extent(expression, values):
    """The number an extent is: an integer, a name, or + - * // of such."""

    def evaluate(node):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name):
            if values is None:
                return 1
            if node.id not in values:
                raise ValueError(f"'{node.id}' has no value")
            return values[node.id]
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](evaluate(node.left), evaluate(node.right))
        raise ValueError(f"'{expression}' is not made of names, integers and + - * //")

    try:
        return evaluate(ast.parse(str(expression), mode="eval").body)
    except (SyntaxError, ZeroDivisionError):
        raise ValueError(f"'{expression}' is not an extent") from None


def load(folder):
    """The interfaces of an operator's folder. InterfaceError with everything that is wrong."""
    try:
        content = yaml.safe_load((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, UnicodeError, yaml.YAMLError) as error:
        raise InterfaceError(f"{FILE} cannot be read: {str(error).splitlines()[0]}") from None
    problems = problems_of(content) if isinstance(content, dict) else ["it is not a mapping"]
    if problems:
        raise InterfaceError("\n".join(f"{FILE}: {problem}" for problem in problems))
    return content


def _tensors(entries, what, problems):
    for entry in entries if isinstance(entries, list) else []:
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            problems.append(f"an entry of {what} has no name")
            continue
        if entry.get("dtype") not in DTYPES:
            problems.append(f"{what}: '{entry.get('dtype')}' is not a dtype; they are {', '.join(DTYPES)}")
        shape = entry.get("shape")
        if not isinstance(shape, list):
            problems.append(f"{what}: '{entry['name']}' has no shape")
            continue
        for one in shape:
            try:
                extent(one, None)
            except ValueError as error:
                problems.append(f"{what}: {error}")


def problems_of(content):
    """What is wrong with the content, a sentence each."""
    problems = []
    if content.get("schema_version") != 1:
        problems.append("schema_version is not 1")
    if not isinstance(content.get("op"), str):
        problems.append("op is missing")
    modules = content.get("modules")
    if not isinstance(modules, list) or not modules:
        return [*problems, "modules is empty"]
    _tensors(content.get("primary_inputs"), "primary_inputs", problems)
    primary = {entry.get("name") for entry in content.get("primary_inputs") or [] if isinstance(entry, dict)}
    if not primary:
        problems.append("primary_inputs is empty")
    known, seen = {}, set()
    for module in modules:
        if not isinstance(module, dict) or not module.get("id") or not module.get("name"):
            problems.append("a module has no id or no name")
            continue
        identity = (module["id"], module["name"])
        if identity in seen or module["id"] in known:
            problems.append(f"module {module['id']} is there twice")
        seen.add(identity)
        for given in module.get("inputs") or []:
            source, name = (given or {}).get("source"), (given or {}).get("name")
            if source == "primary":
                if name not in primary:
                    problems.append(f"{module['id']}: '{name}' is not a primary input")
            elif source not in known:
                problems.append(f"{module['id']}: the source '{source}' does not exist, or comes later")
            elif name not in known[source]:
                problems.append(f"{module['id']}: '{name}' is not an output of {source}")
        _tensors(module.get("outputs"), f"outputs of {module['id']}", problems)
        known[module["id"]] = {entry.get("name") for entry in module.get("outputs") or [] if isinstance(entry, dict)}
        if not known[module["id"]]:
            problems.append(f"{module['id']} has no outputs")
    for output in content.get("final_outputs") or []:
        source, name = (output or {}).get("source"), (output or {}).get("name")
        if name not in known.get(source, ()):
            problems.append(f"final_outputs: '{name}' is not an output of '{source}'")
    if not content.get("final_outputs"):
        problems.append("final_outputs is empty")
    return problems + _verification(content)


def _verification(content):
    """What is wrong with the cases: none, or some whose tensors are empty."""
    checks = content.get("composition_verification")
    if not isinstance(checks, dict):
        return ["composition_verification is missing: atol, rtol, seeds, shapes"]
    problems = []
    seeds, shapes = checks.get("seeds"), checks.get("shapes")
    if not isinstance(seeds, list) or not seeds or not all(type(seed) is int for seed in seeds):
        problems.append("composition_verification: seeds is not a list of integers")
    if not isinstance(shapes, list) or not shapes or not all(isinstance(values, dict) for values in shapes):
        return [*problems, "composition_verification: shapes is not a list of {name: extent}"]
    for values in shapes:
        for entry in content.get("primary_inputs") or []:
            extents = entry.get("shape") if isinstance(entry, dict) else None
            try:
                if isinstance(extents, list) and any(extent(one, values) < 1 for one in extents):
                    problems.append(f"composition_verification: '{entry.get('name')}' is empty with {values}")
            except (ValueError, TypeError) as error:
                problems.append(f"composition_verification: {error}")
    for name in ("atol", "rtol"):
        if name in checks and not (isinstance(checks[name], (int, float)) and 0 <= checks[name]):
            problems.append(f"composition_verification: {name} is not a tolerance")
    return problems


TIMES = 3  # a tolerance may be so many times that of the specification


def against_spec(content, front):
    """What the file promises less of than SPEC.md: tolerances, types."""
    problems = []
    tolerance = front.get("tolerance") if isinstance(front.get("tolerance"), dict) else {}
    checks = content["composition_verification"]
    for name, asked in tolerance.items():
        if isinstance(asked, (int, float)) and name in checks and checks[name] > TIMES * asked:
            problems.append(f"composition_verification: {name} {checks[name]} is looser than {TIMES} x {asked} of SPEC.md")
    types = {str(it).removeprefix("torch.") for it in front.get("supported_dtypes") or ()} & set(DTYPES)
    given = {entry["dtype"] for entry in content["primary_inputs"]}
    if types and not types & given:
        problems.append(f"primary_inputs have {', '.join(sorted(given))}, SPEC.md supports {', '.join(sorted(types))}")
    return problems
