"""Rules of lint as a gate: which of them run when, the verdict, and its text."""

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


def scratch(operator):
    """Files a run left outside `_debug/`."""
    known = {"modules", "eval", "tests", "_debug", "__pycache__", ".git"}
    found = []
    for path in sorted(operator.folder.iterdir()):
        name = path.name
        isScratch = (path.is_dir() and name not in known) or (
            path.is_file() and (name.startswith(("tmp", "scratch", "debug")) or path.suffix in (".log", ".tmp", ".bak", ".orig"))
        )
        if isScratch:
            found.append(Finding("OL13", "S1", "scratch belongs into _debug/", name, 1, 1, f"mv {name} _debug/"))
    return found


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
