"""capabilities.yaml (schema "3"): which operations work, in which type, on which platform, and the evidence for it.

Invariants
 - a cell is confirmed by evidence alone: a sealed record of a run on the model, about a kernel that still has the hash it had
 - evidence that failed, that is gone, or that is about another kernel, takes the confirmation away
 - blocked cells, and cells without evidence that nobody confirmed, are left as they are
"""

from pathlib import Path

import yaml

from tilesmith import records

GOLDEN = ("confirmed", "golden_only", "pending", "claimed", "untested", "blocked")
GENERATIVE = ("confirmed", "pending", "untested", "blocked")
KINDS = {"golden": GOLDEN, "generative": GENERATIVE}
SHORT = {"float16": "f16", "float32": "f32", "bfloat16": "bf16"}
HISTORY = 30


class CapabilityError(Exception):
    """A file that is not what it should be. `str()` has a sentence on each line."""


def load(path):
    """The capabilities. CapabilityError with everything that is wrong with their form."""
    try:
        content = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeError, yaml.YAMLError) as error:
        raise CapabilityError(f"'{path}' cannot be read: {str(error).splitlines()[0]}") from None
    problems = _problems(content) if isinstance(content, dict) else ["it is not a mapping"]
    if problems:
        raise CapabilityError("\n".join(f"{path}: {problem}" for problem in problems))
    return content


def _problems(content):
    problems = []
    if str(content.get("schema_version")) != "3":
        problems.append(f'schema_version is {content.get("schema_version")!r}, not "3"')
    tiers = content.get("tiers")
    if not isinstance(tiers, dict) or not tiers:
        return [*problems, "there are no tiers"]
    for name, tier in tiers.items():
        if not isinstance(tier, dict) or not isinstance(tier.get("level"), int) or not tier.get("description"):
            problems.append(f"tier '{name}' has no level or no description")
    operations = content.get("operations")
    if not isinstance(operations, list):
        return [*problems, "there are no operations"]
    for operation in operations:
        name = operation.get("name") if isinstance(operation, dict) else None
        if not name:
            problems.append("an operation has no name")
            continue
        if operation.get("tier") not in tiers:
            problems.append(f"{name}: there is no tier '{operation.get('tier')}'")
        for cell in operation.get("cells") or []:
            if not isinstance(cell, dict) or not cell.get("dtype") or not cell.get("platform"):
                problems.append(f"{name}: a cell has no dtype or no platform")
                continue
            for kind, known in KINDS.items():
                status = cell.get(f"{kind}_status")
                if status is not None and status not in known:
                    problems.append(f"{name} {cell['dtype']}: {kind}_status '{status}' is not one of {', '.join(known)}")
    return problems


def cells(content):
    """(operation, cell) of all."""
    for operation in content["operations"]:
        for cell in operation.get("cells") or []:
            yield operation, cell


def overall(evidence):
    """Whether the run, the static checks, the score and, where there is one, the semantic check passed."""
    verification = evidence.get("verification") or {}
    passes = verification.get("status") == "pass" and evidence.get("runtime_verified") is True
    passes = passes and evidence.get("static_verify") == "pass" and bool((evidence.get("score") or {}).get("accepted"))
    if evidence.get("kind") == "generative":
        passes = passes and bool((evidence.get("semantic_check") or {}).get("passed")) and bool(evidence.get("agent"))
    return bool(passes and evidence.get("kernel_path"))


def doubt(operation, cell, kind, folder):
    """Why the evidence of a cell does not confirm it: (reason, whether only the run is in doubt); None if it does."""
    named = cell.get(f"{kind}_evidence")
    if not named:
        return "there is no evidence", False
    try:
        evidence = records.read(Path(folder) / named)
    except records.RecordError as error:
        return str(error), False
    expected = {"kind": kind, "operation": operation["name"], "dtype": cell["dtype"]}
    for field, value in expected.items():
        if evidence.get(field) != value:
            return f"the evidence is about {field} '{evidence.get(field)}'", False
    verification = evidence.get("verification") or {}
    if verification.get("platform") != cell["platform"]:
        return f"the evidence is about the platform '{verification.get('platform')}'", False
    kernel = Path(folder) / str(evidence.get("kernel_path"))
    if records.sha256(kernel) != evidence.get("kernel_sha256"):
        return f"the kernel '{evidence.get('kernel_path')}' is not the one the evidence is about", False
    if not overall(evidence):
        statuses = f"run {verification.get('status')}, static {evidence.get('static_verify')}"
        runs = {**evidence, "runtime_verified": True, "verification": {**verification, "status": "pass"}}
        return f"the evidence does not pass: {statuses}", overall(runs)
    return None


