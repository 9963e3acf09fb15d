"""OL42: There is a device, and the test runs on the simulator unless it is told otherwise."""

import ast
import glob

RULE = {
    "id": "OL42",
    "name": "sim-on-device",
    "severity": "S1",
    "role": "py",
    "file": "test_{op}.py",
    "stages": [5, 6],
    "what": "There is a device, and the test runs on the simulator unless it is told otherwise.",
    "why": "What was to be shown on the chip was shown on the model.",
    "use": "--run_mode npu as the default",
    "bad": """\
parser.add_argument("--run_mode", default="sim")
""",
    "good": """\
parser.add_argument("--run_mode", default="npu")
""",
}


def _is_sim(node):
    if isinstance(node, ast.Attribute):
        return node.attr.lower() == "sim"  # RunMode.SIM
    return isinstance(node, ast.Constant) and str(node.value).lower() in ("sim", "simulator")


def _is_mode(word):
    return isinstance(word, str) and word.lstrip("-").replace("-", "_").lower() == "run_mode"


def places(tree):
    """Lines where the run mode is the simulator's unless somebody says otherwise."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            words = [it.value for it in node.args if isinstance(it, ast.Constant)]
            named = {it.arg: it.value for it in node.keywords}
            isOption = any(map(_is_mode, words)) or _is_mode(getattr(named.get("dest"), "value", None))
            defaults = [named["default"]] if "default" in named else node.args[1:2]
            if isOption and any(map(_is_sim, defaults)):
                yield node.lineno
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            given = node.args.posonlyargs + node.args.args
            pairs = list(zip(given[len(given) - len(node.args.defaults) :], node.args.defaults))
            pairs += [(name, value) for name, value in zip(node.args.kwonlyargs, node.args.kw_defaults) if value]
            yield from (name.lineno for name, value in pairs if _is_mode(name.arg) and _is_sim(value))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(it, ast.Name) and _is_mode(it.id) for it in targets) and _is_sim(node.value):
                yield node.lineno


def check(folder, tell):
    if not glob.glob("/dev/davinci[0-9]*"):
        return
    try:
        tree = ast.parse(folder.text("test_{op}.py") or "")
    except (SyntaxError, ValueError):
        return
    for line in places(tree):
        tell("the test runs on the simulator although there is a device", "test_{op}.py", line)
