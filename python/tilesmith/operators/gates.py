"""Rules of lint as a gate: which of them run when, the verdict, and its text."""

import re

from tilesmith.lint import engine, files
from tilesmith.lint.findings import Finding

HEADER = "[pypto-op-lint] 产物写入后即时门禁未通过(S0/S1)"
BLOCKING = ("S0", "S1", "error")


def _ids(*parts):
    return [f"OL{number:02}" for part in parts for number in (range(part[0], part[1] + 1) if isinstance(part, tuple) else [part])]


UPSTREAM_AFTER_IMPL = _ids((1, 8), 16, 23, 25, 26, 28, 29, 37, 48, 49, (55, 58))
AFTER_EDIT = {
    "impl": UPSTREAM_AFTER_IMPL + _ids((45, 47), (50, 52), 61, 62),
    "golden": _ids(15),
    "test": _ids((17, 22), 42, 60),
    "document": _ids((30, 34), (39, 41), 43),
}
PHASE = _ids((1, 8), 16, 23, 25, 26, 28, 29, (45, 49), (50, 58), 61, 62)
DESIGN = _ids(12, 55, 56)


def role_of(path):
    """What a file of an operator's folder is for AFTER_EDIT, or None."""
    name = path.name
    if name.endswith("_impl.py"):
        return "impl"
    if name.endswith("_golden.py"):
        return "golden"
    if name.startswith("test_") and name.endswith(".py"):
        return "test"
    return "document" if name in files.MARKS[1:] else None


def _options(stage, profile, only):
    return engine.Options(profile=profile, stage=stage, only=only)


def after_edit(path, profile="default"):
    """The findings about a file that was just written: its own, and those that compare it with the folder."""
    role = role_of(path)
    if role is None:
        return []
    only = UPSTREAM_AFTER_IMPL if role == "impl" and profile == "compat" else AFTER_EDIT[role]
    found = []
    if path.suffix == ".py":
        found += engine.lint_file(str(path), _options(0, profile, only))
    operator = files.operator_of(path)
    if operator:
        found += [it for it in engine.lint_operator(str(operator.folder), operator, _options(0, profile, only))]
    return sorted(found, key=lambda finding: finding.place)


def of_folder(operator, stage, profile="default", only=(), shown=None):
    """The findings about a whole operator's folder for one stage, also about what is missing."""
    shown = shown or str(operator.folder)
    options = _options(stage, profile, list(only))
    names = [operator.impl, operator.golden, operator.test, *sorted(operator.path("modules").glob("*_impl.py"))]
    found = []
    for path in names:
        if path.is_file():
            found += [
                Finding(**{**vars(it), "file": str(path.relative_to(operator.folder))})
                for it in engine.lint_file(str(path), options)
            ]
    for it in engine.lint_operator("", operator, options):
        found.append(it)
    found += scratch(operator)
    return sorted(found, key=lambda finding: finding.place)


KNOWN_FOLDERS = {"modules", "eval", "tests", "_debug", "__pycache__", "output"}  # `output` is what a simulated run leaves
HIDDEN = (".git", ".tilesmith", ".pytest_cache", ".ruff_cache", ".mypy_cache", ".vscode", ".idea", ".editorconfig", ".DS_Store")
DATA = {".log", ".tmp", ".bak", ".orig", ".swp", ".npy", ".npz", ".pt", ".pth", ".bin", ".pkl", ".out", ".csv", ".json", ".txt"}
TEMPORARY = re.compile(r"^/tmp\b|^/var/tmp\b|^/dev/shm\b")


def scratch(operator):
    """Files a run left outside `_debug/`, and code that writes outside of the folder."""
    name = operator.name
    own = {f"{name}_impl.py", f"{name}_golden.py", f"test_{name}.py", "conftest.py", "__init__.py", ".orchestrator_state.json"}
    inside = {
        "modules": re.compile(rf"{re.escape(name)}_module\d+_(impl|golden)\.py|__init__\.py"),
        "eval": re.compile(rf"module_interfaces\.yaml|(test_)?{re.escape(name)}\w*\.py|conftest\.py|__init__\.py"),
    }
    found = []

    def tell(file, message="scratch belongs into _debug/", line=1, hint=None):
        found.append(Finding("OL13", "S1", message, file, line, 1, hint or f"mv {file} _debug/"))

    for path in sorted(operator.folder.iterdir()):
        if path.name in own or path.name.startswith(HIDDEN):
            continue
        if path.name.startswith("."):
            tell(path.name)
            continue
        if path.is_dir():
            if path.name not in KNOWN_FOLDERS:
                tell(path.name)
            elif path.name in inside:
                for inner in sorted(path.iterdir()):
                    if inner.name != "__pycache__" and not inside[path.name].fullmatch(inner.name):
                        tell(f"{path.name}/{inner.name}")
            elif path.name == "__pycache__":
                for inner in sorted(path.iterdir()):
                    if inner.suffix != ".pyc":
                        tell(f"{path.name}/{inner.name}")
        elif path.name.startswith(("tmp", "scratch", "debug")) or path.suffix in DATA or path.suffix == ".py":
            tell(path.name)
    for path in (operator.impl, operator.test, *sorted(operator.path("modules").glob("*.py"))):
        for line, what in _outside(path):
            tell(str(path.relative_to(operator.folder)), f"{what}: nothing is written outside of the folder", line, "_debug/")
    return found


def _outside(path):
    """(line, what) of places where a file speaks of temporary files."""
    import ast

    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if any(name.split(".")[0] == "tempfile" for name in names):
            yield node.lineno, "tempfile is imported"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and TEMPORARY.match(node.value):
            yield node.lineno, f"'{node.value[:40]}'"
        elif isinstance(node, ast.Attribute) and node.attr in ("mktemp", "mkdtemp", "mkstemp"):
            yield node.lineno, node.attr


def blocking(findings):
    return [finding for finding in findings if finding.severity in BLOCKING]


def block_text(findings):
    """The fixed text that a block is told with."""
    found = blocking(findings)
    rules = sorted({finding.rule for finding in found})
    hints = {finding.rule: finding.hint for finding in found}
    lines = [HEADER]
    lines += [f"  [{finding.rule}][{finding.severity}] {finding.file}:{finding.line} {finding.message}" for finding in found]
    lines += [f"blocking_rules: {', '.join(rules)}", "fix_hints:", *(f"  {rule}: {hints[rule]}" for rule in rules)]
    return "\n".join(lines)


def as_json(findings, rules_run):
    """The verdict as the pipeline's tools read it."""
    from tilesmith.lint.rules import rules

    roles = {rule["id"]: rule["role"] for rule in rules()}
    status = {"S0": "FAIL", "S1": "FAIL", "error": "FAIL", "S2": "WARN", "warning": "WARN", "S3": "INFO", "info": "INFO"}
    entries = [
        {
            "rule_id": finding.rule,
            "severity": finding.severity,
            "dimension": {"markdown": "M", "yaml": "Y", "json": "J"}.get(roles.get(finding.rule), "A"),
            "fix_effort": "automatic" if finding.edits else "manual",
            "status": status[finding.severity],
            "message": finding.message,
            "file": finding.file,
            "line": finding.line,
        }
        for finding in findings
    ]
    counts = {name: sum(entry["status"] == name.upper() for entry in entries) for name in ("warn", "info", "fail")}
    passed = len(set(rules_run) - {finding.rule for finding in findings})
    return {
        "passed": not blocking(findings),
        "findings": entries,
        "summary": {"pass": passed, **counts, "skip": 0, "has_error_fail": bool(blocking(findings))},
    }