def sync(path):
    """Sets every status to what the evidence says. Returns [(cell, kind, before, after)]; the file is written if there is one."""
    content = load(path)
    folder, changes = Path(path).parent, []
    for operation, cell in cells(content):
        for kind in KINDS:
            status = cell.get(f"{kind}_status")
            if status in (None, "blocked"):
                continue
            named = cell.get(f"{kind}_evidence")
            if not named and status != "confirmed":
                continue
            now = "pending" if doubt(operation, cell, kind, folder) else "confirmed"
            if now != status:
                changes.append((f"{operation['name']} {cell['dtype']} {cell['platform']}", kind, status, now))
                cell[f"{kind}_status"] = now
    return content, changes


def save(path, content):
    from tilesmith.lint import fixes

    fixes.write(str(path), yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120).encode())


def check(path, soft_runtime=False):
    """The verdict on the file: status, total_cells, tier_counts, failures, warnings."""
    try:
        content = load(path)
    except CapabilityError as error:
        return {
            "status": "fail",
            "schema_version": None,
            "total_cells": 0,
            "tier_counts": {},
            "failures": str(error).splitlines(),
            "warnings": [],
        }
    folder, failures, warnings, counts = Path(path).parent, [], [], {}
    for operation, cell in cells(content):
        counts[operation["tier"]] = counts.get(operation["tier"], 0) + 1
        name = f"{operation['name']} {cell['dtype']} {cell['platform']}"
        for kind in KINDS:
            status = cell.get(f"{kind}_status")
            if status == "confirmed" and (found := doubt(operation, cell, kind, folder)):
                reason, only_run = found
                if only_run and soft_runtime:
                    warnings.append(f"[DRIFT] {name}: {kind}: {reason}")
                else:
                    failures.append(f"{name}: {kind} is confirmed, and {reason}")
            elif status == "golden_only" and not (folder / str(cell.get("golden"))).is_file():
                failures.append(f"{name}: there is no golden '{cell.get('golden')}'")
            elif status in ("pending", "claimed", "blocked"):
                warnings.append(f"{name}: {kind} is {status}")
    return {
        "status": "fail" if failures else "pass",
        "schema_version": str(content["schema_version"]),
        "total_cells": sum(counts.values()),
        "tier_counts": counts,
        "failures": failures,
        "warnings": warnings,
    }


def regressions(folder):
    """Evidence files that failed although an earlier run of theirs passed: (files looked at, [text])."""
    paths = sorted(Path(folder).glob("*.json"))
    found = []
    for path in paths:
        try:
            evidence = records.read(path)
        except records.RecordError as error:
            found.append(f"[REGRESSION] {path.name}: {error}")
            continue
        if not overall(evidence) and any(entry.get("overall_pass") for entry in evidence.get("history") or []):
            found.append(f"[REGRESSION] {path.name}: it passed before, and does not now")
    return len(paths), found


def record(path, operation, dtype, platform, kernel, kind, agent=None, prompt=None):
    """Runs a kernel's review and writes the evidence; the cell names it. Returns (file, evidence)."""
    from tilesmith.workflow import conduct, review
    from tilesmith.workflow.design import ENOUGH
    from tilesmith.workflow.project import Project

    content = load(path)
    found = [
        cell
        for owner, cell in cells(content)
        if owner["name"] == operation and cell["dtype"] == dtype and cell["platform"] == platform
    ]
    if not found:
        raise CapabilityError(f"{path} has no cell {operation} {dtype} {platform}")
    folder = Path(path).resolve().parent
    kernel = Path(kernel).resolve()
    if not kernel.is_relative_to(folder):
        raise CapabilityError(f"'{kernel}' is not below '{folder}'")
    source = Script(kernel, Project(kernel.parent))
    checks, problems = review.static(source, configured=True)
    isGenerated = kind == "generative"
    if isGenerated:
        places = [f"{kernel.name}:{line} {what}" for line, what in conduct.places(kernel.read_bytes())]
        problems += [("high", f"the script does not look at who runs it: {text}") for text in places]
    more, worse, run = runs(source, platform, dtype, found[0].get("shapes"), isGenerated)
    score = review.score_of([severity for severity, _ in problems + worse])
    serious = ("critical", "high")
    passed = bool(run["launches"]) and not any(severity in serious for severity, _ in worse)
    types = {dtype for launch in run["launches"] for dtype in (launch["dtype"], *launch["types"])}
    isOfType = dtype in types
    evidence = {
        "schema_version": "3",
        "kind": kind,
        "operation": operation,
        "dtype": dtype,
        "kernel_path": kernel.relative_to(folder).as_posix(),
        "kernel_sha256": records.sha256(kernel),
        "date": records.now(),
        "verification": {
            "mode": "simulator",
            "backend": "Model",
            "platform": platform,
            "status": "pass" if passed and isOfType else "fail",
            "detail": "; ".join(text for _, text in worse)
            or ("" if isOfType else f"launched with {', '.join(sorted(map(str, types)))}"),
            "shapes_verified": sorted({launch["elements"] for launch in run["launches"]}),
        },
        "runtime_verified": passed,
        "static_verify": "fail" if any(severity in serious for severity, _ in problems) else "pass",
        "score": {"value": score, "threshold": ENOUGH, "accepted": score >= ENOUGH, "checks": len(checks) + len(more)},
        "notes": "",
    }
    if kind == "generative":
        evidence["agent"] = agent or {}
        evidence["prompt"] = prompt
        evidence["semantic_check"] = {"passed": passed, "detail": "results depend on the launches", "markers_found": []}
    name = f"evidence/{operation}-{SHORT.get(dtype, dtype)}-{platform}-{kind}.json"
    target = folder / name
    target.parent.mkdir(exist_ok=True)
    try:
        history = records.read(target).get("history") or []
    except records.RecordError:
        history = []
    entry = {
        "date": evidence["date"],
        "overall_pass": overall(evidence),
        "score": score,
        "static": evidence["static_verify"],
        "runtime": evidence["verification"]["status"],
    }
    evidence["history"] = [*history, entry][-HISTORY:]
    records.write(target, evidence)
    found[0][f"{kind}_evidence"] = name
    found[0].setdefault(f"{kind}_status", "pending")
    save(path, content)
    return target, evidence


def runs(source, platform, dtype, shapes, isWitnessed=False):
    """(checks, problems, facts) of a script on every shape of a cell; a script without shapes chooses its own."""
    from tilesmith.workflow import review

    if not shapes:
        return review.dynamic(source, platform, isWitnessed=isWitnessed)
    checks, problems, launches = [], [], []
    for index, shape in enumerate(shapes):
        words = ("--dtype", dtype, "--shape", "x".join(map(str, shape)))
        more, worse, run = review.dynamic(source, platform, words, not index, isWitnessed)
        checks += [it for it in more if it[1] != "several shapes"]
        problems += [it for it in worse if not it[1].startswith("several shapes")]
        launches += run["launches"]
    isOne = len({it["elements"] for it in launches}) < 2
    checks.append(("execution", "several shapes", not isOne, f"{len(shapes)} shapes"))
    return checks, problems + ([("low", "several shapes: one")] if isOne else []), {"launches": launches}


class Script:
    """One file as a project whose kernel it is."""

    def __init__(self, kernel, project):
        self.kernel, self.folder, self.name = kernel, project.folder, kernel.stem

    def path(self, *parts):
        return self.folder.joinpath(*parts)


PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Capabilities</title>
<style>body{font:15px system-ui;margin:2rem;max-width:60rem}table{border-collapse:collapse}td,th{padding:.3rem .8rem;border-bottom:1px solid #ccc;
text-align:left}.confirmed{color:#0a6}.pending,.claimed{color:#a60}.blocked{color:#a00}</style></head><body>
<h1>Capabilities</h1>
<p id="total">{{ confirmed }} of {{ rows | length }} cells are confirmed</p>
<table><tr><th>operation</th><th>tier</th><th>dtype</th><th>platform</th><th>golden</th><th>generative</th></tr>
{% for row in rows %}<tr><td>{{ row.operation }}</td><td>{{ row.tier }}</td><td>{{ row.dtype }}</td><td>{{ row.platform }}</td>
{% for status in (row.golden, row.generative) %}<td class="{{ status }}">{{ status }}</td>{% endfor %}</tr>
{% endfor %}</table></body></html>
"""


def dashboard(path):
    """The cells as a page. A status without good evidence is shown as what `sync` would make of it."""
    from jinja2 import Environment

    content, _ = sync(path)
    rows = [
        {
            "operation": operation["name"],
            "tier": operation["tier"],
            "dtype": cell["dtype"],
            "platform": cell["platform"],
            "golden": cell.get("golden_status", "untested"),
            "generative": cell.get("generative_status", "untested"),
        }
        for operation, cell in cells(content)
    ]
    confirmed = sum(row["golden"] == "confirmed" for row in rows)
    return Environment(autoescape=True).from_string(PAGE).render(rows=rows, confirmed=confirmed)
